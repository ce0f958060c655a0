"""``fastqueens completion``: the script that lets a shell complete commands, options and files."""

from __future__ import annotations

import click

PROGRAM = "fastqueens"
COMPLETE_VARIABLE = "_FASTQUEENS_COMPLETE"


_EPILOG = """\b
In ~/.bashrc:
  eval "$(fastqueens completion bash)"
In ~/.zshrc:
  eval "$(fastqueens completion zsh)"
In ~/.config/fish/config.fish:
  fastqueens completion fish | source
"""


@click.command(epilog=_EPILOG, short_help="Print the script for tab completion in a shell.")
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@click.pass_context
def completion(context: click.Context, shell: str) -> None:
    """Print the script that lets SHELL complete commands, options and files."""
    from click.shell_completion import get_completion_class

    source = get_completion_class(shell)
    assert source is not None
    click.echo(source(context.find_root().command, {}, PROGRAM, COMPLETE_VARIABLE).source())
