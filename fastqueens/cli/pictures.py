"""The commands that draw files: ``plot`` curves, ``poster`` a board, ``animate`` a climb, ``explore`` a page."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

import fastqueens
from fastqueens._run.text import counted
from fastqueens.classroom.rules import ONE_QUEEN_RULES, Limits
from fastqueens.cli import ExitCode, inputs, options
from fastqueens.cli.options import Values, choice, command, decimal, exclusive, given, group, number, option, refuse
from fastqueens.cli.output import Output, file_label
from fastqueens.pictures.palettes import PALETTES, STYLES
from fastqueens.pictures.paper import ORIENTATIONS, PAPERS

if TYPE_CHECKING:
    from fastqueens.board import Queens
    from fastqueens.explorer.showing import Shown
    from fastqueens.pictures.curves import Drawable


@command("fastqueens solve 1000 --start random --trace t.csv\nfastqueens plot t.csv -o curves.png")
@click.argument("traces", metavar="TRACE...", nargs=-1, required=True, type=options.INPUT)
@group(
    "Picture",
    choice(
        "--what",
        ("both", "conflicting", "pairs"),
        "Conflicting queens, attacking pairs, or both. Default: both, or pairs for several traces.",
    ),
    options.axes,
    options.text("--title TEXT", "Text above the curves, if they are at least 3.5 inches wide."),
    options.size_of_plot("Width x height in inches, or with mm, cm or in: 84x60mm for a column. Default: 8x4.5."),
    decimal("--dpi DPI", "Dots per inch. Default: 150."),
    options.theme,
)
@group("Output", options.output("Write the picture: .png .pdf .svg .jpg .webp.", required=True), options.quiet)
def plot(out: Output, traces: Sequence[str], picture: Values, output: Values) -> None:
    """Draw the number of conflicting queens and attacking pairs after each step, from files of `solve --trace`.

    Several traces are drawn in the same picture; more than six are drawn faintly, with their median. Ticks mark
    restarts.
    """
    from fastqueens.files.traces import read_trace_and_header
    from fastqueens.pictures.curves import Run

    inputs.check_picture(output.path)
    runs = []
    for path in traces:
        out.reading(path)
        trace, restarts, header = read_trace_and_header(path)
        label = os.path.splitext(click.format_filename(path, shorten=True))[0]
        runs.append(Run(trace, restarts, label, *header))
    draw_curves(out, runs, output.path, **vars(picture))
    steps = sum(len(run.trace.pairs) - 1 - len(run.restarts) for run in runs)
    out.wrote(output.path, f"{counted(steps, 'step')} of {counted(len(runs), 'run')}")


def draw_curves(
    out: Output,
    runs: Drawable | Sequence[Drawable],
    path: str,
    *,
    dpi: float | None = None,
    **look: Any,
) -> None:
    """Draw curves and write them; ``look`` goes to :func:`fastqueens.pictures.curves.conflict_curves`."""
    from fastqueens.pictures.curves import conflict_curves

    out.draw(lambda: conflict_curves(runs, **look), path, dpi)


@command(
    "fastqueens poster 1000 --seed 1 -o poster.png\nfastqueens poster board.npy --palette night --size 50x70cm -o p.pdf"
)
@group("Board", options.board_or_n, options.seed, options.sweeps("--mix [SWEEPS]"), options.rows_from)
@options.constraints
@group(
    "Look",
    choice("--style", STYLES, "How the board is drawn.", default="weave"),
    option(
        "--palette COLORS",
        f"{', '.join(PALETTES)}, or your own with commas, as names or codes: the paper and one or two inks.",
        shell_complete=options.offering(PALETTES),
    ),
    option("--cmyk", "Write the PDF in the colours of the press, for coated paper (FOGRA39)."),
    options.text("--title TEXT", 'The heading, with "\\n" for a new line. Default: the number of queens.'),
)
@group(
    "Paper",
    option(
        "--size SIZE",
        "A6 to A0, letter, legal, tabloid, or width x height with a unit (mm, cm, in): 24x36in.",
        default="A1",
        shell_complete=options.offering(PAPERS),
    ),
    choice("--orientation", ORIENTATIONS, "Default: as given by --size."),
    number("--dpi DPI", "Pixels per inch.", default="300"),
    option("--bleed LENGTH", "Extra width printed on each side, to be cut off; usually 3mm.", default="0mm"),
    option("--crop-marks", "Print lines outside the bleed that show where to cut."),
)
@group(
    "Output",
    options.output("Write the poster: .png .jpg .webp, or .pdf .svg as vector graphics.", required=True),
    options.threads,
    options.quiet,
)
def poster(out: Output, board: Values, constraints: Values, look: Values, paper: Values, output: Values) -> int:
    """Draw a board as a poster: one from a file (- for stdin), or one that is solved for N queens or for --instance.

    A weave draws the two diagonals of each queen as threads in two inks, printed over each other: on a solution, no two
    queens share a thread. Night draws queens as lights, and plain on squares; of more than 100,000 queens, both show
    the density. Attacks are red. If squares are large enough, blocked squares, excluded diagonals and fixed queens are
    drawn.

    A board that is solved for N from 10,000 to 10 million is mixed.
    """
    from fastqueens.pictures.palettes import palette_of
    from fastqueens.pictures.paper import paper as sheet_of
    from fastqueens.pictures.saving import check_picture_suffix, check_pixels

    if not given("bleed"):
        refuse("{} needs a bleed: add --bleed 3mm.", "crop_marks")
    inputs.check_picture(output.path)
    if check_picture_suffix(output.path) != ".pdf":
        refuse("{} is for a .pdf.", "cmyk")
    # Before a board is solved.
    check_pixels(output.path, *sheet_of(**vars(paper)).pixels)
    palette_of(look.palette, look.style)
    queens, result, instance = inputs.read_or_solve(out, board, constraints, threads=output.threads)
    if look.title is not None:
        look.title = look.title.replace("\\n", "\n")
    settings = {**vars(look), **vars(paper), "instance": instance}
    draw_poster(out, output.path, queens if result is None else result, **settings)
    if result is not None:
        verdict = "Solved" if result.solved else "Not solved"
        mixed = f", mixed for {counted(result.sweeps, 'sweep')}" if result.sweeps else ""
        out.say(f"{verdict}: {counted(result.n, 'queen')}, seed {result.seed}{mixed}.")
    out.wrote(output.path)
    return ExitCode.SOLVED if result is None or result.solved else ExitCode.NOT_SOLVED


def draw_poster(out: Output, path: str, board: Queens | fastqueens.Result, *, dpi: int = 300, **look: Any) -> None:
    """Draw a board as a poster and write it; ``look`` goes to :func:`fastqueens.poster`."""
    from fastqueens.pictures.saving import check_picture_suffix

    is_vector = check_picture_suffix(path) in (".pdf", ".svg")
    # A time limit is for the search.
    look |= {"dpi": dpi, "vector": is_vector, "progress": out.progress, "stop": out.is_stopped}
    out.draw(lambda: fastqueens.poster(board, **look), path, dpi)


#: The sizes of animations by name, in pixels.
_FRAMES = {"square": (1080, 1080), "wide": (1920, 1080), "tall": (1080, 1920)}


def _size_of_frames(text: str) -> tuple[int, int]:
    """Parse the name of a size, or a width and a height; the library checks the range."""
    found = re.fullmatch(r"(?ai)\s*(\d{1,6})\s*x\s*(\d{1,6})\s*", text)
    if found:
        return int(found[1]), int(found[2])
    if text not in _FRAMES:
        raise click.BadParameter(f"{text!r} is not a size; write {', '.join(_FRAMES)}, or 960x540.")
    return _FRAMES[text]


@command("fastqueens animate 200 --seed 1 -o film.webp\nfastqueens animate 8 --rule sideways --seed 1 -o climb.gif")
@group("Board", options.n, options.file, options.board, options.rows_from)
@group(
    "Search",
    choice("--rule", ONE_QUEEN_RULES, f"One of {', '.join(ONE_QUEEN_RULES)}.", default="min-conflicts", metavar="RULE"),
    options.seed,
    number("--restarts TIMES", "How often a stuck run may restart. Default: 0; for min-conflicts: no limit."),
)
@group(
    "Look",
    option(
        "--size SIZE",
        "In pixels: square (1080x1080), wide (1920x1080), tall (1080x1920), or for example 960x540.",
        default="square",
        type=_size_of_frames,
        shell_complete=options.offering(_FRAMES),
    ),
    choice("--theme", ("light", "dark"), "Colours, for a light or a dark page.", default="light"),
    decimal("--seconds SECONDS", "Maximum duration of the steps; of more steps, only some are shown.", default="12"),
    options.text("--title TEXT", "Text next to the board. Default: the name of the rule, or the number of queens."),
)
@group("Output", options.output("Write the animation: .gif, .webp or .mp4.", required=True), options.quiet)
def animate(out: Output, board: Values, search: Values, look: Values, output: Values) -> None:
    """Animate hill climbing from a random board of N queens (default: 8, at most 1,000), or from your own board.

    Up to 30 queens move on a chessboard. More are drawn as a weave, on which lines of several queens are red, until
    none is left; half of the time is for the last tenth of the steps. A curve shows the number of attacking pairs.
    ffmpeg has to be installed for .mp4.
    """
    from fastqueens.pictures.animation import check_animation_file

    check_animation_file(output.path)
    start = inputs.board_given(out, board)
    n = inputs.n_or_default(board.n) if start is None else len(start)
    is_until_solved = search.restarts is None and search.rule == "min-conflicts" and start is None
    limits = Limits(restarts=None if is_until_solved else "auto" if search.restarts is None else search.restarts)
    how = {"board": start, "rule": search.rule, "limits": limits, "seed": search.seed}
    animation = fastqueens.animate(n, **how, **vars(look), **out.callbacks)
    out.writing(output.path)
    animation.save(output.path)
    climb = animation.climb
    restarts = f" and {counted(len(climb.restarts), 'restart')}" if climb.restarts else ""
    verdict = "solved" if climb.solved else f"{counted(climb.cost, 'attacking pair')} left"
    steps = f"{counted(climb.steps, 'step')}{restarts}"
    out.say(f"{counted(climb.n, 'queen')} by {climb.rule}, seed {climb.seed}: {verdict} after {steps}.")
    width, height = animation.size
    frames = f"{animation.seconds:.1f} s, {counted(len(animation.frames), 'frame')} of {width} x {height} pixels"
    out.wrote(output.path, frames)


@command("fastqueens explore 1000000\nfastqueens explore board.npy -o board.html")
@group(
    "Board",
    options.board_or_n,
    options.seed,
    options.sweeps("--mix [SWEEPS]"),
    option("--no-mix", "Do not mix. By default, boards that are solved for N from 10,000 to 10 million are mixed."),
    options.rows_from,
)
@options.constraints
@group(
    "Output",
    options.output("Write the page to this .html file, without opening it."),
    option("--no-browser", "Write the page without opening the browser."),
    options.threads,
    options.quiet,
)
def explore(out: Output, board: Values, constraints: Values, output: Values) -> None:
    """Show a board in the browser, where you can pan and zoom.

    The board comes from a file (- for stdin), or is solved for N queens or for the instance. Fixed queens, blocked
    squares and excluded diagonals are drawn. A trace with moves is played step by step; `solve --trace moves.npz
    --moves` and `climb -o` write one.

    The page is one file, which needs no network. It is written into the current folder, for example as
    queens-1000000.html, but never over an existing file. It holds up to 10 million queens; for larger boards, show -o
    and poster draw how densely the queens stand.
    """
    from fastqueens.explorer import showing
    from fastqueens.explorer.page import check_fits_inside

    exclusive("mix", "no_mix")
    path, source = output.path, board.source
    check_fits_inside(inputs.parse_n(source) or 0)
    if path is None:
        showing.check_folder()
    else:
        inputs.check_output(path, showing.PAGE_SUFFIXES)
    if board.no_mix:
        board.mix = 0
    if source is not None and os.path.splitext(source)[1].lower() == ".npz":
        shown = _search(out, board, constraints)
    else:
        queens, result, instance = inputs.read_or_solve(out, board, constraints, threads=output.threads)
        shown = showing.Shown(queens, instance, source)
        if result is not None:
            shown = showing.Shown(queens, instance, seed=result.seed, sweeps=result.sweeps)
    out.writing(path or "a page")
    if path is None:
        path = showing.write_new_page(shown)
    else:
        showing.write_page(path, shown)
    out.wrote(path, shown.words)
    if output.path is None and not output.no_browser and not showing.open_page(path):
        out.warn(f"no browser was found; open {file_label(path)} in one")


def _search(out: Output, board: Values, constraints: Values) -> Shown:
    """Return the first board of a search and its course."""
    from fastqueens.explorer.page import course_data
    from fastqueens.explorer.showing import Shown
    from fastqueens.files.traces import read_moves

    inputs.check_unsolved(board)
    out.reading(board.source)
    trace, restarts, moves = read_moves(board.source)
    queens = moves.first_boards[0]
    instance = inputs.instance_of(out, len(queens), constraints)
    return Shown(queens, instance, board.source, course=course_data(trace, restarts, moves))
