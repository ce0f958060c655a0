"""Studies on a cluster: the same as in one process, even if a worker is killed; and the messages of failures."""

import asyncio
import importlib.util
import json
import math
import os
import re
import signal
import socket
import sys
from concurrent.futures import CancelledError
from functools import partial

import pytest
from drawing import hard_instance
from errors import check_error, check_names
from lowered import lowered
from processes import timeless

import fastqueens
from fastqueens import InputError, Stopped, study
from fastqueens.classroom import study as study_module
from fastqueens.core import executors as cluster_module
from fastqueens.core.executors import Task, connected, run_tasks

needs_dask = pytest.mark.skipif(
    importlib.util.find_spec("distributed") is None,
    reason="dask.distributed is not installed: pip install '.[cluster]'",
)

RULES = ["steepest", "min-conflicts"]


@pytest.fixture
def run(run):
    return partial(run, "study")


def test_a_cluster_makes_the_same_study(cluster):
    assert study([4, 8], RULES, 3000, seed=9, executor=cluster) == study([4, 8], RULES, 3000, seed=9)


def test_the_command_on_a_running_scheduler(cluster, run):
    arguments = ("--rules", ",".join(RULES), "--runs", "1000", "--seed", "4", "--json", "-q")
    here = run(*arguments)
    there = run(*arguments, "--scheduler", cluster.scheduler.address)
    assert here[0] == there[0] == 0
    assert timeless(json.loads(here[1])) == timeless(json.loads(there[1]))
    assert json.loads(here[1])["rows"][0]["runs"] == 1000


def test_a_cluster_counts_and_proves_the_same(cluster):
    no_solution = {"excluded_sums": range(5, 22), "n": 14}
    with lowered(tree_slice=20, first_rounds=1):
        assert fastqueens.count_solutions(12, executor=cluster) == 14200
        nodes = set()
        for executor in (None, cluster):
            with pytest.raises(fastqueens.NoSolutionError) as proof:
                fastqueens.solve(**no_solution, method="complete", seed=1, executor=executor)
            nodes.add(proof.value.nodes)
    assert len(nodes) == 1


@pytest.mark.gate
def test_a_killed_worker_changes_nothing(cluster, monkeypatch, capfd):
    monkeypatch.setattr(study_module, "_SECONDS_A_BATCH_AWAY", 0.05)
    (victim, _) = cluster.run(os.getpid).values()
    killed = []

    def kill_in_the_middle(_stage, done, total):
        if done > total // 3 and not killed:
            os.kill(victim, signal.SIGKILL)
            killed.append(victim)

    with_loss = study(8, RULES, 30_000, seed=1, executor=cluster, progress=kill_in_the_middle)
    assert killed
    assert with_loss == study(8, RULES, 30_000, seed=1)
    assert capfd.readouterr() == ("", ""), "Dask prints nothing"


@pytest.mark.gate
def test_stop_on_a_cluster(cluster):
    seen = []
    callbacks = {"progress": lambda *now: seen.append(now[1]), "stop": lambda: any(seen)}
    with pytest.raises(Stopped):
        study(8, "sideways", 10**12, seed=1, executor=cluster, **callbacks)


def test_tasks_on_a_cluster(cluster):
    """Dask makes equal calls only once; each task gets the result."""
    numbers = [5, 3, 5, 8, 3, *range(20)]
    found = []
    tasks = (Task(math.factorial, (k,), found.append) for k in numbers)
    run_tasks(tasks, lambda: None, executor=cluster)
    assert sorted(found) == sorted(math.factorial(k) for k in numbers)


def test_an_error_in_a_task_on_a_cluster(cluster):
    tasks = (Task(math.factorial, (5 - k,), lambda _: None) for k in range(100))
    with pytest.raises(ValueError, match="factorial"):
        run_tasks(tasks, lambda: None, executor=cluster)


# Failures


@pytest.mark.gate
@needs_dask
@pytest.mark.parametrize("address", ["127.0.0.1:1", "nowhere", "foo://x", "localhost:abc", "tls://127.0.0.1:1", ""])
def test_a_missing_scheduler(run, address, monkeypatch):
    monkeypatch.setattr(cluster_module, "_TIMEOUT", 0.3)
    exit_code, stdout, stderr = run("--scheduler", address)
    assert (exit_code, stdout) == (2, "")
    check_names(stderr, "Dask", repr(address))
    assert stderr.count("\n") == 1


@pytest.mark.gate
@needs_dask
def test_a_server_that_does_not_answer(monkeypatch):
    monkeypatch.setattr(cluster_module, "_TIMEOUT", 0.3)
    with socket.create_server(("127.0.0.1", 0)) as server:  # it accepts connections
        address = f"127.0.0.1:{server.getsockname()[1]}"
        with check_error(InputError, "0.3 s"), connected(address):
            pass


def test_the_address_of_a_worker_is_refused(cluster):
    (address, *_) = cluster.nthreads()
    with check_error(InputError, "worker", "scheduler"):
        connected(address).__enter__()


def test_workers_of_another_version(cluster, monkeypatch):
    monkeypatch.setattr(cluster_module, "__version__", "0.0.1")
    with check_error(InputError, "scheduler", fastqueens.__version__, "0.0.1"):
        connected(cluster.scheduler.address).__enter__()


@pytest.mark.parametrize("error", [AttributeError, asyncio.CancelledError, CancelledError])
def test_a_lost_scheduler(cluster, monkeypatch, error):
    """A client that is closed raises AttributeError."""
    with pytest.raises(AttributeError, match="a fault"), cluster_module._explained(cluster):
        raise AttributeError("a fault")
    monkeypatch.setattr(cluster, "status", "closed")
    with (
        check_error(InputError, "the scheduler", cluster.scheduler.address, "lost"),
        cluster_module._explained(cluster),
    ):
        raise error


def calls_that_lose(client, once):
    """Return every function that has tasks for an executor; ``once`` is called by their progress."""
    where = {"executor": client, "progress": lambda *_: once()}
    hard = hard_instance(53)
    return {
        "count": lambda: fastqueens.count_solutions(14, **where),
        "prove": lambda: fastqueens.solve(hard, method="complete", seed=1, **where),
        "batch": lambda: list(fastqueens.solve_instances([hard] * 50, method="complete", seed=1, **where)),
        "study": lambda: study([64], RULES, 10**6, seed=9, **where),
        "sample": lambda: fastqueens.sample(64, 10**5, seed=1, **where),
        "estimate": lambda: fastqueens.estimate(64, seed=1, **where),
    }


@pytest.mark.gate
@needs_dask
@pytest.mark.parametrize("fault", ["the client is closed", "the scheduler is closed", "the tasks are cancelled"])
@pytest.mark.parametrize("what", ["count", "prove", "batch", "study", "sample", "estimate"])
def test_a_cluster_that_is_lost_meanwhile(what, fault):
    import distributed

    settings = {"threads_per_worker": 1, "dashboard_address": ":0", "memory_limit": None, "silence_logs": 50}
    with (
        distributed.LocalCluster(n_workers=2, **settings) as processes,
        distributed.Client(processes) as client,
        lowered(tree_slice=1, first_rounds=1),
    ):
        called = []

        def once():
            if client.futures and not called:
                called.append(1)
                if fault == "the client is closed":
                    client.close()
                elif fault == "the scheduler is closed":
                    processes.close()
                else:
                    client.cancel([distributed.Future(key, client=client) for key in list(client.futures)], force=True)

        with check_error(InputError, re.compile("scheduler at tcp://.* was lost before the work was done")):
            calls_that_lose(client, once)[what]()
        assert called


def test_without_dask(run, monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    exit_code, _, stderr = run("--scheduler", "127.0.0.1:8786")
    assert exit_code == 2
    check_names(stderr, "Dask", "pip install '.[cluster]'")
