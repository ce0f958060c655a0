"""The options of the commands that draw boards and searches, and of hill climbing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from fastqueens._run.arguments import ALL_RULES, SCALES
from fastqueens.classroom.rules import COOL_AFTER, MOVES, ONE_QUEEN_RULES, RULES, SCHEDULES, USUAL_RULES
from fastqueens.cli import options, values
from fastqueens.cli.options import clash, command
from fastqueens.pictures.paper import ORIENTATIONS, PAPERS
from fastqueens.pictures.themes import STYLES

#: The options of rules, by the fields of :class:`fastqueens.Limits`.
_OF_LIMITS = {
    "sideways": options.number(
        "--sideways-limit MOVES",
        "How many moves in a row may keep the number of attacking pairs; in a beam, generations in a row without a "
        "lower one. Default: 100.",
        name="sideways",
    ),
    "restarts": options.number(
        "--restarts TIMES",
        "How often a stuck run may restart from a new random board. Default: 0; no limit for restart and "
        "restart-sideways; --tries for random-sampling. Systematic searches do not restart.",
    ),
    "temperature": options.decimal(
        "--temperature T",
        "Initial temperature of annealing; of beams and genetic, boards have the weight exp(-h/T). Default: 1.",
    ),
    "cooling": options.decimal("--cooling FACTOR", "Factor from one temperature to the next. Default: 0.95."),
    "schedule": options.choice("--schedule", SCHEDULES, "How annealing cools. Default: geometric."),
    "cool_after": options.choice("--cool-after", COOL_AFTER, "Proposals at each temperature. Default: n^2."),
    "tries": options.number(
        "--tries COUNT",
        "Draws in a row after which first-choice is stuck, boards of random-walk and random-sampling, or generations "
        "without a lower cost after which genetic is stuck. Default: enough that first-choice misses a good move with "
        "less than 1 % probability; 10 n^2; 500.",
    ),
    "beam": options.number("--beam K", "Boards of a beam. Default: 10."),
    "population": options.number("--population COUNT", "Boards of the genetic algorithm. Default: 50."),
    "mutation": options.decimal("--mutation P", "How likely a child mutates. Default: 0.8."),
    "max_steps": options.number("--max-steps STEPS", "End a run after this number of steps."),
    "max_evaluations": options.number(
        "--max-evaluations COUNT",
        "End a run when this number of boards is evaluated, at least 1; a step that would evaluate more is not made.",
    ),
    "time_limit": options.time_limit("End a run after this time."),
}

_MOVES = options.choice(
    "--moves", list(MOVES), "; ".join(f"{kind}: {what}" for kind, what in MOVES.items()) + ".", default="column"
)

#: Options that the assignment with a static point does not have.
_OF_RULES = (
    *(f"--{name.replace('_', '-')}" for name in _OF_LIMITS if name not in ("sideways", "restarts")),
    "--sideways-limit", "--rule", "--runs", "--moves", "--show", "--json", "--plot", "-o",
)  # fmt: skip

#: Without a picture, the options about it change nothing; the logarithmic schedule has no factor.
_OF_STUDIES = (
    clash(("--theme", "--what", "--scale"), without=["--plot"], message="{} is for the picture of --plot FILE."),
    clash("--cooling", "--schedule logarithmic", why="this schedule has no factor."),
)


def _rules(names: str, usual: str, **settings: Any) -> Callable[..., Any]:
    return options.option(
        names,
        f"Some of {', '.join(RULES)}, separated by commas; or all. Default: {usual}.",
        name="rules",
        type=values.rules,
        shell_complete=options.offering((*RULES, ALL_RULES)),
        **settings,
    )


@command(
    "boards",
    clash(
        without=["file", "--board", *options.PARTS],
        message="Missing argument 'FILE'; without it, an --instance FILE or a --board is needed.",
    ),
    clash("file", "--board", message="FILE and --board: give one of them."),
    clash("--pick", without=["file", "--board"], message="--pick chooses one of several boards: give FILE or --board."),
    clash(
        ("--mark", "--move-costs"),
        without=["file", "--board"],
        message="--mark and --move-costs need a board: give its FILE.",
    ),
    clash(
        "--move-costs", options.PARTS, message="--move-costs shows no instance: leave out the options that state one."
    ),
    clash(("--mark", "--title", "--dpi", "--theme"), without=["-o"], message="{} needs a picture: add -o FILE."),
    clash("--mark", "--move-costs"),
    examples="fastqueens show board.txt --origin lower\nfastqueens show board.txt -o board.png\n"
    "fastqueens show --instance puzzle.json -o puzzle.pdf",
)
@click.argument("file", metavar="[FILE]", required=False, type=options.INPUT)
@options.board_itself
@options.number("--pick K", "Draw only board K, from 1, of several.")
@options.all_of(options.stated, options.rows_from, options.origin)
@options.option(
    "--move-costs",
    "Show on each square how many attacking pairs there are after the queen of its column moves there. Q marks the "
    "queens, * the best moves.",
)
@options.write(
    "-o --output FILE",
    "Draw a picture (.png .pdf .svg) instead of text: single queens up to N = 50,000, and their density on larger "
    "boards. With --move-costs, N is at most 40.",
)
@options.option(
    "--mark COLUMN",
    "Mark the queen of this column, from 0 on, in the picture. May be repeated.",
    type=values.whole_number,
    multiple=True,
)
@options.option("--title TEXT", "Text above the picture.", type=values.utf8_text)
@options.number("--dpi DOTS", "Dots per inch of the picture, from 20 to 1200.")
@options.all_of(options.theme, options.threads, options.quiet)
def show() -> None:
    """Draw the board in FILE (- for stdin) and count its conflicts.

    FILE may also be of another program, and may have several boards. A terminal shows the first 10.

    Options that state an instance add its fixed queens, blocked squares and excluded diagonals to the drawing. Without
    FILE, the instance is drawn without its solution. Below the text, a line explains the marks.
    """


@command("pictures", examples="fastqueens solve 1000 --start random --trace t.csv\nfastqueens plot t.csv -o curves.png")
@click.argument("traces", metavar="TRACE...", nargs=-1, required=True, type=options.INPUT)
@options.needed_file("Write the picture: .png .pdf .svg .jpg .webp.")
@options.choice(
    "--what",
    ("both", "conflicting", "pairs"),
    "Conflicting queens, attacking pairs, or both. Default: both, or pairs for several traces.",
)
@options.scale
@options.option("--title TEXT", "Text above the curves.", type=values.utf8_text)
@options.option(
    "--size WxH",
    "Size in inches. Default: 8x4.5.",
    type=values.size(float, "inches", "8x4.5"),
)
@options.decimal("--dpi DPI", "Dots per inch. Default: 150.")
@options.all_of(options.theme, options.quiet)
def plot() -> None:
    """Draw the number of conflicting queens and attacking pairs after each step, from files of `solve --trace`.

    Several traces are drawn in the same picture. Bands mark plateaus,
    where the number of attacking pairs stays the same for at least 5 steps; ticks mark restarts.
    """


@command(
    "pictures",
    options.A_BOARD_OR_AN_INSTANCE,
    clash("--crop-marks", without=["--bleed"], message="--crop-marks needs a bleed: add --bleed 3mm."),
    examples="fastqueens poster 1000 --seed 1 -o poster.png\n"
    "fastqueens poster board.npy --style modern --size 50x70cm -o p.pdf",
)
@options.board_or_n
@options.needed_file("Write the poster: .png .jpg .webp, or .pdf .svg as vector graphics.")
@options.option(
    "--size SIZE",
    "A6 to A0, letter, legal, tabloid, or width x height with a unit (mm, cm, in): 24x36in.",
    default="A1",
    shell_complete=options.offering(PAPERS),
)
@options.number("--dpi DPI", "Pixels per inch.", default="300")
@options.choice("--style", [*STYLES], "How the board is drawn.", default="classic")
@options.option(
    "--title TEXT", 'The heading, with "\\n" for a new line. Default: the number of queens.', type=values.utf8_text
)
@options.option("--caption/--no-caption", "Write seed and steps in small print.", default=False)
@options.choice("--orientation", ORIENTATIONS, "Default: as given by --size.")
@options.option(
    "--margin LENGTH",
    "Empty space at the edges of the sheet, for example 20mm. Default: a twelfth of the shorter side.",
)
@options.option("--bleed LENGTH", "Extra width printed on each side, to be cut off; usually 3mm.", default="0mm")
@options.option("--crop-marks", "Print lines outside the bleed that show where to cut.")
@options.option("--color COLOR", "Draw everything in this colour and its tints: navy, #1b3a5c.")
@options.option(
    "--background COLOR", "The colour of the paper; the colour of the rest is chosen to fit, and the other way round."
)
@options.all_of(
    options.seed_of_solving, options.mix, options.stated, options.rows_from, options.threads_of_solving, options.quiet
)
def poster() -> None:
    """Draw a board as a poster: one from a file (- for stdin), or one that is solved for N queens.

    A line below the title says whether queens attack each other, and how many pairs of them.

    If squares are large enough, blocked squares, excluded diagonals and fixed queens are drawn, too. With --instance,
    the argument may be left out: the instance is solved.

    Up to 100,000 queens are drawn one by one; for more, the poster shows their density. A board that is solved for N
    from 10,000 to 10 million is mixed.
    """


@command(
    "explore",
    options.A_BOARD_OR_AN_INSTANCE,
    clash("-o", "--no-browser", message="-o writes the page and opens no browser: leave out --no-browser."),
    clash("--mix", "--no-mix"),
    examples="fastqueens explore 1000000\nfastqueens explore board.npy -o board.html",
)
@options.board_or_n
@options.write("-o --output FILE", "Write the page to this .html file, without opening it.")
@options.option("--no-browser", "Write the page without opening the browser.")
@options.option("--no-mix", "Do not mix. By default, boards that are solved for N from 10,000 to 10 million are mixed.")
@options.all_of(
    options.seed_of_solving, options.mix, options.stated, options.rows_from, options.threads_of_solving, options.quiet
)
def explore() -> None:
    """Show a board in the browser, where you can pan and zoom.

    The board comes from a file (- for stdin), or is solved for N queens or for the instance. Fixed queens, blocked
    squares and excluded diagonals are drawn, too. A trace with moves is played step by step; `solve --trace moves.npz
    --moves` and `climb -o` write one.

    The page is one file, which needs no network. It is written into the current folder, for example as
    queens-1000000.html, but never over an existing file. It holds up to 10 million queens; for larger boards, show -o
    and poster draw how densely the queens stand.
    """


@command(
    "classroom",
    *_OF_STUDIES,
    clash("--show", "--json", message="--show and --json both write to stdout: give one of them."),
    clash("--static-point", _OF_RULES, why="{1} cannot be used in this assignment."),
    clash(
        "--static-point",
        "--restarts",
        ("--file", "--board"),
        message="--static-point with --restarts starts from random boards: leave out --file and --board.",
    ),
    clash(
        "--static-point",
        "--restarts",
        "--seed",
        message="--static-point with --restarts and --seed: the assignment sets its seed to 1.",
    ),
    examples="fastqueens climb --show\nfastqueens climb 8 --rule all --runs 10 --seed 1\n"
    "fastqueens climb 8 --rule sideways --seed 3 -o climb.npz\n"
    'fastqueens climb --static-point 0,0 --board "0 7 3 4 7 1 2 2"',
)
@options.n
@_rules("--rule --rules LIST", "steepest")
@options.all_of(options.file, options.board, options.rows_from)
@options.number("--runs COUNT", "Number of runs of each rule. Default: 3, or 1 with -o.")
@options.seed_of_runs
@options.all_of(_MOVES, *_OF_LIMITS.values())
@options.write("-o --output FILE", "Write the moves of a single run to an .npz trace, which explore plays.")
@options.write("--plot FILE", "Draw the cost against the steps of the first run of each rule: .png .pdf .svg.")
@options.choice("--scale", SCALES, "Linear or logarithmic axes.", default="linear")
@options.theme
@options.option("--show", "Draw every board of every run.")
@options.option(
    "--static-point COL,ROW",
    "Run another kind of hill climbing, from an assignment: the queen on the square COL,ROW, both from 0, never moves. "
    "Each step moves one other queen up or down by one square, and f counts the attacked queens. Only N, --file, "
    "--board, --seed and --restarts can be added; --restarts is the number of boards to start from.",
    type=values.square,
)
@options.all_of(options.as_json, options.quiet, options.origin)
def climb() -> None:
    """Run hill climbing from random boards of N queens (default: 8), or from your own board.

    The rules lower the number of attacking pairs, which courses call the cost, h or the H value of a board. --show
    prints it as H value. All rules start from the same boards. A run ends when the board is solved or the rule is
    stuck. The exit code is 0 if all runs are solved, otherwise 1.
    """


@command("classroom", examples="fastqueens descend starts.txt -o states.txt")
@click.argument("source", metavar="INPUT", type=options.INPUT)
@options.write("-o --output OUTPUT", "Write to this file instead of stdout.")
@options.quiet
def descend() -> None:
    """Move the queen that attacks most to the row where it attacks fewest, until the board is solved or stuck.

    Each line of INPUT (- for stdin) is a starting board: the row of the queen in each column, counted from 1, separated
    by blanks. For each of them, the output has every board from the start on, then Success or Failure. A blank line
    separates the results of two starting boards.

    If several queens attack most, the command moves the leftmost of them that can attack fewer queens from another row.
    If several rows are equally good, it takes the smallest. If none of these queens can attack fewer, the result is
    Failure. The exit code is 0 in both cases.
    """


@command(
    "classroom",
    *_OF_STUDIES,
    examples="fastqueens study --runs 100000\n"
    "fastqueens study 4..20 --rules steepest,sideways -o s.csv --plot s.png\n"
    "fastqueens study 50 --scheduler 127.0.0.1:8786",
)
@options.several_n
@_rules("--rules --rule LIST", ", ".join(USUAL_RULES), default=",".join(USUAL_RULES), show_default=False)
@options.number("--runs COUNT", "Number of runs of each rule on each board size.", default="10000")
@options.seed_of_runs
@options.all_of(_MOVES, *_OF_LIMITS.values())
@options.all_of(options.threads, options.scheduler)
@options.write("-o --output FILE", "Write the results: .csv, or .json, which also contains the histograms.")
@options.write("--runs-file FILE", "Write a .csv file with a line for each run, each timed by itself.")
@options.write(
    "--plot FILE",
    "Draw success, evaluations and seconds against N, and histograms of the steps: .png .pdf .svg. Each of the four "
    "pictures has 8 x 5 cm.",
)
@options.choice("--what", ("all", "success", "evaluations", "seconds", "steps"), "What --plot draws.", default="all")
@options.all_of(options.theme, options.as_json, options.quiet)
def study() -> None:
    """Run hill climbing many times by different rules; compare how often they solve the board and in how many steps.

    N is a board size, or several, as in 4..20 or 8,16. By default it is 8. The rules restart and restart-sideways do
    the same as steepest and sideways, but restart from a new board when they are stuck; with --restarts, all rules but
    systematic searches do. All rules start from the same random boards. To see one of the runs, use its seed:
    `fastqueens climb 8 --rule steepest --runs 1 --seed 5 --show`.
    """


@command("pictures", examples="fastqueens animate 8 --rule sideways --seed 1 -o climb.gif")
@options.all_of(options.n, options.file, options.board, options.stated, options.rows_from)
@options.choice(
    "--rule", ONE_QUEEN_RULES, f"One of {', '.join(ONE_QUEEN_RULES)}.", default="min-conflicts", metavar="RULE"
)
@options.seed
@options.number(
    "--restarts TIMES",
    "How often a stuck run may restart from a new random board. Default: 0; no limit for min-conflicts without --file "
    "and --board.",
)
@options.needed_file("Write the animation: .gif or .webp.")
@options.option("--size WxH", "Size in pixels.", type=values.size(int, "pixels", "960x540"), default="960x540")
@options.choice("--theme", ("light", "dark"), "Colours, for a light or a dark page.", default="light")
@options.decimal(
    "--seconds SECONDS", "Maximum duration. If there are too many steps for it, only some are shown.", default="12"
)
@options.option("--title TEXT", "Text next to the board. Default: the name of the rule.", type=values.utf8_text)
@options.all_of(options.quiet, options.origin)
def animate() -> None:
    """Animate hill climbing from a random board of N queens (default: 8, at most 40), or from your own board.

    A curve next to the board shows the number of attacking pairs. An instance is drawn under the
    queens, but hill climbing does not respect it.
    """
