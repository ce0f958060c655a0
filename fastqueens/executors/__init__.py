"""Where the work of a long call runs: the interface of executors, and Dask clusters that have it.

Nothing here knows what the work is. May import ``core``.
"""
