"""The group of all commands, which turns every error into a message and an exit code."""

from __future__ import annotations

import io
import os
from importlib import import_module

import click

from fastqueens import __version__
from fastqueens._run.memory import check_limits
from fastqueens.cli.output import check_open, say
from fastqueens.cli.session import ExitCode, Session, report_internal_error
from fastqueens.errors import InputError, NoSolutionError, NotEnoughMemoryError, Stopped, printable

PROGRAM = "fastqueens"
_COMPLETE_VARIABLE = "_FASTQUEENS_COMPLETE"

_EPILOG = """\b
First steps:
  fastqueens climb --show            run the hill climbing of AI courses
  fastqueens solve 1000000           solve a board with a million queens
  fastqueens poster 1000 -o p.png    draw a poster of a thousand queens
  fastqueens explore 1000000         explore a million queens in the browser
  fastqueens solve 8 --queen 0,3     solve a board with a fixed queen
  fastqueens sample 8 --count 5      draw five random solutions

\b
Exit codes:
  0    solved, or the command did its work
  1    not solved, or a board is not a solution
  2    wrong usage or bad input
  3    the instance has no solution
  70   internal error
  130  interrupted (Ctrl-C)
  141  the program that reads the output has ended
  143  terminated (128 + the number of the signal)

\b
Tab completion, for example in bash:
  eval "$(_FASTQUEENS_COMPLETE=bash_source fastqueens)"
"""

#: The commands, each in a file of its name, and their summaries.
_COMMANDS = {
    "solve": "Place N queens so that no queen attacks another.",
    "prove": "Find a solution, or prove that there is none.",
    "count": "Count all solutions.",
    "list": "List all solutions.",
    "batch": "Solve many instances.",
    "climb": "Run the search algorithms of AI courses.",
    "study": "Compare these algorithms over many runs.",
    "descend": "Run the 'most attacks moves' assignment on a file of boards.",
    "verify": "Check whether boards are solutions.",
    "show": "Draw a board and count its conflicts.",
    "poster": "Draw a board as a poster for printing.",
    "explore": "Explore a board in the browser.",
    "animate": "Draw an animation of a search.",
    "plot": "Plot the conflicts after each step of a search.",
    "puzzle": "Create a puzzle with some fixed queens.",
    "random": "Create a board with a random row in each column.",
    "sample": "Draw random solutions.",
    "estimate": "Estimate the number of solutions.",
    "statistics": "Compare the density of queens with random solutions.",
    "runtimes": "Measure run times on boards of several sizes.",
    "info": "Show versions, cores, memory and compiled code.",
}


class _Commands(click.Group):
    """The group of all commands. It imports the file of a command when the command is looked up."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of all commands."""
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return a command by its name."""
        if cmd_name not in _COMMANDS:
            return None
        command: click.Command = getattr(import_module(f"fastqueens.cli.{cmd_name}"), cmd_name)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of commands."""
        with formatter.section("Commands"):
            formatter.write_dl(list(_COMMANDS.items()))


@click.group(
    cls=_Commands,
    epilog=_EPILOG,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    invoke_without_command=True,
)
@click.version_option(__version__, "-V", "--version", message="%(prog)s %(version)s")
@click.pass_context
def cli(context: click.Context) -> None:
    """Place n queens on an n x n board so that no queen attacks another."""
    check_limits()
    if os.environ.get("FASTQUEENS_BACK_END"):
        from fastqueens._jit.library import uses_numba

        uses_numba()  # raises for a wrong value, before the work
    if os.environ.get("FASTQUEENS_THREADS"):
        from fastqueens._run.threads import checked_threads

        checked_threads(None)  # before the work
    if context.invoked_subcommand is None:
        say(context.get_help())


def run(arguments: list[str], session: Session) -> int:
    """Run the command line with these arguments, explain errors on stderr, and return the exit code."""
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
    check_open()
    instruction = os.environ.get(_COMPLETE_VARIABLE)
    if instruction:
        from click.shell_completion import shell_complete

        return shell_complete(cli, {}, PROGRAM, _COMPLETE_VARIABLE, instruction)
    with cli.make_context(PROGRAM, arguments, obj=session) as context:
        if os.environ.get("NO_COLOR"):
            context.color = False
        return cli.invoke(context) or ExitCode.SOLVED


def _explain(error: Exception, session: Session) -> int:
    """Print an explanation of an error, one sentence unless the error is internal, and return its exit code."""
    if isinstance(error, ImportError) and error.name == "NUMBA_DISABLE_JIT":
        return _fail(str(error))
    if isinstance(error, Stopped):
        return session.without_result()
    if isinstance(error, NoSolutionError):
        # An answer, not an error. The message can begin with the name of a file, which must stay as it is.
        message = printable(str(error))
        say(f"N{message[1:]}." if message.startswith("no solution") else f"{message}.", err=True)
        return ExitCode.NO_SOLUTION
    if isinstance(error, click.ClickException):
        return _explain_usage(error)
    if isinstance(error, (InputError, NotEnoughMemoryError)):
        return _fail(str(error), *getattr(error, "__notes__", []))
    if isinstance(error, MemoryError):  # from the system or a library, not always with a message
        return _fail(": ".join(filter(None, ["there is not enough memory", str(error)])))
    if isinstance(error, OSError) and error.errno is not None:
        from fastqueens.files.text import reason_of  # imports NumPy

        return _fail(f"{error.filename or 'stdout'}: {reason_of(error)}")  # errors of other files have names
    return report_internal_error(error)


def _explain_usage(error: click.ClickException) -> int:
    """Print what is wrong with the arguments, in the words that the user typed."""
    from fastqueens.cli.options import as_typed, label

    message = printable(error.message)
    if ". " not in message:  # click ends single sentences with a period
        message = message.removesuffix(".")
    param = error.param if isinstance(error, click.BadParameter) else None
    if isinstance(error, click.MissingParameter) and param is not None:
        kind = "argument" if isinstance(param, click.Argument) else "option"
        error = click.UsageError(f"missing {kind} '{label(param)}'", error.ctx)
    elif param is not None:
        typed = as_typed(message, [param])
        return _fail(typed if typed != message else f"{label(param)}: {message}")
    else:
        error.message = message  # type: ignore[misc]
    text = io.StringIO()
    error.show(text)
    say(text.getvalue().removesuffix("\n"), err=True)
    return ExitCode.USAGE


def _fail(message: str, *hints: str) -> int:
    say("\n".join([f"Error: {printable(message)}", *hints]), err=True)
    return ExitCode.USAGE
