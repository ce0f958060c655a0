"""A program that runs a Dask cluster on this machine until its standard input ends.

So the cluster shuts down properly however the process that started it ends, even by SIGKILL. The only argument is the
number of workers. The program prints the scheduler's address.
"""

from __future__ import annotations

import logging
import sys


def main() -> None:
    """Start the cluster, print its address and wait."""
    import distributed

    cluster = distributed.LocalCluster(  # type: ignore[no-untyped-call]
        n_workers=int(sys.argv[1]),
        threads_per_worker=1,
        dashboard_address=None,
        memory_limit=None,
        silence_logs=logging.CRITICAL,
    )
    with cluster:
        print(cluster.scheduler_address, flush=True)
        sys.stdin.read()


# The workers import this file.
if __name__ == "__main__":
    main()
