"""The group of all commands; it turns every error into a message and an exit code."""

from __future__ import annotations

import io
import os
from importlib import import_module

import click

from fastqueens import __version__
from fastqueens._run.memory import check_limits
from fastqueens.cli import NOTHING_FINISHED, ExitCode, Session, output, report_internal_error
from fastqueens.errors import InputError, NoSolutionError, NotEnoughMemoryError, Stopped, printable

PROGRAM = "fastqueens"
_COMPLETE_VARIABLE = "_FASTQUEENS_COMPLETE"

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

_FIRST_STEPS = """\
Places n queens on an n x n board so that none attacks another. First steps:

  fastqueens solve                       8 queens, drawn before and after
  fastqueens solve 1000000               a million queens
  fastqueens solve 1000 --poster p.png   a poster of a thousand
  fastqueens climb --show                hill climbing as courses teach it
  fastqueens puzzle 8 --queens 2         a puzzle with two fixed queens
  fastqueens explore 1000000             a million queens in the browser
  fastqueens --help                      all commands
"""

#: The file of each command, and what the list of commands says about it.
_COMMANDS = {
    "solve": ("solving", "Place N queens so that none attacks another."),
    "runtimes": ("machine", "Measure board generation and search on boards of several sizes."),
    "verify": ("boards", "Check whether a board is a solution."),
    "show": ("boards", "Draw a board and count its conflicts."),
    "random": ("sampling", "Make a random board."),
    "sample": ("sampling", "Draw solutions nearly uniformly at random."),
    "estimate": ("sampling", "Estimate how many solutions there are."),
    "statistics": ("sampling", "Compare the density of boards with that of random solutions."),
    "climb": ("classroom", "Hill climbing by the rules that courses teach."),
    "descend": ("classroom", "Repeatedly move the queen that attacks most, on each board in a file."),
    "study": ("classroom", "Compare the success rates and steps of rules over many runs."),
    "puzzle": ("instances", "Make a completion puzzle: some queens are fixed."),
    "plot": ("pictures", "Draw the conflict curves of traces."),
    "poster": ("pictures", "Draw a board as a poster for printing."),
    "animate": ("pictures", "Animate hill climbing, as a film of its board."),
    "explore": ("pictures", "Explore a board in the browser."),
    "info": ("machine", "Show versions, cores, memory and compiled code."),
    "warmup": ("machine", "Compile everything now, so that no later command has to."),
}


class _Commands(click.Group):
    """All commands. The file of a command is imported when the command is looked up, and not for the list of all."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of all commands."""
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return a command by its name."""
        if cmd_name not in _COMMANDS:
            return None
        file, _ = _COMMANDS[cmd_name]
        command: click.Command = getattr(import_module(f"fastqueens.cli.{file}"), cmd_name)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of commands."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, summary) for name, (_, summary) in _COMMANDS.items()])


@click.group(
    cls=_Commands,
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
        output.say(_FIRST_STEPS.rstrip("\n"))


def run(arguments: list[str], session: Session) -> int:
    """Run the command line with these arguments and return its exit code; errors are explained on stderr."""
    try:
        return _dispatch(arguments, session)
    except click.exceptions.Exit as ending:
        return ending.exit_code
    except BrokenPipeError:
        return ExitCode.CLOSED_PIPE
    except Exception as error:
        try:
            return _explain(error, session)
        except BrokenPipeError:
            return ExitCode.CLOSED_PIPE


def _dispatch(arguments: list[str], session: Session) -> int:
    output.check_open()
    instruction = os.environ.get(_COMPLETE_VARIABLE)
    if instruction:
        from click.shell_completion import shell_complete

        return shell_complete(cli, {}, PROGRAM, _COMPLETE_VARIABLE, instruction)
    with cli.make_context(PROGRAM, arguments, obj=session) as context:
        if os.environ.get("NO_COLOR"):
            context.color = False
        return cli.invoke(context) or ExitCode.SOLVED


def _explain(error: Exception, session: Session) -> int:
    """Print what went wrong, in one sentence unless it is an internal error, and return the exit code for it."""
    if isinstance(error, ImportError) and error.name == "NUMBA_DISABLE_JIT":
        return _fail(str(error))
    if type(error) is click.BadParameter and error.param is not None:
        from fastqueens.cli.options import as_typed, label  # the command has loaded this module

        message = error.message.removesuffix(".")
        typed = as_typed(message, [error.param])
        return _fail(typed if typed != message else f"{label(error.param)}: {message}")
    if isinstance(error, click.ClickException):
        error.message = printable(error.message)  # type: ignore[misc]
        text = io.StringIO()
        error.show(text)
        output.say(text.getvalue().removesuffix("\n"), err=True)
        return ExitCode.USAGE
    if isinstance(error, Stopped):
        exit_code, why = session.early_end
        if exit_code == ExitCode.NOT_SOLVED:
            output.say(f"{why}, and {NOTHING_FINISHED}.", err=True)
        else:
            session.has_nothing = session.keeps_finished
        return exit_code
    if isinstance(error, NoSolutionError):
        return _fail(str(error), exit_code=ExitCode.NO_SOLUTION)
    if isinstance(error, (InputError, NotEnoughMemoryError)):
        return _fail(str(error), *getattr(error, "__notes__", []))
    if isinstance(error, MemoryError):  # of the system or a library, which do not always say what it is about
        return _fail(": ".join(filter(None, ["there is not enough memory", str(error)])))
    if isinstance(error, OSError) and error.errno is not None:
        from fastqueens.files.text import reason_of  # imports NumPy

        return _fail(f"{error.filename or 'output'}: {reason_of(error)}")
    return report_internal_error(error)


def _fail(message: str, *hints: str, exit_code: ExitCode = ExitCode.USAGE) -> int:
    output.say("\n".join([f"Error: {printable(message)}", *hints]), err=True)
    return exit_code
