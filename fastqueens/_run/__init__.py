"""Plumbing that every folder may use: checks of arguments, messages, progress, memory, threads, executors, thresholds.

Nothing here searches, draws or reads a file. Of the package, it imports only ``errors``.
"""
