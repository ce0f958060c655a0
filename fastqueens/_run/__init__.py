"""Shared infrastructure: checks of arguments, messages, progress, memory, threads, executors and thresholds.

Every folder can import this one. Nothing here searches, draws or reads a file. From the rest of the package it imports
only ``errors``.
"""
