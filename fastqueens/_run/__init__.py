"""What every other folder may use: boards, instances, arguments, errors, memory, threads, executors, thresholds.

Nothing here searches, draws, reads a file or prints. It imports no other folder of the package.
"""
