"""A strictly typed program of a user, for mypy and pyright. It is not run. The first part is from the README."""
# ruff: noqa: B018, E402
# fmt: off

import fastqueens

result = fastqueens.solve(1_000_000, seed=1)
result.queens                                         # the row of the queen in each column
fastqueens.is_solution(result.queens)                 # True

# A fixed queen in column 1, and a blocked square.
result = fastqueens.solve(8, fixed={1: 3}, blocked=[(0, 0)], seed=1)
result.queens[1]                                      # 3
fastqueens.count_solutions(8)                         # 92

fastqueens.sample(8, 100, seed=1).boards.shape        # (100, 8): a hundred random solutions

# Hill climbing with sideways moves.
run = fastqueens.climb(8, algorithm="sideways", seed=3)
run.solved, run.steps                                 # (True, 17)
run.plot().save("climb.png")

fastqueens.poster(1000, seed=1).save("poster.png")

# fmt: on
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from matplotlib.figure import Figure
from numpy.typing import NDArray


def cost(queens: NDArray[np.int32]) -> int:
    """Take boards as arrays of the usual type."""
    return fastqueens.attacking_pairs(queens) + fastqueens.heuristic_cost(queens.tolist())


def boards(sizes: NDArray[np.int64]) -> Iterator[NDArray[np.int32]]:
    """Pass numbers of NumPy as numbers, and lists as squares."""
    for number, n in enumerate(sizes):
        found = fastqueens.solve(n, seed=np.uint64(number), blocked=[[1, 3]], max_steps=np.int32(100))
        yield found.queens
        yield fastqueens.random_board(n, seed=n)
        yield from fastqueens.all_solutions(n, limit=n)


def answers(path: Path) -> dict[bool | None, int]:
    """Solve the instances of a file, and count the answers."""
    counts: dict[bool | None, int] = {}
    for answer in fastqueens.solve_instances(fastqueens.read_instances(path), seed=1, time_limit=np.float64(2)):
        counts[answer.solvable] = counts.get(answer.solvable, 0) + 1
        if answer.queens is not None:
            cost(answer.queens)
    return counts


def puzzles() -> list[fastqueens.Puzzle]:
    """Make puzzles, of which only unique ones have a number of nodes."""
    made = [fastqueens.puzzle(8, 2, seed=1, time_limit=5), *fastqueens.unique_puzzles(8, count=2, stop=stop)]
    return sorted(made, key=lambda puzzle: puzzle.nodes or 0)


def stop() -> bool:
    """Stop long calls."""
    return False


def write(folder: Path, instance: fastqueens.Instance) -> None:
    """Write a board, its trace and its picture."""
    best: fastqueens.Result = fastqueens.solve(instance, stop=stop, progress=print, trace="moves")
    fastqueens.write_board(folder / "board.npy", best.queens)
    if best.trace is not None:
        fastqueens.write_trace(folder / "trace.csv", best.trace, best.restarts)
    drawn: fastqueens.Picture = fastqueens.picture(best, marked=np.arange(3).tolist(), theme="dark", size=(4, 4.5))
    drawn.save(folder / "board.svg", dpi=200)
    fastqueens.picture(8, ax=Figure().subplots()).figure.suptitle(best.plot(size="84x60mm").caption)
    fastqueens.poster(best, size="A4").save(folder / "poster.pdf")
    fastqueens.animate(fastqueens.climb(board=[0, 0, 1, 2]), seconds=5).save(folder / "climb.gif")


def study(sizes: list[int]) -> list[float]:
    """Compare algorithms, and estimate numbers of solutions."""
    limits = fastqueens.Limits(restarts=None, max_steps=1000)
    found = fastqueens.study(sizes, ["steepest", "annealing"], runs=100, limits=limits, seed=1, time_limit=60)
    found.plot(what="success", ax=Figure().subplots())
    rows = found.to_rows()
    estimates = [fastqueens.estimate(n, seed=1, replicas=16) for n in sizes]
    return [row["success_rate"] for row in rows] + [estimate.log_count for estimate in estimates]


if __name__ == "__main__":
    try:
        pairs: list[int] = [cost(board) for board in boards(np.arange(4, 9))]
        print(pairs, answers(Path("instances.jsonl")), study([8]), fastqueens.make_instance(8, {np.int64(0): 1}).n)
        write(Path(), fastqueens.make_instance(8, fixed={0: 3}, excluded_sums=range(2)))
    except (fastqueens.InputError, fastqueens.NoSolutionError) as error:
        print(error)
