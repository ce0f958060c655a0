"""The group of all commands, which turns every error into a message and an exit code."""

from __future__ import annotations

import io
import os
from importlib import import_module

import click

from fastqueens import __version__
from fastqueens._run.arguments import did_you_mean
from fastqueens._run.memory import check_limits
from fastqueens.cli import NOTHING_FINISHED, ExitCode, Phase, Session, output, report_internal_error
from fastqueens.errors import InputError, NoSolutionError, NotEnoughMemoryError, Stopped, printable

PROGRAM = "fastqueens"
_COMPLETE_VARIABLE = "_FASTQUEENS_COMPLETE"

_EPILOG = """\b
Examples:
  fastqueens solve 1000000
  fastqueens climb --show

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

_FIRST_STEPS = """\
Place n queens on an n x n board so that no queen attacks another. First steps:

  fastqueens climb --show            run the hill climbing of AI courses
  fastqueens solve 1000000           solve a board with a million queens
  fastqueens poster 1000 -o p.png    draw a poster of a thousand queens
  fastqueens explore 1000000         explore a million queens in the browser
  fastqueens solve 8 --queen 0,3     solve a board with a fixed queen
  fastqueens sample 8 --count 5      draw five random solutions
  fastqueens --help                  list all commands
"""

#: The file of each command, and its summary in the list of commands.
_COMMANDS = {
    "solve": ("solving", "Place N queens so that no queen attacks another."),
    "climb": ("classroom", "Run the search algorithms of AI courses."),
    "study": ("classroom", "Compare these algorithms over many runs."),
    "descend": ("classroom", "Run the 'most attacks moves' assignment on a file of boards."),
    "verify": ("boards", "Check whether boards are solutions."),
    "show": ("boards", "Draw a board and count its conflicts."),
    "poster": ("pictures", "Draw a board as a poster for printing."),
    "explore": ("pictures", "Explore a board in the browser."),
    "animate": ("pictures", "Draw an animation of a search."),
    "plot": ("pictures", "Plot the conflicts after each step of a search."),
    "puzzle": ("instances", "Create a puzzle with some fixed queens."),
    "random": ("sampling", "Create a board with a random row in each column."),
    "sample": ("sampling", "Draw random solutions."),
    "estimate": ("sampling", "Estimate the number of solutions."),
    "statistics": ("sampling", "Compare the density of queens with random solutions."),
    "runtimes": ("machine", "Measure run times on boards of several sizes."),
    "info": ("machine", "Show versions, cores, memory and compiled code."),
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
        file, _ = _COMMANDS[cmd_name]
        command: click.Command = getattr(import_module(f"fastqueens.cli.{file}"), cmd_name)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the command that the first argument names; for an unknown one, the error names the most similar."""
        name = args[0]
        if name not in _COMMANDS and not name.startswith("-") and not ctx.resilient_parsing:
            near = did_you_mean(name, list(_COMMANDS))
            ctx.fail(f"unknown command {name!r}{near or f'; {PROGRAM} --help lists all commands'}")
        return super().resolve_command(ctx, args)

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
    """Place n queens on an n x n board so that no queen attacks another."""
    check_limits()
    back_end = os.environ.get("FASTQUEENS_BACK_END") or "library"
    if back_end not in ("library", "numba"):
        raise click.ClickException(
            f"the environment variable FASTQUEENS_BACK_END must be library or numba, not {back_end!r}"
        )
    if os.environ.get("FASTQUEENS_THREADS"):
        from fastqueens._run.threads import checked_threads

        checked_threads(None)  # before the work
    if context.invoked_subcommand is None:
        output.say(_FIRST_STEPS.rstrip("\n"))


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
    """Print an explanation of an error, one sentence unless the error is internal, and return its exit code."""
    if isinstance(error, ImportError) and error.name == "NUMBA_DISABLE_JIT":
        return _fail(str(error))
    if type(error) is click.BadParameter and error.param is not None:
        from fastqueens.cli.options import as_typed, label  # the command has loaded this module

        message = error.message.removesuffix(".")
        typed = as_typed(message, [error.param])
        return _fail(typed if typed != message else f"{label(error.param)}: {message}")
    if isinstance(error, click.MissingParameter) and error.param is not None:
        from fastqueens.cli.options import label  # the command has loaded this module

        kind = "argument" if isinstance(error.param, click.Argument) else "option"
        error = click.UsageError(f"missing {kind} '{label(error.param)}'", error.ctx)
    if isinstance(error, click.ClickException):
        message = printable(error.message)
        if ". " not in message:  # click ends single sentences with a period
            message = message.removesuffix(".")
        error.message = message  # type: ignore[misc]
        text = io.StringIO()
        error.show(text)
        output.say(text.getvalue().removesuffix("\n"), err=True)
        return ExitCode.USAGE
    if isinstance(error, Stopped):
        exit_code, why = session.early_end
        if exit_code == ExitCode.NOT_SOLVED:
            output.say(f"{why}; {NOTHING_FINISHED}.", err=True)
        else:
            session.finished = NOTHING_FINISHED if session.phase is Phase.KEEPS_FINISHED else ""
        return exit_code
    if isinstance(error, NoSolutionError):
        # An answer, not an error. The message can begin with the name of a file, which must stay as it is.
        message = printable(str(error))
        output.say(f"N{message[1:]}." if message.startswith("no solution") else f"{message}.", err=True)
        return ExitCode.NO_SOLUTION
    if isinstance(error, (InputError, NotEnoughMemoryError)):
        return _fail(str(error), *getattr(error, "__notes__", []))
    if isinstance(error, MemoryError):  # from the system or a library, not always with a message
        return _fail(": ".join(filter(None, ["there is not enough memory", str(error)])))
    if isinstance(error, OSError) and error.errno is not None:
        from fastqueens.files.text import reason_of  # imports NumPy

        return _fail(f"{error.filename or 'output'}: {reason_of(error)}")
    return report_internal_error(error)


def _fail(message: str, *hints: str, exit_code: ExitCode = ExitCode.USAGE) -> int:
    output.say("\n".join([f"Error: {printable(message)}", *hints]), err=True)
    return exit_code
