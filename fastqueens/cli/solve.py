"""The options of `fastqueens solve` and `fastqueens runtimes`; ``solving`` and ``runtimes`` do their work."""

from __future__ import annotations

from fastqueens._run.arguments import METHODS, SCALES, STARTS
from fastqueens.cli import options
from fastqueens.cli.options import PARTS, clash, command

#: Options that look at all solutions, and those that have no meaning then.
_ENUMERATIONS = ("--count", "--unique", "--all")
_OF_ONE_SOLUTION = (
    "--file", "--board", "--seed", "--seeds", "--max-steps", "--restarts", "--max-nodes", "--mix", "--method", "--plot",
    "--poster", "--trace",
)  # fmt: skip

#: Options that have no meaning for several instances.
_OF_ONE_INSTANCE = (
    "n", "--n", "--file", "--board", *PARTS, "--seeds", *_ENUMERATIONS, "--mix", "--trace", "--plot", "--poster",
    "--rows-from", "--origin", "--force", "--json", "--checkpoint",
)  # fmt: skip


@command(
    "solving",
    clash("--instances", _OF_ONE_INSTANCE, why="{0} answers many instances, each as a line of JSON."),
    clash("--seed", "--seeds"),
    clash("--scale", without=["--plot"], message="--scale is for the picture of --plot FILE."),
    clash("--seeds", "-o", why="there is one board for each seed, so none is written."),
    clash("--seeds", "--trace", why="there is one trace for each seed, so none is written."),
    clash("--seeds", "--poster", why="there is one board for each seed, so none is drawn."),
    clash("--moves", without=["--trace"], message="--moves stores moves in a trace: add --trace moves.npz."),
    clash("--count", ("--unique", "--all")),
    clash("--unique", "--all"),
    clash(_ENUMERATIONS, "-o", why="{0} looks at all solutions by complete search; --all FILE writes them."),
    clash(_ENUMERATIONS, _OF_ONE_SOLUTION, why="{0} looks at all solutions by complete search."),
    clash(
        "--limit",
        without=["--count", "--all"],
        message="--limit says how many solutions --count and --all look for: add one of them.",
    ),
    clash(
        "--fundamental",
        without=["--count", "--all"],
        message="--fundamental counts and writes rotations and mirror images once: add --count or --all FILE.",
    ),
    clash(
        "--scheduler",
        without=["--count", "--unique", "--method complete", "--instances"],
        message="--scheduler runs complete search: add --count, --unique, --method complete or --instances FILE.",
    ),
    clash(
        "--checkpoint",
        without=["--count", "--unique", "--method complete"],
        message="--checkpoint continues complete search: add --count, --unique or --method complete.",
    ),
    clash("--max-nodes", "--method local", why="only complete search has such a limit."),
    clash("--checkpoint", "--seeds", why="a checkpoint belongs to one seed."),
    examples="fastqueens solve 1e6 --seed 1 -o board.npy",
)
@options.all_of(options.n, options.file, options.board, options.stated)
@options.read(
    "--instances FILE",
    "Answer all instances in this file, or in the instance files of this folder, with one line of JSON for each, on "
    "stdout or in -o FILE. If that file has answers already, the others are added.",
)
@options.choice(
    "--method", METHODS, "What looks for a solution: local search, complete search, or both in turns.", default="auto"
)
@options.rows_from
@options.choice("--start", STARTS, "How the search places a new board.", default="windowed")
@options.seed
@options.seeds("Solve once for each seed, for example 1..100 or 1,5,9, and print a table.")
@options.max_steps
@options.number(
    "--restarts TIMES",
    "How often a stuck local search may restart from a new board. Default: no limit; at most 20 with fixed queens, "
    "blocked squares or excluded diagonals; 0 with --file or --board.",
)
@options.number(
    "--max-nodes SQUARES",
    "How many squares complete search may try. Default: 100 million; no limit with --method complete.",
)
@options.time_limit(
    "End after this time, besides that of compiling, with what was found so far. With --instances, each of them has "
    "this time."
)
@options.mix
@options.option("--count", "Only count the solutions.", name="counting")
@options.option("--unique", "Only tell whether there is exactly one solution.")
@options.write(
    "--all FILE",
    "Only write all solutions, a line of rows for each, in lexicographic order if at most 32 columns have no fixed "
    "queen: .txt, or - for stdout.",
    name="all_solutions",
)
@options.number("--limit SOLUTIONS", "With --count or --all: stop after this many solutions, at least 1.")
@options.option(
    "--fundamental", "With --count or --all: take only one of the rotations and mirror images of a solution."
)
@options.write(
    "-o --output FILE",
    "Write the board: .npy .txt .csv .json, or - for text on stdout; with --instances, the answers. A large board is "
    "built in its .npy file, and does not need to fit into memory.",
)
@options.write("--trace FILE", "Write the number of conflicts after each step: .csv .npz.")
@options.option("--moves", "Also store each move in the trace (.npz), so that fastqueens explore can play it.")
@options.write(
    "--plot FILE",
    "Plot the number of conflicts after each step: .png .pdf .svg .jpg .webp. With --seeds, up to 20 runs in one "
    "picture.",
)
@options.scale
@options.write(
    "--poster FILE",
    "Draw the board as an A1 poster: .png .pdf .svg .jpg .webp. For more options, see fastqueens poster.",
)
@options.threads_of_solving
@options.scheduler
@options.write(
    "--checkpoint FILE",
    "Add finished parts of a complete search to this file (.jsonl); the same command continues there.",
)
@options.option("--force", "Start even if there seems to be too little memory.")
@options.all_of(options.as_json, options.quiet, options.origin)
def solve() -> None:
    """Place N queens (default: 8) so that none attacks another.

    You can write a million as 1000000, 1,000,000 or 1e6. Boards of fewer than 33 queens are drawn before and after
    the search, with fixed queens as F.
    """


@command(
    "runtimes",
    clash(("--scale", "--theme"), without=["--plot"], message="{} is for the picture of --plot FILE."),
    examples="fastqueens runtimes --plot times.png\n"
    "fastqueens runtimes 10,1e3,1e5,3e5,1e6 --start uniform -o times.csv",
)
@options.several_n
@options.choice(
    "--start", STARTS, "How boards are generated; uniform is the usual greedy placement.", default="windowed"
)
@options.seeds("Solve once for each of these seeds, for example 1..100 or 1,5,9.", default="1..5")
@options.max_steps
@options.threads_of_solving
@options.time_limit_of_command
@options.write("-o --output FILE", "Write the table: .csv, with the fastest and the slowest times too.")
@options.write("--plot FILE", "Draw both times against N, side by side: .png .pdf .svg .jpg .webp.")
@options.choice("--scale", SCALES, "Logarithmic or linear axes. Default: log.")
@options.all_of(options.theme, options.as_json, options.quiet)
def runtimes() -> None:
    """Measure how long board generation and search take, and print a table with a line for each N.

    N is a board size, or several, as in 10,1e3,1e5 or 4..20. By default these are 10, 100, 1,000 and so on up to a
    million. Times, steps and attacking pairs of the first board are medians over --seeds. The table does not include
    loading and compiling, since one run on each size is made before the others and is not counted.
    """
