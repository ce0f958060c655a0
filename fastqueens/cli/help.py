"""``fastqueens help``: shows the help of a command, as its option ``--help`` does."""

from __future__ import annotations

import click


@click.command(short_help="Show the help of a command.", epilog="\b\nExample:\n  fastqueens help solve")
@click.argument("name", metavar="[COMMAND]", required=False)
@click.pass_context
def help(context: click.Context, name: str | None) -> None:
    """Show the help of COMMAND, or list all commands."""
    root = context.find_root()
    if name is None:
        click.echo(root.get_help())
        return
    group = root.command
    command = group.get_command(root, name) if isinstance(group, click.Group) else None
    if command is None:
        raise click.exceptions.NoSuchCommand(name, ctx=root)
    click.echo(command.get_help(click.Context(command, info_name=name, parent=root)))
