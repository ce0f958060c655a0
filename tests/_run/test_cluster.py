"""Studies on a cluster: the same as in one process, even if a worker is killed; and messages about failures."""

import importlib.util
import json
import math
import socket
import sys
from functools import partial

import pytest
from drawing import hard_instance
from errors import check_error, check_names
from lowered import lowered
from processes import timeless

import fastqueens
from fastqueens import InputError, study
from fastqueens._run.executors import Job, connected, results
from fastqueens.cli import app
from fastqueens.cli.session import Session

needs_dask = pytest.mark.skipif(
    importlib.util.find_spec("distributed") is None,
    reason="dask.distributed is not installed: pip install '.[cluster]'",
)

ALGORITHMS = ["steepest", "min-conflicts"]


@pytest.fixture
def run(run):
    return partial(run, "study")


def test_a_cluster_makes_the_same_study(cluster):
    assert study([4, 8], ALGORITHMS, 300, seed=9, executor=cluster) == study([4, 8], ALGORITHMS, 300, seed=9)


def test_the_command_on_a_running_scheduler(cluster, run):
    arguments = ("--algorithms", ",".join(ALGORITHMS), "--runs", "1000", "--seed", "4", "--json", "-q")
    here = run(*arguments)
    there = run(*arguments, "--scheduler", cluster.scheduler.address)
    assert here[0] == there[0] == 0
    assert timeless(json.loads(here[1])) == timeless(json.loads(there[1]))
    assert json.loads(here[1])["rows"][0]["runs"] == 1000


def test_a_batch_on_a_running_scheduler(cluster, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "many.jsonl").write_text('{"n": 8, "fixed": [[1, 3]]}\n{"n": 5, "fixed": [[0, 0], [4, 4]]}\n{"n": 3}\n')
    outputs = []
    for where in ([], ["--scheduler", cluster.scheduler.address]):
        assert app.run(["batch", "many.jsonl", "--seed", "7", "-q", *where], Session()) == 0
        answers = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
        outputs.append([{**answer, "seconds": 0} for answer in answers])
    assert outputs[0] == outputs[1]
    assert [answer["answer"] for answer in outputs[0]] == ["solved", "no solution", "no solution"]


def test_a_cluster_counts_the_same(cluster):
    with lowered(uncut_squares=1000, part_squares=20_000):
        assert fastqueens.count_solutions(12, executor=cluster) == 14200


def test_tasks_on_a_cluster(cluster):
    """Dask makes equal calls only once; each task gets the result."""
    numbers = [5, 3, 5, 8, 3, *range(20)]
    tasks = (Job(at, math.factorial, (k,)) for at, k in enumerate(numbers))
    assert dict(results(tasks, lambda: None, executor=cluster)) == dict(enumerate(map(math.factorial, numbers)))


# Failures


@pytest.mark.gate
@needs_dask
@pytest.mark.parametrize("address", ["127.0.0.1:1", "nowhere", "tls://127.0.0.1:1", ""])
def test_a_missing_scheduler(run, address):
    exit_code, stdout, stderr = run("--scheduler", address)
    assert (exit_code, stdout) == (2, "")
    check_names(stderr, "Dask", repr(address))
    assert stderr.count("\n") == 1


@pytest.mark.gate
@needs_dask
def test_a_server_that_does_not_answer():
    with socket.create_server(("127.0.0.1", 0)) as server:  # it accepts connections
        address = f"127.0.0.1:{server.getsockname()[1]}"
        with check_error(InputError, "3 s"), connected(address):
            pass


def test_the_address_of_a_worker_is_refused(cluster):
    (address, *_) = cluster.nthreads()
    with check_error(InputError, "Worker", "scheduler"):
        connected(address).__enter__()


def test_workers_of_another_version(cluster, monkeypatch):
    versions = cluster.get_versions(packages=["fastqueens"])
    for worker in versions["workers"].values():
        worker["packages"]["fastqueens"] = "0.0.1"
    monkeypatch.setattr(type(cluster), "get_versions", lambda _client, packages: versions)
    with check_error(InputError, "this process", fastqueens.__version__, "0.0.1"):
        connected(cluster.scheduler.address).__enter__()


def calls_that_lose(client, once):
    """Return every function that has tasks for an executor; ``once`` is called by their progress."""
    where = {"executor": client, "progress": lambda *_: once()}
    hard = hard_instance(53)
    return {
        "count": lambda: fastqueens.count_solutions(14, **where),
        "batch": lambda: list(fastqueens.solve_instances([hard] * 50, method="complete", seed=1, **where)),
        "study": lambda: study([64], ALGORITHMS, 10**6, seed=9, **where),
    }


@pytest.mark.gate
@needs_dask
@pytest.mark.parametrize(
    ("what", "fault"),
    [
        ("count", "the client is closed"),
        ("batch", "the scheduler is closed"),
        ("study", "the tasks are cancelled"),
    ],
)
def test_a_cluster_that_is_lost_meanwhile(what, fault):
    import distributed

    settings = {"threads_per_worker": 1, "dashboard_address": ":0", "memory_limit": None, "silence_logs": 50}
    with (
        distributed.LocalCluster(n_workers=2, **settings) as processes,
        distributed.Client(processes) as client,
        lowered(uncut_squares=20, part_squares=5),
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

        with check_error(InputError, "the executor was lost before the work was done"):
            calls_that_lose(client, once)[what]()
        assert called


def test_without_dask(run, monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    exit_code, _, stderr = run("--scheduler", "127.0.0.1:8786")
    assert exit_code == 2
    check_names(stderr, "Dask", "pip install -e '.[cluster]'")
