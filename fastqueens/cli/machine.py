"""Commands about this machine: ``runtimes`` and ``info``."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import fastqueens
from fastqueens._run.arguments import STARTS
from fastqueens._run.text import counted
from fastqueens.cli import ExitCode, inputs, options
from fastqueens.cli.options import Values, choice, command, group, write
from fastqueens.cli.output import Output
from fastqueens.errors import NotEnoughMemoryError, printable

if TYPE_CHECKING:
    from fastqueens.runtimes import RunTimes

#: The default sizes, which are those in the table of the term project without 300,000.
_SIZES = (10, 100, 1000, 10_000, 100_000, 1_000_000)

_LEGEND = """
Generation is the time to allocate the board and to place the queens.
Search is the time to move queens until none attacks another.
Neither includes loading, compiling or checking the solution. The first run on
each size is repeated, and only the repetition counts."""

_LIBRARIES = ("numpy", "numba", "matplotlib", "pillow", "pypdf", "psutil", "click", "rich", "dask")


@command("fastqueens runtimes --plot times.png\nfastqueens runtimes 10,1e3,1e5,3e5,1e6 --start uniform -o times.csv")
@group(
    "Runs",
    options.several_n,
    options.seeds("Solve once for each of these seeds, for example 1..100 or 1,5,9.", default="1..5"),
    options.time_limit_of_command,
)
@group(
    "Search",
    choice("--start", STARTS, "How boards are generated. uniform is the usual greedy placement.", default="windowed"),
    options.max_steps,
    options.threads,
)
@group(
    "Output",
    options.output("Write the table, with the fastest and the slowest times, to this .csv file."),
    write("--plot FILE", "Plot both times against N (.png .pdf .svg .jpg .webp)."),
    options.axes,
    options.theme,
    options.as_json,
    options.quiet,
)
def runtimes(out: Output, runs: Values, search: Values, output: Values) -> int:
    """Measure the times of board generation and search, and print a table with a line for each N.

    N is a board size, or several, as in 10,1e3,1e5 or 4..20. The default sizes are 10, 100, 1,000 and so on up to a
    million. The times, the steps and the attacking pairs of the first board are medians over all --seeds. The table
    does not include loading and compiling, because the first run on each size does not count.
    """
    import csv

    from fastqueens._run.threads import all_cores
    from fastqueens.board import check_n, check_solvable
    from fastqueens.files.atomic import atomic_write
    from fastqueens.files.headers import columns_of, header_of
    from fastqueens.runtimes import run_times

    sizes, seeds, start = list(dict.fromkeys(runs.n or _SIZES)), runs.seeds, search.start
    stop = out.limit(runs.time_limit)
    inputs.check_output(output.path, (".csv",))
    inputs.check_picture(output.plot)
    for size in sizes:
        check_solvable(check_n(size))
    rows: list[RunTimes] = []
    too_large: NotEnoughMemoryError | None = None

    def measured() -> Iterator[RunTimes]:
        for done, size in enumerate(sizes):
            out.progress("run times", done, len(sizes))
            rows.append(run_times(size, seeds, stop=stop, **vars(search)))
            yield rows[-1]

    try:
        deque(out.each(measured()), maxlen=0)
    except NotEnoughMemoryError as error:
        if not rows:
            raise
        too_large = error
    options = {"start": start, "max_steps": search.max_steps, "threads": search.threads or all_cores()}
    header = header_of(sizes, None, {**options, "time_limit": runs.time_limit}, seeds=seeds)
    if out.as_json:
        out.json({**header, "rows": [row.as_dict() for row in rows]})
    made = f"{counted(len(seeds), 'run')} ({_span(seeds)})"
    steps = "" if search.max_steps is None else f" of at most {counted(search.max_steps, 'step')}"
    where = f"{counted(options['threads'], 'thread')}, version {fastqueens.__version__}"
    text = f"Run times from a {start} start: medians of {made}{steps}; {where}."
    text += f"\n\n{_table(rows, out.width)}\n{_LEGEND}"
    if out.as_json or output.path is not None or output.plot is not None:
        out.say(text)
    else:
        out.result(text)
    if output.path is not None:
        with atomic_write(output.path, "w") as file:
            lines = [{**row.as_dict(), **columns_of({**header, "n": row.n})} for row in rows]
            writer = csv.DictWriter(file, list(lines[0]), lineterminator="\n")
            writer.writeheader()
            writer.writerows(lines)
        out.wrote(output.path)
    out.say_partial(f"{len(rows)} of {counted(len(sizes), 'size')}")
    if output.plot is not None:
        from fastqueens.pictures.studies import run_times_picture

        look = {"axes": output.axes, "theme": output.theme}
        facts = f"{start} start · {counted(len(seeds), 'run')} for each n, {_span(seeds)}"
        out.draw(lambda: run_times_picture(rows, facts=facts, **look), output.plot)
        out.wrote(output.plot, err=True)
    if too_large is not None:
        raise too_large
    return ExitCode.SOLVED if all(row.solved == row.runs for row in rows) else ExitCode.NOT_SOLVED


def _span(seeds: list[int]) -> str:
    """Return seeds as text, with consecutive seeds as a range."""
    if len(seeds) == 1:
        return f"seed {seeds[0]}"
    is_range = seeds == list(range(seeds[0], seeds[0] + len(seeds)))
    return f"seeds {seeds[0]} to {seeds[-1]}" if is_range else f"seeds {', '.join(map(str, seeds))}"


def _table(rows: list[RunTimes], width: int | None) -> str:
    from fastqueens._run.tables import Table

    cells = [
        [
            f"{row.n:,}",
            *(f"{time.median:.6f}" for time in (row.board_generation, row.search)),
            *(f"{count.median:,.1f}".removesuffix(".0") for count in (row.steps, row.initial_pairs)),
            f"{row.solved} of {row.runs}",
        ]
        for row in rows
    ]
    headings = [
        ("", "generation", "search", "", "initial", ""),
        ("n", "seconds", "seconds", "steps", "pairs", "solved"),
    ]
    return Table(headings, {"": cells}).text(width)


@command("fastqueens info\nfastqueens info --json")
@options.as_json
def info(out: Output) -> None:
    """Show versions, cores, memory and the origin of the compiled code.

    Please include the output in bug reports.
    """
    import platform
    from importlib import metadata

    from fastqueens._run.memory import available_memory
    from fastqueens._run.threads import all_cores, checked_threads

    out.progress("looking")
    libraries: dict[str, str] = {}
    for name in _LIBRARIES:
        with suppress(metadata.PackageNotFoundError):
            libraries[name] = metadata.version(name)
    found: dict[str, Any] = {
        "fastqueens": fastqueens.__version__,
        "folder": str(Path(__file__).parents[1]),
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.machine()}",
        "libraries": libraries,
        "cores": all_cores(),
        "threads": checked_threads(None),
        "available_memory": available_memory(),
        "kernels": dict(zip(("origin", "detail"), _origin(), strict=True)),
    }
    if out.as_json:
        out.json(found)
        return
    memory, is_limited = found["available_memory"], found["threads"] != found["cores"]
    lines = {
        "fastqueens": f"{found['fastqueens']}, in {found['folder']}",
        "Python": f"{found['python']}, {found['system']}",
        "libraries": ", ".join(f"{name} {version}" for name, version in libraries.items()),
        "cores": str(found["cores"]) + is_limited * f" (FASTQUEENS_THREADS is {found['threads']})",
        "memory": "unknown" if memory is None else f"{memory / 2**30:.1f} GiB available",
        "kernels": found["kernels"]["origin"],
        "": found["kernels"]["detail"],
    }
    out.say(*(f"{heading:12}{printable(line)}" for heading, line in lines.items()))


def _origin() -> tuple[str, str]:
    """Return what runs the kernels, and where it is or why it is used."""
    from fastqueens._jit import library

    if library.uses_numba():
        name = "FASTQUEENS_CHECKED" if library.IS_CHECKED else "FASTQUEENS_BACK_END"
        return "numba", f"because of the environment variable {name}"
    level, _ = library.of_package()
    if level:
        return f"the library for {level} that came with the package", f"in {library.FOLDER}"
    try:
        from fastqueens._jit import cache, numba_back_end, objects

        numba_back_end.check_enabled()
    except ImportError as error:
        return "nothing", f"because numba cannot compile: {error}"
    if not objects.linker():
        return "numba", "because there is no C compiler"
    folder, compiler = library.cache_folder(), objects.linker()[0]
    if not cache.own_folder():
        return f"libraries that each process links with {compiler}", f"because {folder} is not writable"
    from fastqueens.kernels import all_kernels

    ready = [kernel.is_ready() for kernel in all_kernels()]
    return f"libraries linked with {compiler} on first use", f"in {folder}: {sum(ready)} of {len(ready)} kernels"
