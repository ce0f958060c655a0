"""Where long calls run: on threads of this process, on executors, and on Dask clusters as one kind of executor.

Nothing here knows what the tasks are. May import ``core``.
"""
