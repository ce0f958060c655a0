"""The group of all commands; it turns every error into a message and an exit code."""

from __future__ import annotations

import io
import os
from collections.abc import Iterator, Mapping, MutableMapping
from importlib import import_module
from typing import cast

import click

from fastqueens import __version__
from fastqueens._run.memory import check_limits
from fastqueens.cli import streams
from fastqueens.cli.process import (
    BAD_INPUT,
    CLOSED_PIPE,
    NO_SOLUTION,
    NOT_SOLVED,
    NOTHING_FINISHED,
    Session,
    report_internal_error,
)
from fastqueens.errors import InputError, NoSolutionError, NotEnoughMemoryError, Stopped, printable

_EPILOG = """\b
Example:
  fastqueens solve 1000000

\b
Exit codes: 0 solved, 1 not solved, 2 wrong usage or bad input,
3 no solution exists, 70 internal error, 130 interrupted,
143 terminated, 141 the reader of stdout has ended.

\b
Tab completion, for example in bash:
  eval "$(_FASTQUEENS_COMPLETE=bash_source fastqueens)"
"""

_FIRST_STEPS = (
    ("fastqueens solve", "8 queens, drawn before and after"),
    ("fastqueens solve 1000000", "a million queens"),
    ("fastqueens solve 1000 --poster p.png", "a poster of a thousand"),
    ("fastqueens climb --show", "hill climbing as courses teach it"),
    ("fastqueens puzzle 8 --queens 2", "a puzzle with two fixed queens"),
    ("fastqueens explore 1000000", "a million queens in the browser"),
    ("fastqueens --help", "all commands"),
)

#: Columns of a terminal that has room for a command and what it does in one line.
_WIDE = 74

PROGRAM = "fastqueens"
_COMPLETE_VARIABLE = "_FASTQUEENS_COMPLETE"

#: The file that declares each command, and what the list of commands says about it.
_COMMANDS = {
    "solve": ("solve", "Place N queens so that none attacks another."),
    "runtimes": ("solve", "Measure board generation and search on boards of several sizes."),
    "verify": ("board_options", "Check whether a board is a solution."),
    "show": ("picture_options", "Draw a board and count its conflicts."),
    "random": ("board_options", "Make a random board."),
    "sample": ("board_options", "Draw solutions nearly uniformly at random."),
    "estimate": ("board_options", "Estimate how many solutions there are."),
    "statistics": ("board_options", "Compare the density of boards with that of random solutions."),
    "climb": ("picture_options", "Hill climbing by the rules that courses teach."),
    "descend": ("picture_options", "Repeatedly move the queen that attacks most, on each board in a file."),
    "study": ("picture_options", "Compare the success rates and steps of rules over many runs."),
    "puzzle": ("board_options", "Make a completion puzzle: some queens are fixed."),
    "plot": ("picture_options", "Draw the conflict curves of traces."),
    "poster": ("picture_options", "Draw a board as a poster for printing."),
    "animate": ("picture_options", "Animate hill climbing on a small board."),
    "explore": ("picture_options", "Explore a board in the browser."),
    "info": ("board_options", "Show versions, cores, memory and compiled code."),
    "warmup": ("board_options", "Compile everything now, so that no later command has to."),
}


class _Commands(Mapping[str, click.Command]):
    """The commands by name. The file that declares one is imported when it is looked up."""

    def __getitem__(self, name: str) -> click.Command:
        command: click.Command = getattr(import_module(f"fastqueens.cli.{_COMMANDS[name][0]}"), name)
        return command

    def __iter__(self) -> Iterator[str]:
        return iter(_COMMANDS)

    def __len__(self) -> int:
        return len(_COMMANDS)


class _Group(click.Group):
    """All commands. Their list is printed without importing them."""

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of commands."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, summary) for name, (_, summary) in _COMMANDS.items()])


@click.group(
    cls=_Group,
    commands=cast(MutableMapping[str, click.Command], _Commands()),
    epilog=_EPILOG,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    invoke_without_command=True,
)
@click.version_option(__version__, "-V", "--version", message="%(prog)s %(version)s")
@click.pass_context
def cli(context: click.Context) -> None:
    """Place n queens on an n x n board so that none attacks another."""
    check_limits()
    back_end = os.environ.get("FASTQUEENS_BACK_END") or "loader"
    if back_end not in ("loader", "numba"):
        raise click.ClickException(f"FASTQUEENS_BACK_END is {back_end!r}: it is loader or numba")
    if context.invoked_subcommand is None:
        streams.say("Places n queens on an n x n board so that none attacks another. First steps:\n")
        streams.say(_first_steps(streams.columns() or _WIDE))


def _first_steps(width: int) -> str:
    """Return the first steps; in a narrow terminal, what a command does is in the line below."""
    formatter = click.HelpFormatter(width=width)
    with formatter.indentation():
        formatter.write_dl(_FIRST_STEPS, col_max=40 if width >= _WIDE else 2)
    return formatter.getvalue().rstrip("\n")


def run(arguments: list[str], session: Session) -> int:
    """Run the command line with these arguments and return its exit code; errors are explained on stderr."""
    try:
        return _dispatch(arguments, session)
    except click.exceptions.Exit as ending:
        return ending.exit_code
    except BrokenPipeError:
        return CLOSED_PIPE
    except Exception as error:
        try:
            return _explain(error, session)
        except BrokenPipeError:
            return CLOSED_PIPE


def _dispatch(arguments: list[str], session: Session) -> int:
    streams.check_open()
    instruction = os.environ.get(_COMPLETE_VARIABLE)
    if instruction:
        from click.shell_completion import shell_complete

        return shell_complete(cli, {}, PROGRAM, _COMPLETE_VARIABLE, instruction)
    with cli.make_context(PROGRAM, arguments, obj=session) as context:
        if os.environ.get("NO_COLOR"):
            context.color = False
        return cli.invoke(context) or 0


def _explain(error: Exception, session: Session) -> int:
    """Print what went wrong, in one sentence unless it is an internal error, and return the exit code for it."""
    if isinstance(error, ImportError) and error.name == "NUMBA_DISABLE_JIT":
        return _fail(str(error), BAD_INPUT)
    if type(error) is click.BadParameter and error.param is not None:
        return _fail(f"{_name(error.param)}: {error.message.removesuffix('.')}", BAD_INPUT)
    if isinstance(error, click.ClickException):
        error.message = printable(error.message)  # type: ignore[misc]
        text = io.StringIO()
        error.show(text)
        streams.say(text.getvalue().removesuffix("\n"), err=True)
        return BAD_INPUT
    if isinstance(error, Stopped):
        exit_code, why = session.early_end
        if exit_code == NOT_SOLVED:
            streams.say(f"{why}, and {NOTHING_FINISHED}.", err=True)
        else:
            session.has_nothing = session.keeps_finished
        return exit_code
    if isinstance(error, (InputError, NoSolutionError, NotEnoughMemoryError)):
        exit_code = NO_SOLUTION if isinstance(error, NoSolutionError) else BAD_INPUT
        return _fail(str(error), exit_code, *getattr(error, "__notes__", []))
    if isinstance(error, MemoryError):
        return _fail(": ".join(filter(None, ["there is not enough memory", str(error)])), BAD_INPUT)
    if isinstance(error, OSError) and error.errno is not None:
        from fastqueens.files.text import reason_of  # imports NumPy

        return _fail(f"{error.filename or 'output'}: {reason_of(error)}", BAD_INPUT)
    return report_internal_error(error)


def _name(parameter: click.Parameter) -> str:
    """Return the long names of an option, or the name of an argument."""
    return "/".join(name for name in parameter.opts if name.startswith("--")) or parameter.opts[0]


def _fail(message: str, exit_code: int, *hints: str) -> int:
    streams.say("\n".join([f"Error: {printable(message)}", *hints]), err=True)
    return exit_code
