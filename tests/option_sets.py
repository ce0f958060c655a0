"""Random option sets: command lines over all commands, with their files, standard input and environment.

The commands themselves say which options they have, and the tables here say which values are likely to be valid. Most
command lines respect the options that exclude each other, so that most of them do some work. Sizes, counts and time
limits are small, so that a command takes a few hundredths of a second.
"""

import random
import re
import shlex
from collections.abc import Collection
from typing import NamedTuple

import click
from damages import damaged
from pool import SIZES, pool

from fastqueens.classroom.algorithms import ALGORITHMS, Limits
from fastqueens.cli import app
from fastqueens.cli.options import OUTPUT

COMMANDS = {name: app.cli.get_command(None, name) for name in app.cli.list_commands(None)}

#: How often each command is drawn; the others have the weight 2.
_WEIGHTS = {
    "solve": 5,
    "prove": 3,
    "count": 3,
    "list": 3,
    "batch": 3,
    "verify": 4,
    "poster": 1,
    "animate": 0.4,
    "explore": 1,
    "info": 0.2,
}

#: Options that are always given because they bound the work.
_ALWAYS = (
    "time_limit", "study.n", "study.runs", "runtimes.n", "runtimes.seeds", "animate.size",
    "animate.seconds", "poster.size", "poster.dpi", "plot.size", "plot.dpi", "explore.no_browser",
)  # fmt: skip

#: Values of parameters. {4..12} is a number; other names in braces are attributes of :class:`_Drawing`.
_VALUES = """
n n_option: {n}
study.n study.n_option: {4..12} | 4..6 | 8,4 | {1..6}
runtimes.n runtimes.n_option: {4..40} | 10,100 | 1e3
climb.n climb.n_option: {small}
animate.n animate.n_option: {small}
poster.source explore.source: {n}
rows: {board}
queen block static_point: {square}
exclude_sum: {sum}
exclude_difference: {difference}
seed: {0..99} | 18446744073709551615
max_steps max_evaluations: {0..30} | 10000
max_nodes: {0..1000} | 1e5
restarts: {0..5}
rows_from: 0 | 0 | 0 | 1
study.moves climb.moves: column | column | step | swap | two
time_limit: 0.{1..3}
mix: {1..20}
threads: {1..4}
sample.count: {1..12}
limit: {1..20} | 1000
runtimes.seeds: 1 | 4,2
scheduler: localhost:1
runs: {1..5}
sideways tries beam population queens: {1..8}
reach k pick: {1..4}
temperature: 1 | 0.{1..9} | {1..9}
cooling mutation: 0.{1..9} | 0.95
title: {text}
plot.size study.size show.size statistics.size runtimes.size climb.size: 3x2 | 80x60mm | 4x3in
plot.dpi: {20..60}
poster.size: A6 | 110x120mm | 5x7in
poster.dpi: {10..40}
animate.size: {240..300}x{240..300}
animate.seconds: 3 | {3..4}
palette: riso | night | moss | linen | white,navy | white,navy,#f25f3a
bleed: 3mm | 0.1in
many: {1..3}
puzzle.size: A4 | letter | A6
thinning: {1..40}
replicas: {4..6}
error: 0.{1..9} | 2
"""

#: Values that are wrong for most parameters. None of them makes a command work for long.
_WRONG = ["", " ", "-1", "0", "1.5", "x", "-", "1e30", "1.000", "nan", "inf", "-0", "0x8", "²", "4..2", "1,,2", "3,0,1",
          "99999999999999999999", "\x1b[2J", "\udcff", "é" * 300, "#f00", "None", "@", "%s", "{}"]  # fmt: skip

#: The files that a parameter reads, by the first word of its name in tests/pool.py.
_READ = """
file files source: board
descend.source: starts
instance: instance
batch.file: batch
queens_file: queens
traces: trace
explore.source: board trace
"""

#: An option and those of which it needs one.
_NEEDS = """
study.what study.size statistics.what statistics.size runtimes.size climb.size: plot
show.style show.size: path
per_page answers puzzle.size: many
sideways temperature cooling schedule cool_after tries beam population mutation: algorithms
"""

#: Groups of options that exclude each other: any two of a line with one group, otherwise those of different groups.
_EXCLUDED = """
file | files | rows | source | n_option | n
threads | scheduler
unique | limit
climb.path | runs
static_point | runs algorithms moves show path plot origin as_json sideways temperature cooling schedule
static_point | tries cool_after beam population mutation max_steps max_evaluations time_limit seed
show | as_json
show.queen show.block show.instance show.exclude_sum show.exclude_difference show.queens_file show.style | move_costs
poster.all | poster.seed poster.mix poster.threads poster.instance poster.queen poster.queens_file poster.block
poster.all | poster.exclude_sum poster.exclude_difference
instance | n_option n
"""


class Case(NamedTuple):
    """A random command line, with the files, standard input and environment that belong to it."""

    arguments: list[str]
    files: dict[str, bytes]
    stdin: bytes
    environment: dict[str, str]
    is_terminal: bool
    #: The name and the value of each parameter that names an output file.
    outputs: list[tuple[str, str]]

    @property
    def text(self) -> str:
        """The command line as one types it."""
        before = [f"{name}={shlex.quote(value)}" for name, value in self.environment.items()]
        return " ".join([*before, "fastqueens", shlex.join(self.arguments)])


def drawn(seed: int, number: int) -> Case:
    """Return the option set with this number of a seed."""
    return _Drawing(seed, number).case()


class _Drawing:
    """The random choices for one command line."""

    def __init__(self, seed: int, number: int) -> None:
        self.random = random.Random(f"{seed} {number}")
        self.n = self.random.choice(SIZES) if self.chance(0.6) else self.random.randint(1, 40)
        if self.chance(0.01):
            self.n = self.random.choice((0, -1, 100, 1000, 2**32, 10**15))
        self.small = self.n if 0 < self.n < 13 or self.n > 2**31 else self.random.randint(4, 12)
        self.files: dict[str, bytes] = {}
        self.stdin = b""
        self.outputs: list[tuple[str, str]] = []
        self.command = self.random.choices(list(COMMANDS), [_WEIGHTS.get(name, 2) for name in COMMANDS])[0]
        self.params = {param.name or "": param for param in COMMANDS[self.command].params}
        self.chosen: dict[str, click.Parameter] = {}

    def chance(self, share: float) -> bool:
        return self.random.random() < share

    def case(self) -> Case:
        """Return the command line."""
        self._choose()
        words = [word for param in self.chosen.values() for word in self._typed(param)]
        if self.chance(0.01):
            words.append(self.random.choice(["--no-such", "-x", "extra", "--", "--help"]))
        return Case([self.command, *words], self.files, self.stdin, self._environment(), self.chance(0.2), self.outputs)

    # Attributes for values

    @property
    def sum(self) -> int:
        return self.random.randint(0, max(0, 2 * min(self.n, 100) - 2))

    @property
    def difference(self) -> int:
        return self.sum - max(0, min(self.n, 100) - 1)

    @property
    def square(self) -> str:
        most = max(0, min(self.n, 100) - 1)
        return f"{self.random.randint(0, most)},{self.random.randint(0, most)}"

    @property
    def board(self) -> str:
        n = min(max(self.n, 1), 40)
        rows = list(range(n))
        self.random.shuffle(rows)
        return self.random.choice([" ", ",", ", "]).join(map(str, rows))

    @property
    def text(self) -> str:
        return self.random.choice(
            ["Queens", "two\\nlines", "$x^2$ $", "é ♛ 漢", "a" * 200, " ", "<b>&\"'", "%d {0} \\"]
        )

    # Parameters

    def _choose(self) -> None:
        """Choose parameters, with those that they need, and mostly without those that they exclude."""
        for name, param in self.params.items():
            is_source = isinstance(param, click.Argument) and self.chance(0.9)
            if param.required or is_source or self._matches(name, _ALWAYS):
                self._add(name)
        rare = {"scheduler"} if self.chance(0.95) else set()  # takes 3 s
        names = sorted(self.params.keys() - self.chosen.keys() - rare)
        for name in self.random.sample(names, min(len(names), self.random.choice((0, 1, 1, 2, 2, 3, 3, 4, 5, 8)))):
            self._add(name)
        if not self.chosen.keys() & {"n", "n_option", "source", "file", "files", "rows", "instance"}:
            self.n = 8  # the default

    def _add(self, name: str) -> None:
        if name in self.chosen or (self._is_excluded(name) and not self.chance(0.01)):
            return
        needed = [other for other in self._row(_NEEDS, name) if other in self.params]
        if needed and not self.chosen.keys() & set(needed):
            self._add(self.random.choice(needed))
            if not self.chosen.keys() & set(needed) and not self.chance(0.03):
                return
        self.chosen[name] = self.params[name]

    def _is_excluded(self, name: str) -> bool:
        for line in _EXCLUDED.strip().split("\n"):
            groups = [group.split() for group in line.split(" | ")]
            mine = [group for group in groups if self._matches(name, group)]
            others = [other for group in groups if group not in mine for other in group]
            if mine and any(self._matches(chosen, others) for chosen in self.chosen):
                return True
        return False

    def _matches(self, name: str, names: Collection[str]) -> bool:
        return name in names or f"{self.command}.{name}" in names

    def _row(self, table: str, name: str) -> list[str]:
        """Return the words of the row of a table for a parameter, preferably of this command."""
        rows = [line.split(": ", 1) for line in table.strip().split("\n")]
        for wanted in (f"{self.command}.{name}", name):
            for names, words in rows:
                if wanted in names.split():
                    return words.split(" | ") if table is _VALUES else words.split()
        return []

    def _typed(self, param: click.Parameter) -> list[str]:
        """Return the words of a parameter on the command line."""
        times = self.random.choice((1, 1, 1, 2)) if param.nargs < 0 or getattr(param, "multiple", False) else 1
        words = []
        for _ in range(times):
            if isinstance(param, click.Argument):
                words.append(self._value(param))
            elif getattr(param, "is_flag", False):
                words.append(self.random.choice(param.opts))
            else:
                name, value = self.random.choice(param.opts), self._value(param)
                words += [f"{name}={value}"] if name.startswith("--") and self.chance(0.3) else [name, value]
        return words

    def _value(self, param: click.Parameter) -> str:
        name = param.name or ""
        if param.type is OUTPUT:
            output = self._output(param)
            self.outputs.append((name, output))
            return output
        if self.chance(0.01):
            return self.random.choice(_WRONG)
        values, kinds = self._row(_VALUES, name), self._row(_READ, name)
        if kinds and (not values or self.chance(0.5)):
            return self._input(self.random.choice(kinds))
        if name in ("algorithms", "algorithm"):
            return self._algorithms()
        if isinstance(param.type, click.Choice) and not values:
            return self.random.choice(list(param.type.choices))
        assert values, f"tests/option_sets.py has no value for {name} of {self.command}"
        return re.sub(r"\{(.+?)\}", self._filled, self.random.choice(values))

    def _filled(self, place: re.Match[str]) -> str:
        ends = place[1].split("..")
        return str(self.random.randint(*map(int, ends)) if len(ends) == 2 else getattr(self, place[1]))

    def _algorithms(self) -> str:
        """Return algorithms that use all chosen options, if there are any."""
        limits = [name for name in self.chosen if name in Limits._fields]
        used = [name for name, row in ALGORITHMS.items() if all(map(row.uses, limits))] or list(ALGORITHMS)
        if self.command == "animate" or (self.command == "climb" and "path" in self.chosen):  # draws or writes one run
            return self.random.choice([name for name in used if ALGORITHMS[name].moves_one] or used)
        return ",".join(self.random.sample(used, min(len(used), self.random.choice((1, 1, 2)))))

    # Files

    def _input(self, kind: str) -> str:
        """Return the name of a file of this kind, mostly of this size, and sometimes of any other file."""
        names = [name for name in pool() if name.startswith(kind) and f"-{self.n}." in name.replace("/", ".")]
        if not names or self.chance(0.04):
            names = [name for name in pool() if name.startswith(kind)]
        if self.chance(0.03):
            names = [*pool(), "missing.txt", "/dev/null", "."]
        name = self.random.choice(names)
        content = pool().get(name, b"")
        if self.chance(0.04):
            content = damaged(self.random, content)
        if self.chance(0.01 if kind == "trace" else 0.1) and not self.stdin:
            self.stdin = content
            return "-"
        if name in pool():
            self.files[name] = content
        return name.split("/")[0] if "/" in name and self.chance(0.7) else name

    def _output(self, param: click.Parameter) -> str:
        """Return the name of an output with a suffix that the help of the option lists."""
        help = getattr(param, "help", "") or ""
        suffixes = re.findall(r"(?<![A-Z])\.[a-z]\w+", help) or [".txt"]
        if self.command == "solve" and param.name == "poster":
            suffixes = [".svg"]  # other formats have a hundred million pixels
        if self.command == "batch":
            suffixes = [".jsonl"]
        if ".mp4" in suffixes and self.chance(0.9):  # it requires a program that is not always installed
            suffixes.remove(".mp4")
        suffix = self.random.choice(suffixes)
        if self.chance(0.01):
            return self.random.choice(_WRONG)
        if self.chance(0.03) and len(suffixes) > 1:
            suffix = self.random.choice([".xyz", "", ".PNG", ".npy", ".csv", ".html"])
        if "stdout" in help and self.chance(0.15) and "as_json" not in self.chosen:
            return "-"
        kind = {"checkpoint": "checkpoint", "path": "answers"}.get(param.name or "", "")
        earlier = [name for name in pool() if name.endswith(suffix) and suffix and name.startswith(kind)]
        if earlier and self.chance(0.4 if suffix == ".jsonl" else 0.1):  # a file that exists
            name = self.random.choice(earlier)
            self.files[name] = pool()[name]
        else:
            stem = self.random.choices((param.name, "a b", "é", "missing/q"), (30, 2, 2, 1))[0]
            name = f"{stem}{suffix}"
        return name

    def _environment(self) -> dict[str, str]:
        choices = {"COLUMNS": ("20", "80", "200", "x", "0"), "NO_COLOR": ("1", ""), "TERM": ("dumb", "xterm"),
                   "FASTQUEENS_THREADS": ("1", "2", "x", "0"), "FASTQUEENS_BACK_END": ("library", "", "x"),
                   "PYTHONIOENCODING": ("ascii", "latin-1", "utf-8"), "LC_ALL": ("C", "POSIX", "C.UTF-8")}  # fmt: skip
        shares = {"COLUMNS": 0.3, "FASTQUEENS_BACK_END": 0.01, "FASTQUEENS_THREADS": 0.03}
        return {
            name: self.random.choice(values) for name, values in choices.items() if self.chance(shares.get(name, 0.05))
        }
