"""A Dask cluster on this machine, in a process of its own: it lasts until its standard input ends.

So it is taken down in good order however the process that began it comes to its end, even by SIGKILL, and Ctrl-C on the
terminal does not reach it. The number of workers is the only argument; the scheduler's address is printed.
"""

from __future__ import annotations

import logging
import sys


def main() -> None:
    """Start the cluster, tell its address, and wait."""
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


# The workers import this file too.
if __name__ == "__main__":
    main()
