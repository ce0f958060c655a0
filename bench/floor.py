"""Times of fastqueens, a formula, a fill, a copy, a shuffle and two other programs, measured in one run.

``python -m bench floor --adaptive-search PROGRAM --python PYTHON`` takes about ten minutes. PROGRAM is the program
``queens`` of Adaptive Search by D. Diaz and P. Codognet (github.com/didoudiaz/AdaptiveSearch), compiled with
``gcc -O3 -march=native``. PYTHON is an interpreter with OR-Tools. If a program is missing, its row says so.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import fastqueens
from bench.cpsat import NOT_INSTALLED
from bench.scaling import BYTES_PER_QUEEN, SHUFFLE_BELOW, runs_for
from bench.timing import COMMAND, duration, run_python, seconds, spread, touch_memory
from fastqueens._run.memory import check_memory
from fastqueens._run.text import counted
from fastqueens._run.threads import all_cores
from fastqueens.result import Timings

#: Powers of ten, for which the formula holds.
SIZES = (100, 1000, 10**4, 10**6, 10**8, 10**9)

#: Another program is stopped after MOST_SECONDS, and gets no larger n after a run of more than ENOUGH_SECONDS.
ENOUGH_SECONDS = 5.0
MOST_SECONDS = 15.0

#: A group of 16 queens needs six cache lines of 64 bytes: one of the board, one of the rows, and two of each kind of
#: diagonals. The processor reads and writes each. Groups that try more than one strip move more.
BYTES_MOVED_PER_QUEEN = 2 * 6 * 64 / 16

#: A copy reads and writes four bytes per number.
_BYTES_OF_A_COPY = 2 * 4

# Two arrays of int32 numbers, and a board with its bitsets.
_BYTES_FOR_ALL = 8 + BYTES_PER_QUEEN

_ROOT = Path(__file__).parent.parent
_CALL = "fastqueens.solve, the whole call"
_PROCESS = "fastqueens, a process"
_COPY = "copy"
_FORMULA = "formula, NumPy"
_SHUFFLE = "shuffle, NumPy"
_CPSAT = "OR-Tools CP-SAT"
_ADAPTIVE_SEARCH = "Adaptive Search, C"
_SHORT = 2.0

# The formula is written in blocks that stay in the caches, so that it makes no other large array.
_BLOCK = 2**14
_STEPS = np.arange(0, 2 * _BLOCK, 2, dtype=np.int32)

# Up to this n, everything fits into warm caches.
_IN_CACHES = 10**4


def measure(
    sizes: Sequence[int] = SIZES, python: str = sys.executable, adaptive_search: Path | None = None
) -> Iterator[dict[str, Any]]:
    """Yield a row for each program and n, and rows with the parts of a call and the bandwidth of a copy."""
    check_memory(max(sizes) * _BYTES_FOR_ALL, f"measuring n = {max(sizes):,}")
    fastqueens.solve(min(10**7, max(sizes)), seed=0)  # loads kernels, wakes up threads
    for n in sizes:
        yield from _of_size(n)
    yield from _others(_CPSAT, sizes, lambda n, _: ask_cpsat(n, python))
    yield from _others(_ADAPTIVE_SEARCH, sizes, lambda n, seed: ask_adaptive_search(adaptive_search, n, seed))


def even_odd(n: int, board: NDArray[np.int32] | None = None) -> NDArray[np.int32]:
    """Return the textbook solution, first the odd rows and then the even rows; valid for even n with n mod 6 != 2."""
    board = np.empty(n, np.int32) if board is None else board
    for first, rows in ((1, board[: n // 2]), (0, board[n // 2 :])):
        for start in range(0, len(rows), _BLOCK):
            part = rows[start : start + _BLOCK]
            np.add(_STEPS[: len(part)], first + 2 * start, out=part)
    return board


def _of_size(n: int) -> Iterator[dict[str, Any]]:
    """Measure everything that runs in this interpreter, alternately."""
    numbers = np.arange(n, dtype=np.int32)
    other = numbers.copy()
    generator = np.random.default_rng(1)
    cores = all_cores()
    counts = sorted({1, cores})
    timings: dict[int, list[Timings]] = {count: [] for count in counts}

    def solve(threads: int, seed: int) -> None:
        result = fastqueens.solve(n, seed=seed, threads=threads, trace=False)
        if not result.solved:
            raise RuntimeError(f"n = {n} with seed {seed} was not solved: please report this")
        timings[threads].append(result.timings)

    def copy_some(threads: int, _seed: int) -> None:
        copy(other, numbers, pool, threads)

    with ThreadPoolExecutor(cores) as pool:
        works: dict[tuple[str, int], Callable[[int], object]] = {
            ("fill", 1): lambda seed: other.fill(seed),
            **{(_COPY, count): partial(copy_some, count) for count in counts},
            (_FORMULA, 1): lambda _: even_odd(n, other),
            **({(_SHUFFLE, 1): lambda _: generator.shuffle(numbers)} if n < SHUFFLE_BELOW else {}),
            **{(_CALL, count): partial(solve, count) for count in counts},
        }
        taken: dict[tuple[str, int], list[float]] = {name: [] for name in [*works, (_PROCESS, cores)]}
        for seed in range(1 - (n <= 10**7), 1 + runs_for(n)):
            for name, work in works.items():
                if n <= _IN_CACHES:
                    work(seed)  # the process before it emptied the caches
                touch_memory(n * BYTES_PER_QUEEN)
                taken[name].append(seconds(partial(work, seed)))
            touch_memory(n * BYTES_PER_QUEEN)
            command = (*COMMAND, "solve", str(n), "--seed", str(seed), "--quiet")
            taken[_PROCESS, cores].append(run_python(*command).seconds)
    for (program, threads), values in taken.items():
        row = {"program": program, "threads": threads, "n": n, "skipped": None}
        yield {**row, **spread(values[-runs_for(n) :])._asdict()}
    for count in counts:
        bandwidth = _BYTES_OF_A_COPY * n / spread(taken[_COPY, count]).median
        parts = zip(*timings[count][-runs_for(n) :], strict=True)
        medians = dict(zip(Timings._fields, (spread(values).median for values in parts), strict=True))
        yield {"program": None, "threads": count, "n": n, "bandwidth": bandwidth, **medians}


def copy(to: NDArray[np.int32], source: NDArray[np.int32], pool: ThreadPoolExecutor, threads: int) -> None:
    """Copy an array on several threads."""
    edges = [len(to) * part // threads for part in range(threads + 1)]
    parts = [slice(*ends) for ends in pairwise(edges)]
    list(pool.map(lambda part: np.copyto(to[part], source[part]), parts))


def _others(
    program: str, sizes: Sequence[int], answer: Callable[[int, int], dict[str, Any]]
) -> Iterator[dict[str, Any]]:
    """Let another program solve larger and larger n until it takes too long."""
    for n in sizes:
        answers = [answer(n, 1)]
        while "skipped" not in answers[-1] and len(answers) < 3 and answers[-1]["seconds"] < _SHORT:
            answers.append(answer(n, 1 + len(answers)))
        last = answers[-1]
        threads = all_cores() if program == _CPSAT else 1
        row = {"program": program, "threads": threads, "n": n, "version": last.get("version")}
        if "skipped" in last:
            yield {**row, "median": None, "skipped": last["skipped"]}
        else:
            yield {**row, "skipped": None, **spread([one["seconds"] for one in answers])._asdict()}
        if last.get("seconds", MOST_SECONDS) > ENOUGH_SECONDS:
            break


def ask_cpsat(n: int, python: str = sys.executable, limit: float = MOST_SECONDS) -> dict[str, Any]:
    """Solve n with CP-SAT in a separate process; return "seconds" and "version", or "skipped"."""
    done = _run([python, "-m", "bench.cpsat", str(n)], limit)
    if done is None:
        return {"skipped": f"> {limit:g} s"}
    if done.returncode == NOT_INSTALLED:
        return {"skipped": "not installed"}
    if done.returncode:
        return {"skipped": f"failed: {(done.stderr.strip().splitlines() or [str(done.returncode)])[-1]}"}
    answer = json.loads(done.stdout)
    return _checked({"seconds": answer["seconds"], "version": answer["version"]}, answer["queens"])


def ask_adaptive_search(program: Path | None, n: int, seed: int, limit: float = MOST_SECONDS) -> dict[str, Any]:
    """Solve n with Adaptive Search; return the "seconds" of its whole process, or "skipped"."""
    if program is None or not program.exists():
        return {"skipped": "not compiled"}
    begun = time.perf_counter()
    done = _run([str(program.absolute()), str(n), "-s", str(seed)], limit)
    taken = time.perf_counter() - begun
    if done is None:
        return {"skipped": f"> {limit:g} s"}
    boards = [line.split() for line in done.stdout.splitlines() if line.replace(" ", "").isdigit()]
    return _checked({"seconds": taken}, [int(row) for row in boards[-1]] if boards else [])


def _run(command: list[str], limit: float) -> subprocess.CompletedProcess[str] | None:
    """Run a command; return None if it takes longer than the limit."""
    try:
        return subprocess.run(command, capture_output=True, text=True, timeout=limit, cwd=_ROOT, check=False)
    except subprocess.TimeoutExpired:
        return None


def _checked(answer: dict[str, Any], queens: list[int]) -> dict[str, Any]:
    is_right = len(queens) > 0 and fastqueens.is_solution(queens)
    return answer if is_right else {"skipped": "returned a board that is not a solution"}


def table(rows: Sequence[dict[str, Any]]) -> str:
    """Return the times of all programs, with a line for each program and number of threads."""
    times = [row for row in rows if row["program"] not in (None, _COPY)]
    sizes = sorted({row["n"] for row in times})
    programs: dict[tuple[str, int], dict[int, dict[str, Any]]] = {}
    for row in times:
        programs.setdefault((row["program"], row["threads"]), {})[row["n"]] = row
    lines = [
        "| program | threads | " + " | ".join(f"n = {_size(n)}" for n in sizes) + " | largest spread |",
        "|---|---:|" + "---:|" * (len(sizes) + 1),
    ]
    for (program, threads), by_n in programs.items():
        cells = [_cell(by_n.get(n)) for n in sizes]
        spreads = [row["most"] / row["least"] for row in by_n.values() if row.get("runs", 1) > 1]
        spread_cell = f"{max(spreads):.1f} x" if spreads else ""
        version = next((row["version"] for row in by_n.values() if row.get("version")), "")
        lines.append(f"| {program} {version}".rstrip() + f" | {threads} | {' | '.join(cells)} | {spread_cell} |")
    return "\n".join(lines)


def speed(rows: Sequence[dict[str, Any]]) -> str:
    """Return the times of a call and of a whole command, next to a shuffle of as many numbers."""
    cores = max(row["threads"] for row in rows)
    columns = {
        "call, 1 thread": (_CALL, 1),
        f"call, {counted(cores, 'thread')}": (_CALL, cores),
        f"command, {counted(cores, 'thread')}": (_PROCESS, cores),
        "NumPy's shuffle": (_SHUFFLE, 1),
    }
    return _times(rows, SIZES, columns)


def others(rows: Sequence[dict[str, Any]]) -> str:
    """Return the times of all programs that solve small boards."""
    cores = max(row["threads"] for row in rows)
    columns = {
        "formula": (_FORMULA, 1),
        "fastqueens": (_CALL, 1),
        "Adaptive Search": (_ADAPTIVE_SEARCH, 1),
        f"CP-SAT, {counted(cores, 'thread')}": (_CPSAT, cores),
    }
    return _times(rows, [n for n in SIZES if n <= 10**4], columns)


def parts(rows: Sequence[dict[str, Any]]) -> str:
    """Return the parts of a call on all cores, and its placement compared with a copy of as many bytes.

    Up to about n = 10^7, the bitsets of the placement are in caches, and the memory does not limit it.
    """
    cores = max(row["threads"] for row in rows)
    titles = ("n", "first write to memory", "placement and search", "check", "placement / copy")
    lines = [f"| {' | '.join(titles)} |", "|" + "---:|" * len(titles)]
    for row in rows:
        if row["program"] is None and row["threads"] == cores and row["n"] >= 10**6:
            of_copy = row["placement"] / row["n"] * row["bandwidth"] / BYTES_MOVED_PER_QUEEN
            times = (row["allocation"], row["placement"] + row["search"], row["verification"])
            cells = [f"{row['n']:,}", *map(duration, times), f"{of_copy:.1f}" if row["n"] >= 10**8 else ""]
            lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)


def _times(rows: Sequence[dict[str, Any]], sizes: Sequence[int], columns: Mapping[str, tuple[str, int]]) -> str:
    """Return a table with a line for each n, and a column for each title with its program and number of threads."""
    lines = [f"| queens | {' | '.join(columns)} |", "|" + "---:|" * (1 + len(columns))]
    of_program = {(row["program"], row["threads"], row["n"]): row for row in rows}
    for n in sizes:
        cells = [_cell(of_program.get((*column, n))) for column in columns.values()]
        lines.append(f"| {n:,} | {' | '.join(cells)} |")
    return "\n".join(lines)


def _cell(row: dict[str, Any] | None) -> str:
    if row is None:
        return ""
    return row["skipped"] if row["median"] is None else duration(row["median"])


def _size(n: int) -> str:
    return f"10^{len(str(n)) - 1}" if n >= 10**5 else f"{n:,}"
