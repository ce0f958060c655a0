"""Commands with files to read, and with options, which come from click, so that a new one is fuzzed at once."""

from __future__ import annotations

import struct
from random import Random

import click

from fastqueens.cli.app import cli
from fuzz.damage import drawn_content
from fuzz.formats import NAMES
from fuzz.trial import Case

_SMALL_NUMBERS = (*str.split("1 4 5 8 12 1e1 1_2"), " 8 ")
_ODD_NUMBERS = (
    *str.split(
        "0 -0 -1 2 3 1.5 1e-3 0x10 1__0 _1 1e +8 8,9 nan inf -inf 5e9 1e18 -1e18 1e20 1e308 1e9999 \u0663 \u00b2"
    ),
    *str.split(
        "4294967295 4294967296 9223372036854775807 9223372036854775808 18446744073709551615 18446744073709551616"
    ),
    *("", " ", "9" * 30, "1" * 5000),
)
_NUMBERS = _SMALL_NUMBERS + _ODD_NUMBERS
_ODD_TEXTS = ("", " ", "-", "--", "=", "\udcff", "\u202eabc", "\u00e9\u4e2d\U0001f451", "a" * 3000, "\x1b[31m", "\n")
_ODD_TEXTS += ("$x^2$", "$", "\\n")

_BOARDS = ("2 7 3 6 0 5 1 4", "1 3 0 2", "0,0,0,0", "1", "0", "2 4 1 3", "1 x", "0 1e3", "9" * 30, ",", "0,,1")

#: Values of options, by name; the other options get choices, numbers and texts.
_VALUES = {
    "seeds": "1..3 1,5 1..1000001 3..1 .. 1.. 1, 0..99999999999999999999",
    "sizes": "4 4..6 8,5 6..4 1..1e9 .. 4.. 0 2",
    "size": "A4 30x20mm 2x3in A9 8x4.5 1x1 320x240 0x0 -1x5 99999x99999 1e9x1e9in",
    "dpi": "10 20 50 0 -5 nan inf 1e308 1e-300 99999999",
    "style": "classic modern lines infographic cubist",
    "orientation": "portrait landscape upright",
    "margin": "5 2mm 1in -1 1e9mm nan mm",
    "bleed": "3mm 0 0.1in -1 1e9mm nan",
    "seconds": "3 4 2.9 0 -1 nan inf 1e9999",  # `estimate` would go on for 1e308
    "rules": "steepest all sideways,annealing min-conflicts restart steepest, , best",
    "static_point": "0,0 3,0 -1,0 99999999999,0 1 ,",
    "temperature": "1 0.5 0 -1 nan inf 1e308 5e-324",
    "cooling": "0.5 0.9 0 1 1.5 -1 nan 0.999999999999",
    "scheduler": ": 127.0.0.1:1 tcp:// 127.0.0.1:99999 http://127.0.0.1:1 [::",
    "many": "1 2 10 0 -1 1e19 1.5 1e9999",
    "runs": "1 2 10 0 -1 1e19 1.5 1e9999",
    "max_steps": "0 1 50 -1 1e18 1e19",
    "restarts": "0 1 5 -1 1e19",
    "mix": "1 20 300 0 -1 1e10 1e19 1.5",  # a valid number of 1e9 would take minutes
    "threads": "1 2 1,2 0 -1 1025 1e18 ,",
}

#: Options that are always set, since the work takes long without them.
_SHORTENING = ("runs", "size", "dpi", "seconds")

#: Commands that draw. They are rare, since drawing takes longer than everything else.
_DRAWING = ("plot", "poster", "animate")

_OUTPUTS = [f"out.{suffix}" for suffix in str.split("npy txt csv json jsonl npz png jpg webp pdf svg gif")]
_PATHS = (
    *_OUTPUTS,
    *NAMES,
    *str.split("- . missing/out.npy out.bmp out /dev/null \udcff.txt caf\u00e9.txt"),
    "",
    "a" * 300,
)

#: Commands that read a file, by the beginning of its name. The second trace is missing, so that nothing is drawn.
_READING = {
    "board": (
        "verify {}",
        "verify {} --rows-from 1 --json",
        "show {}",
        "show {} --move-costs",
        "solve --file {} --max-steps 20 -o out.json",
        "solve --file {} --max-steps 20 -o out.npy --trace out.csv -q",
        "climb --file {} --runs 1",
        "poster {} --size 30x20mm --dpi 20 -o out.png",
    ),
    "trace": ("plot {} missing.csv -o out.png",),
    "moves": ("plot {} missing.csv -o out.png",),
    "instance": ("solve --instance {} --max-steps 20 --restarts 2 -o out.json", "show --instance {}"),
    "fixed": ("solve 9 --queens-file {} --max-steps 20 --restarts 2 -o out.json",),
    "samples": ("statistics {} -o out.npz", "verify {}", "verify {} --json -v", "show {}", "show {} --pick 2"),
    "starts": ("descend {}", "descend {} -o out.txt"),
    "checkpoint": ("solve 7 --block 2,0 --count --checkpoint {}", "solve 8 --method complete --checkpoint {}"),
    "answers": ("solve --instances {} -o out.jsonl", "verify {}"),
}


def drawn_command(number: int) -> Case:
    """Return a command, which depends on its number alone."""
    random = Random(number)
    return random.choice((_reading, _with_options))(random)


def _reading(random: Random) -> Case:
    """Draw a file or stdin, and a command that reads it."""
    name = random.choice(NAMES)
    command = random.choice(_READING[name.partition(".")[0]])
    content = drawn_content(random, name)
    if random.random() < 0.1:
        return Case(tuple(command.format("-").split()), {}, content)
    return Case(tuple(command.format(name).split()), {name: content})


def _with_options(random: Random) -> Case:
    """Draw a command with arguments and options, which need not fit, and up to two files to read."""
    weights = [1 if name in _DRAWING else 4 for name in cli.commands]
    command = cli.commands[random.choices(list(cli.commands), weights)[0]]
    parts = []
    for parameter in command.params:
        if isinstance(parameter, click.Argument):
            parts += [[_value(random, parameter)] for _ in range(random.choice((1, 1, 1, 1, 0, 2)))]
    options = [parameter for parameter in command.params if isinstance(parameter, click.Option)]
    is_complete = random.random() < 0.95
    chosen = [option for option in options if option.name in _SHORTENING or (option.required and is_complete)]
    chosen += random.choices(options, k=random.randrange(5)) if options else []
    parts += [_option(random, option) for option in chosen]
    if random.random() < 0.06:
        parts.append([_text(random)])
    random.shuffle(parts)
    files = random.sample(NAMES, random.randrange(3))
    return Case(
        (str(command.name), *(text for part in parts for text in part)),
        {name: drawn_content(random, name) for name in files},
        drawn_content(random, "board.txt"),
    )


def _option(random: Random, option: click.Option) -> list[str]:
    flag = random.choice(option.opts)
    if option.is_flag:
        return [flag]
    value = _value(random, option)
    return [f"{flag}={value}"] if flag.startswith("--") and random.random() < 0.5 else [flag, value]


def _value(random: Random, parameter: click.Parameter) -> str:
    """Return a value for an option or an argument; most of them are meaningful."""
    name = str(parameter.name)
    if isinstance(parameter.type, click.Path) or name == "output":
        # No random texts: the path may be written to. The board of a poster is a file or a number.
        return random.choice(_PATHS + (_NUMBERS if name == "board" else ()))
    if name == "title" or random.random() < 0.25:
        return _text(random)
    if isinstance(parameter.type, click.Choice):
        return str(random.choice(list(parameter.type.choices)))
    if name == "board":
        return random.choice(_BOARDS)
    if name in _VALUES:
        return random.choice(_VALUES[name].split())
    any_float = struct.unpack("d", random.randbytes(8))[0]
    return random.choice((*_NUMBERS, str(random.randint(-5, 40)), str(any_float)))


def _text(random: Random) -> str:
    """Return an odd text, without a slash, so that one used as the name of a file stays in the folder of the input."""
    letters = (chr(random.randrange(random.choice((128, 0x3000, 0x110000)))) for _ in range(random.randrange(8)))
    return random.choice((random.choice(_ODD_TEXTS), "".join(letters).translate({0: None, 47: None})))
