"""The options of the commands that make, check and count boards."""

from __future__ import annotations

import click

from fastqueens.cli import options, values
from fastqueens.cli.options import clash, command


@command(
    "boards",
    clash(without=["files", "--board"], message="Missing argument 'FILE'; without it, a --board is needed."),
    clash("files", "--board", message="FILE and --board: give one of them."),
    examples="fastqueens verify board.npy\nfastqueens verify -n 8 answers/*.txt\n"
    "fastqueens verify answer.txt --queens-file fixed.csv\n"
    'fastqueens verify --board "1 3 0 2"',
)
@click.argument("files", metavar="FILE...", nargs=-1, type=options.INPUT)
@options.number("-n N", "The number of queens: boards of another size are refused.")
@options.board_itself
@options.all_of(options.stated, options.rows_from, options.threads, options.as_json)
@options.option("-v --verbose", "Say what the content of FILE was read as.")
@options.quiet
def verify() -> None:
    """Check whether the board in FILE (- for stdin) is a solution, also of an instance.

    A file can hold several boards, and the command can check several files. It then prints a line for each board that
    is not a solution, or for each file. Of a wrong board, it names the first two queens that attack each other, from
    the left, and how many queens break each constraint.

    The exit code is 0 if all boards are solutions, 1 if one is not, and 2 if a file cannot be read.
    """


@command(
    "boards",
    examples="fastqueens random 8 --seed 1\nfastqueens random 1000 -o board.npy\n"
    "fastqueens random 8 -o - | fastqueens solve --file -",
)
@options.n
@options.number("--seed SEED", "Seed; the same seed repeats the board. Default: a random seed.")
@options.write("-o --output FILE", "Write the board: .npy .txt .csv .json, or - for text on stdout.")
@options.all_of(options.rows_from, options.origin, options.threads, options.quiet)
def random() -> None:
    """Make a random board of N queens (default: 8): each row is drawn independently.

    It is the first board of `fastqueens solve N --start random` with the same seed. Boards of fewer than 33 queens are
    drawn.
    """


@command("sampling", examples="fastqueens sample 8 --count 5\nfastqueens sample 1000 --count 200 -o samples.npz")
@options.n
@options.number("--count COUNT", "How many solutions to draw.", default="1")
@options.seed
@options.number(
    "--thinning SOLUTIONS",
    "Solutions that a chain visits from one sample to the next. Default: 16, and more for N above 262,144.",
)
@options.stated
@options.write(
    "-o --output FILE",
    "Write the boards: .npz, with the figures of the run, or .txt, with a line of rows for each. Default: such lines "
    "on stdout.",
)
@options.time_limit_of_command
@options.all_of(options.rows_from, options.threads, options.scheduler, options.as_json, options.quiet)
def sample() -> None:
    """Draw solutions of N queens nearly uniformly at random (default: 8 queens).

    Independent Markov chains move queens until they have forgotten where they began. The report tells how near the
    samples are to independent ones. To draw one large board, `fastqueens solve N --mix` is quicker.
    """


@command("sampling", examples="fastqueens estimate 27 --seconds 5\nfastqueens estimate 1000 --error 0.1 --json")
@options.n
@options.number("--seed SEED", "Seed; with --replicas it repeats an estimate. Default: a random seed.")
@options.number("--replicas COUNT", "Number of independent runs, at least 4. Default: a number that depends on N.")
@options.option(
    "--seconds --time-limit SECONDS",
    "Begin no further run if it would end after that time. At least 4 are made, which may take longer.",
    type=values.seconds,
)
@options.decimal("--error ERROR", "Stop at this standard error of ln Q.")
@options.stated
@options.all_of(options.rows_from, options.threads, options.scheduler, options.as_json, options.quiet)
def estimate() -> None:
    """Estimate the number Q of solutions for N queens (default: 8 queens), or of an instance.

    The standard error follows from how much independent runs of a Markov chain, the replicas, differ. --quiet prints
    only ln Q and its standard error.
    """


@command(
    "sampling",
    examples="fastqueens statistics board.npy --plot density.png\n"
    "fastqueens statistics samples.npz --symmetrise -o statistics.csv\n"
    "fastqueens sample 100 --count 50 -q | fastqueens statistics -",
)
@click.argument("file", type=options.INPUT)
@options.number("-k K", "Divide boards into K x K cells. Default: 32, or N on smaller boards.", name="cells")
@options.option("--symmetrise", "Average over the eight symmetries of the square.")
@options.number("--reach R", "Count pairs of queens up to R rows and columns apart. Default: 8, or N - 1 if less.")
@options.write("-o --output FILE", "Write all numbers: .npz or .csv.")
@options.write("--plot FILE", "Draw the statistics: .png .pdf .svg .jpg .webp.")
@options.all_of(options.theme, options.rows_from, options.as_json, options.quiet)
def statistics() -> None:
    """Compare how queens are spread with the limit shape, the density of random solutions on large boards.

    FILE (- for stdin) has one board or several, as `fastqueens sample` or other programs write them. They need not be
    solutions.

    The command prints the density at the corners, at the middles of the edges and in the centre, and how many of the
    longest diagonals have a queen. Chi-square per cell is about 1 or a little less if the density is that of random
    solutions, and larger otherwise. On small boards, random solutions themselves differ from their limit.
    """


@command(
    "puzzle",
    clash("--minimal", without=["--unique"], message="--minimal needs --unique."),
    clash("--many", without=["--unique"], message="--many needs --unique."),
    clash(
        "--minimal", "--queens", message="--minimal and --queens exclude each other: the number of queens comes out."
    ),
    examples="fastqueens puzzle 8 --queens 2 --solvable --seed 1\n"
    "fastqueens puzzle 20 -o fixed.csv -o puzzle.pdf\nfastqueens solve 20 --queens-file fixed.csv\n"
    "fastqueens puzzle 8 --unique --minimal -o puzzle.png\n"
    "fastqueens puzzle 12 --unique --many 1000 -o puzzles.jsonl",
)
@options.n
@options.number("--queens K", "Number of fixed queens. Default: a quarter of N; with --unique, as it comes out.")
@options.number("--seed SEED", "Seed; the same seed repeats the puzzle. Default: a random seed.")
@options.option("--solvable", "Take the fixed queens from a solution. Otherwise the puzzle may have no solution.")
@options.option("--unique", "Make puzzles with exactly one solution, for N up to 64.")
@options.option("--minimal", "With --unique: without any of the fixed queens there is a second solution.")
@options.number(
    "--many COUNT",
    "With --unique: make this number of puzzles and write them as lines of JSON, into -o FILE.jsonl or to stdout.",
)
@options.write(
    "-o --output FILE",
    "Write the fixed queens as lines COLUMN,ROW (.csv) or as an instance (.json .jsonl, from 0), or draw them "
    "(.png .pdf .svg .jpg .webp). May be repeated.",
    multiple=True,
)
@options.time_limit_of_command
@options.all_of(options.rows_from, options.origin, options.quiet)
def puzzle() -> None:
    """Make a completion puzzle: an N x N board (default: 8 x 8) with K queens, none of which attacks another.

    The task is to place the other N - K queens.
    """


@command("info", examples="fastqueens info --json")
@options.as_json
def info() -> None:
    """Show versions, cores, memory, and how much compiled code is stored and where.

    Include the output in bug reports.
    """


@command("info", examples="fastqueens warmup")
@options.quiet
def warmup() -> None:
    """Compile everything now, so that no later command has to.

    Otherwise each command compiles what it needs on its first use, which takes some seconds. Run this once after an
    installation, for example before a lesson.
    """
