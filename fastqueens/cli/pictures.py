"""Commands that draw: ``plot`` curves, ``poster`` boards, ``animate`` searches, and ``explore`` pages for a browser."""

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


@command("fastqueens plot trace.csv -o curves.png\nfastqueens plot first.npz second.npz --what pairs -o curves.pdf")
@click.argument("traces", metavar="TRACE...", nargs=-1, required=True, type=options.INPUT)
@group(
    "Picture",
    choice(
        "--what",
        ("both", "conflicting", "pairs"),
        "Curves to draw. Default: both for one trace, pairs for several.",
    ),
    options.axes,
    options.text("--title TEXT", "Text above a picture that is at least 3.5 inches wide."),
    options.size_of_plot("Width x height in inches, or with a unit (mm, cm, in): 84x60mm. Default: 8x4.5."),
    decimal("--dpi DPI", "Dots per inch. Default: 150."),
    options.theme,
)
@group(
    "Output",
    options.output("Write the picture to this file (.png .pdf .svg .jpg .webp).", required=True),
    options.quiet,
)
def plot(out: Output, traces: Sequence[str], picture: Values, output: Values) -> None:
    """Plot the numbers of conflicting queens and attacking pairs after each step of a search.

    `fastqueens solve --trace` writes the traces. Several traces share one picture. If there are more than six, the
    curves are faint, and their median is drawn on top. Ticks mark restarts.
    """
    from fastqueens.files.traces import read_trace_and_header
    from fastqueens.pictures.curves import SIZE, Run

    inputs.check_picture(output.path, picture.dpi, picture.size or SIZE, picture.title)
    if "-" in traces:
        raise click.UsageError("a trace cannot be read from standard input; name a .csv or .npz file")
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
    """Draw curves and write the picture; ``look`` goes to :func:`fastqueens.pictures.curves.conflict_curves`."""
    from fastqueens.pictures.curves import conflict_curves

    out.draw(lambda: conflict_curves(runs, **look), path, dpi)


@command(
    "fastqueens poster 1000 --seed 1 -o poster.png\nfastqueens poster board.npy --palette night --size 50x70cm -o p.pdf"
)
@group("Board", options.board_or_n, options.seed, options.sweeps("--mix [SWEEPS]"), options.rows_from)
@options.constraints
@group(
    "Look",
    choice("--style", STYLES, "Style of the drawing.", default="weave"),
    option(
        "--palette COLORS",
        f"{', '.join(PALETTES)}, or your own colours for the paper and one or two inks: white,navy,#f25f3a.",
        shell_complete=options.offering(PALETTES),
    ),
    option("--cmyk", "Write the PDF in CMYK colours for coated paper (FOGRA39)."),
    options.text("--title TEXT", 'Heading, with "\\n" for a new line. Default: the number of queens.'),
)
@group(
    "Paper",
    option(
        "--size SIZE",
        "A6 to A0, letter, legal, tabloid, or width x height with a unit (mm, cm, in): 24x36in.",
        default="A1",
        shell_complete=options.offering(PAPERS),
    ),
    choice("--orientation", ORIENTATIONS, "Orientation of the paper. Default: as in --size."),
    number("--dpi DPI", "Pixels per inch.", default="300"),
    option("--bleed LENGTH", "Extra margin on each side that is printed and cut off, usually 3mm.", default="0mm"),
    option("--crop-marks", "Print marks outside the bleed for cutting."),
)
@group(
    "Output",
    options.output("Write the poster to this file (.png .jpg .webp, or .pdf .svg as vector graphics).", required=True),
    options.threads,
    options.quiet,
)
def poster(out: Output, board: Values, constraints: Values, look: Values, paper: Values, output: Values) -> int:
    """Draw a board as a poster for printing.

    The board comes from a file (- for stdin), or it is solved for N queens or for --instance. Boards that are solved
    for N between 10,000 and 10 million, without constraints, are shuffled as with --mix.

    The style weave draws the two diagonals of each queen as threads in two inks. In a solution, no two queens share a
    thread. The style night draws queens as lights, and plain draws them on squares. Above 100,000 queens, both show
    the density instead. Attacks are red. Blocked squares, excluded diagonals and fixed queens are drawn if the squares
    are large enough.
    """
    from fastqueens.pictures.drawing import checked_look
    from fastqueens.pictures.saving import check_picture_suffix, check_pixels

    if not given("bleed"):
        refuse("{} requires a bleed; add --bleed 3mm", "crop_marks")
    inputs.check_picture(output.path)
    if check_picture_suffix(output.path) != ".pdf":
        refuse("{} applies to PDF posters; use -o FILE.pdf", "cmyk")
    if look.title is not None:
        look.title = look.title.replace("\\n", "\n")
    # These checks come before the board is solved, which can take long.
    is_vector = check_picture_suffix(output.path) in (".pdf", ".svg")
    checked = checked_look(**vars(look), **vars(paper), vector=is_vector, n=inputs.parse_n(board.source))
    check_pixels(output.path, *checked.paper.pixels)
    queens, result, instance = inputs.read_or_solve(out, board, constraints, threads=output.threads)
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
    # A time limit applies to the search only.
    look |= {"dpi": dpi, "vector": is_vector, "progress": out.progress, "stop": out.is_stopped}
    out.draw(lambda: fastqueens.poster(board, **look), path, dpi)


#: The named sizes of animations in pixels.
_FRAMES = {"square": (1080, 1080), "wide": (1920, 1080), "tall": (1080, 1920)}


def _size_of_frames(text: str) -> tuple[int, int]:
    """Return the width and height of a named size, or of a text such as 960x540. The library checks the range."""
    found = re.fullmatch(r"(?ai)\s*(\d{1,6})\s*x\s*(\d{1,6})\s*", text)
    if found:
        return int(found[1]), int(found[2])
    if text not in _FRAMES:
        raise click.BadParameter(f"{text!r} is not a size; write {', '.join(_FRAMES)}, or for example 960x540")
    return _FRAMES[text]


@command("fastqueens animate 200 --seed 1 -o film.webp\nfastqueens animate 8 --rule sideways --seed 1 -o climb.gif")
@group("Board", options.n, options.file, options.board, options.rows_from)
@group(
    "Search",
    choice(
        "--rule",
        ONE_QUEEN_RULES,
        f"Rule of the search: {', '.join(ONE_QUEEN_RULES)}.",
        default="min-conflicts",
        metavar="RULE",
    ),
    options.seed,
    number(
        "--restarts COUNT", "Restarts after the search is stuck. Default: as in climb; unlimited for min-conflicts."
    ),
)
@group(
    "Look",
    option(
        "--size SIZE",
        "Size in pixels: square (1080x1080), wide (1920x1080), tall (1080x1920), or for example 960x540.",
        default="square",
        type=_size_of_frames,
        shell_complete=options.offering(_FRAMES),
    ),
    choice("--theme", ("light", "dark"), "Colours for light or dark pages.", default="light"),
    decimal(
        "--seconds SECONDS",
        "Longest duration of all steps. If there are too many steps, only some are shown.",
        default="12",
    ),
    options.text("--title TEXT", "Text next to the board. Default: the name of the rule, or the number of queens."),
)
@group("Output", options.output("Write the animation to this file (.gif .webp .mp4).", required=True), options.quiet)
def animate(out: Output, board: Values, search: Values, look: Values, output: Values) -> None:
    """Draw an animation of a search on a board of N queens (default: 8, at most 1,000).

    The search starts from a random board or from your own board. Up to 30 queens move on a chessboard. Larger boards
    are drawn as a weave, in which lines with several queens are red, and half of the time is for the last tenth of the
    steps. A curve shows the number of attacking pairs. Writing .mp4 requires ffmpeg.
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
    option("--no-mix", "Do not shuffle. By default, solutions for N between 10,000 and 10 million are shuffled."),
    options.rows_from,
)
@options.constraints
@group(
    "Output",
    options.output("Write the page to this .html file, and do not open it."),
    option("--no-browser", "Write the page, and do not open the browser."),
    options.threads,
    options.quiet,
)
def explore(out: Output, board: Values, constraints: Values, output: Values) -> None:
    """Show a board in the browser, where you can pan and zoom.

    The board comes from a file (- for stdin), or it is solved for N queens or for --instance. The page also shows
    fixed queens, blocked squares and excluded diagonals. If the file is a trace with moves, the page replays the search
    step by step. `solve --trace moves.npz --moves` and `climb -o` write such traces.

    The page is a single file and works without a network. It is written to the current folder, for example as
    queens-1000000.html, and never replaces an existing file. A page holds up to 10 million queens. For larger boards,
    `show -o` and `poster` draw the density of the queens.
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
        out.warn(f"no browser was found; open {file_label(path)} in a browser")


def _search(out: Output, board: Values, constraints: Values) -> Shown:
    """Return the first board of a search and its moves."""
    from fastqueens.explorer.page import course_data
    from fastqueens.explorer.showing import Shown
    from fastqueens.files.traces import read_moves

    inputs.check_unsolved()
    out.reading(board.source)
    trace, restarts, moves = read_moves(board.source)
    queens = moves.first_boards[0]
    instance = inputs.instance_of(out, len(queens), constraints)
    return Shown(queens, instance, board.source, course=course_data(trace, restarts, moves))
