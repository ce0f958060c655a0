"""What every other folder may use: boards, errors, callbacks, memory, threads, thresholds, instances.

Nothing here searches, draws, reads a file or prints. It imports no other folder of the package.
"""
