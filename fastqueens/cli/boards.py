"""Commands that inspect boards: ``verify`` checks them, and ``show`` draws them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

import click

import fastqueens
from fastqueens._run.arguments import check_integer
from fastqueens._run.text import counted
from fastqueens.cli import ExitCode, inputs, options
from fastqueens.cli.options import Values, command, exclusive, given, group, number, option, refuse
from fastqueens.cli.output import Output, file_label, say
from fastqueens.errors import InputError, printable

if TYPE_CHECKING:
    from fastqueens.board import Queens

#: The kinds of constraints that a board can break, with the beginning of the sentence about each.
_BROKEN = {"missing": "Missing", "blocked": "On a blocked square", "excluded": "On an excluded diagonal"}

_LEAST_DPI, _MOST_DPI = 20, 1200

#: The most boards of a file that are drawn in a terminal.
_MOST_SHOWN = 10

#: Advice for a board that is too wide for the terminal.
_PICTURE = "Open it in the browser with fastqueens explore, or draw a picture with -o FILE.png."

#: The most best moves that are listed.
_MOST_NAMED = 5


class _Verdict(NamedTuple):
    """The verdict on a board, as figures for JSON and as sentences."""

    is_right: bool
    figures: dict[str, Any]
    sentences: list[str]


@command('fastqueens verify --board "1 3 0 2"\nfastqueens verify -n 8 answers/*.txt')
@click.argument("files", metavar="FILE...", nargs=-1, type=options.INPUT)
@group(
    "Board",
    number("-n N", "Require this number of queens. Boards of another size are rejected."),
    options.board,
    options.rows_from_or_auto,
)
@options.constraints
@group(
    "Output",
    options.threads,
    option("-v --verbose", "Also print the format of each FILE."),
    options.as_json,
    options.quiet,
)
def verify(out: Output, files: tuple[str, ...], board: Values, constraints: Values, output: Values) -> int:
    """Check whether boards in files (- for stdin) are solutions, and name the mistakes.

    For a wrong board, the report names one attacking pair (the first one met from the left) and counts the queens that
    break each constraint. If a file holds several boards, the report has a line for each wrong board. If several files
    are checked, it has a line for each file.

    The exit code is 0 if all boards are solutions, 1 if a board is not a solution, and 2 if a file cannot be read.
    """
    if not files and board.rows is None:
        raise click.UsageError("missing argument 'FILE'; give a file or a --board")
    exit_codes: list[int] = []
    rows_from = out.rows_from
    answers: list[dict[str, Any]] = []
    for file in files or [None]:
        try:
            out.rows_from = rows_from  # None stands for auto, until the file is read
            verdicts, kind, summary = _judge(out, file, board, constraints, output.threads)
        except (InputError, OSError) as error:
            if len(files) < 2:
                raise
            exit_codes.append(ExitCode.USAGE)
            answers.append({"file": file, "error": str(error)})
            message = f"{click.style('Cannot be read', fg='red')}: {printable(str(error))}"
            if out.quiet:  # an error, not a verdict
                say(message, err=True)
            else:
                out.say(message)
            continue
        wrong = [number for number, verdict in enumerate(verdicts, 1) if not verdict.is_right]
        exit_codes.append(ExitCode.NOT_SOLVED if wrong else ExitCode.SOLVED)
        figures = [verdict.figures for verdict in verdicts]
        lines = [f"Board {number}: {' '.join(verdicts[number - 1].sentences)}" for number in wrong]
        if len(verdicts) == 1:
            summary, *lines = verdicts[0].sentences
        if rows_from is None:
            figures = [{**each, "rows_from": out.rows_from} for each in figures]
            summary += f" Rows count from {out.rows_from}."
        if output.verbose:
            out.say(f"Format of {file_label(file)}: {kind}.")
        if len(files) < 2:
            answers = figures
            out.say(*([summary, *lines] if len(verdicts) == 1 else [*lines, summary]))
        else:
            answers.append({"file": file} | (figures[0] if len(figures) == 1 else {"boards": figures}))
            shown = lines if len(verdicts) == 1 else lines[:1]
            out.say(f"{printable(file_label(file))}: {' '.join([summary, *shown])}")
    if out.as_json:
        out.json(answers if len(answers) > 1 else answers[0])
    return max(exit_codes)


def _judge(
    out: Output, file: str | None, board: Values, constraints: Values, threads: int | None
) -> tuple[list[_Verdict], str, str]:
    """Read and check boards; return the verdicts, the format of the file, and a sentence about all boards."""
    import numpy as np

    from fastqueens.files.board_forms import SharedColumnError

    try:
        found = inputs.read_boards(out, file, board.rows, board.n)
    except SharedColumnError as error:  # a wrong board rather than a file that cannot be read
        size = len(error.squares)
        inputs.check_size(file_label(file), size, board.n)
        out.rows_from = error.rows_from if out.rows_from is None else out.rows_from
        inputs.instance_of(out, size, constraints)
        if error.count > 1:
            out.say(f"Board {error.number} of {error.count} has two queens in one column. The rest was not checked.")
        columns, rows = error.squares.T
        counts = [np.unique(line, return_counts=True)[1] for line in (columns, rows, columns + rows, columns - rows)]
        pairs = sum(int((count * (count - 1) // 2).sum()) for count in counts)
        attack = [[column, row + out.rows_from] for column, row in error.pair]
        return [_verdict(size, pairs, attack, {}, None)], "squares of queens", ""
    boards, out.rows_from = found.queens, found.rows_from if out.rows_from is None else out.rows_from
    instance = inputs.instance_of(out, boards.shape[1], constraints)
    verdicts = []
    for done, queens in enumerate(boards, 1):
        verdicts.append(_check(out, queens, instance, threads))
        if len(boards) > 1:
            out.progress("boards", done, len(boards))
    wrong = sum(not verdict.is_right for verdict in verdicts)
    different = len({queens.tobytes() for queens in boards}) if len(boards) > 1 else 1
    differ = "all different" if different == len(boards) else f"{different:,} different"
    rest = f"; {wrong:,} of them {'is not a solution' if wrong == 1 else 'are not solutions'}" if wrong else ""
    queens_each = counted(boards.shape[1], "queen")
    return verdicts, found.kind, f"{_solved(not wrong)}: {len(boards):,} boards, {differ}, of {queens_each} each{rest}."


def _check(out: Output, queens: Queens, instance: fastqueens.Instance | None, threads: int | None) -> _Verdict:
    """Check a board. Missing queens are reported on the squares of the fixed queens."""
    import numpy as np

    from fastqueens.checking import violations

    # The check comes first because it is quick; first_attack uses one thread.
    is_solved = fastqueens.is_solution(queens, threads=threads, **out.callbacks)
    attack = None if is_solved else fastqueens.first_attack(queens, **out.callbacks)
    pairs = 0 if is_solved else fastqueens.attacking_pairs(queens, threads=threads, **out.callbacks)
    squares = dict.fromkeys(_BROKEN, np.empty((0, 2), np.int64))
    if instance is not None:
        found, fixed = violations(queens, instance), instance.fixed.squares
        squares |= {name: np.column_stack((columns, queens[columns])) for name, columns in found._asdict().items()}
        squares["missing"] = fixed[np.isin(fixed[:, 0], found.missing)]
    broken = {name: (listed + np.array([0, out.rows_from])).tolist() for name, listed in squares.items()}
    first = None if attack is None else [[column, int(queens[column]) + out.rows_from] for column in attack]
    return _verdict(len(queens), pairs, first, broken, instance)


def _verdict(
    n: int,
    pairs: int,
    attack: list[list[int]] | None,
    broken: dict[str, list[list[int]]],
    instance: fastqueens.Instance | None,
) -> _Verdict:
    """Return a verdict from the squares of the first attacking pair and of queens that break constraints."""
    is_right = not attack and not any(broken.values())
    figures: dict[str, Any] = {"n": n, "solved": is_right, "pairs": pairs, "first_attack": attack}
    begin = f"{_solved(is_right)}: {counted(n, 'queen')}"
    if attack:
        (left, row), (right, other_row) = attack
        line = "column" if left == right else "row" if row == other_row else "diagonal"
        first = "Attack" if pairs == 1 else "First attack"
        sentences = [
            f"{begin} with {counted(pairs, 'attacking pair')}.",
            f"{first}: column {left}, row {row} and column {right}, row {other_row} share a {line}.",
        ]
    else:
        sentences = [f"{begin}{', and' if is_right else ';'} no two of them share a row or a diagonal."]
    if instance is not None and not any(broken.values()):
        sentences.append(f"The board respects {instance.constraints}.")
    for name, squares in broken.items():
        figures |= {f"{name}_queens": len(squares), f"first_{name}": squares[0] if squares else None}
        if instance is not None and squares:
            of_fixed = f"{len(squares):,} of {counted(len(instance.fixed), 'fixed queen')}"
            broken_by = of_fixed if name == "missing" else counted(len(squares), "queen")
            place = f"{'' if len(squares) == 1 else 'the first '}in column {squares[0][0]}, row {squares[0][1]}"
            sentences.append(f"{click.style(_BROKEN[name], fg='red')}: {broken_by}, {place}.")
    return _Verdict(is_right, figures, sentences)


def _solved(is_right: bool) -> str:
    return click.style("Solved", fg="green") if is_right else click.style("Not solved", fg="red")


@command("fastqueens show board.txt --move-costs\nfastqueens show board.txt -o board.png")
@click.argument("file", metavar="[FILE]", required=False, type=options.INPUT)
@group(
    "Board",
    options.board,
    number("--pick NUMBER", "Draw only this board of a file with several boards. The first board is 1."),
    options.rows_from,
    options.origin,
    option(
        "--move-costs",
        "Show on each square the attacking pairs after its column's queen moves there. Q: queen, *: best move.",
    ),
)
@options.constraints
@group(
    "Picture",
    options.output("Draw a picture in this file (.png .pdf .svg). Above 50,000 queens, it shows their density."),
    number("--mark COLUMN", "Mark the queen in this column, counted from 0, in the picture.", multiple=True),
    options.text("--title TEXT", "Text above the picture."),
    number("--dpi DOTS", "Dots per inch of the picture, between 20 and 1,200."),
    options.theme,
)
@group("Output", options.threads, options.quiet)
def show(out: Output, file: str | None, board: Values, constraints: Values, picture: Values, output: Values) -> None:
    """Draw the board in FILE (- for stdin) as text or as a picture, and count its conflicts.

    The drawing also shows the constraints that are given by options, and a line below it explains the marks. Without
    FILE, only the constraints are drawn. If FILE holds several boards, a terminal shows the first 10.
    """
    has_board = file is not None or board.rows is not None
    _check_show(has_board=has_board, dpi=picture.dpi)
    inputs.check_picture(picture.path, title=picture.title)
    look = {"title": picture.title, "theme": picture.theme, "rows_from": out.rows_from, "origin": out.origin}
    if not has_board:
        instance = inputs.instance_of(out, None, constraints)
        assert instance is not None
        _show(out, None, instance, picture, look)
        asked = f", with {instance.constraints}" if instance.constraints else ""
        out.say(f"n = {instance.n:,}{asked}.")
        return
    boards = inputs.read_boards(out, file, board.rows).queens
    count = len(boards)
    if board.pick is not None:
        boards = boards[check_integer(board.pick, "pick", 1, count) - 1 :][:1]
    if picture.path is not None and len(boards) > 1:
        raise click.UsageError(f"{file_label(file)} holds {counted(count, 'board')}; choose one with --pick NUMBER")
    for column in picture.mark:
        check_integer(column, "mark", 0, boards.shape[1] - 1)
    instance = inputs.instance_of(out, boards.shape[1], constraints)
    shown = boards if out.width is None else boards[:_MOST_SHOWN]
    for at, queens in enumerate(shown, 1):
        if len(boards) > 1:
            out.say(*[""] * (at > 1), click.style(f"Board {at} of {count}", bold=True))
        if board.move_costs:
            _show_costs(out, queens, picture, look)
        else:
            _show(out, queens, instance, picture, look)
        work: dict[str, Any] = {"threads": output.threads, **out.callbacks}
        # For a billion queens, this check takes seconds, whereas counting takes minutes.
        is_solved = fastqueens.is_solution(queens, **work)
        pairs = 0 if is_solved else fastqueens.attacking_pairs(queens, **work)
        conflicting = 0 if is_solved else fastqueens.conflicting_queens(queens, **work)
        figures = {"queen": len(queens), "attacking pair": pairs, "conflicting queen": conflicting}
        out.say(", ".join(counted(number, noun) for noun, number in figures.items()) + ".")
        if instance is not None:
            from fastqueens.checking import violations

            verdict = violations(queens, instance).words or click.style("all respected", fg="green")
            out.say(f"The instance has {instance.constraints or 'no constraints'}: {verdict}.")
    if len(shown) < len(boards):
        rest = counted(len(boards) - len(shown), "more board")
        out.say(f"\n{rest} not shown; choose a board with --pick NUMBER.")


def _check_show(*, has_board: bool, dpi: int | None) -> None:
    """Raise UsageError for options of ``show`` that cannot be combined."""
    if not has_board:
        if not given(*options.PARTS):
            raise click.UsageError("missing argument 'FILE'; give a file, a --board or an --instance FILE")
        refuse("{} needs a board; give FILE or --board", "pick", "mark", "move_costs")
    exclusive("mark", "move_costs")
    if given("move_costs"):
        refuse("--move-costs and {} cannot be combined", *options.PARTS)
    if not given("path"):
        refuse("{} applies to a picture; add -o FILE", "mark", "title", "dpi", "theme")
    if dpi is not None and not _LEAST_DPI <= dpi <= _MOST_DPI:
        raise click.ClickException(f"--dpi must be between {_LEAST_DPI} and {_MOST_DPI:,}, not {dpi:,}")


def _show(
    out: Output, queens: Queens | None, instance: fastqueens.Instance | None, picture: Values, look: dict[str, Any]
) -> None:
    """Draw a board, or an instance without queens, as text or as a picture."""
    if picture.path is None:
        out.result(out.drawing(queens, instance, _PICTURE))
        return
    out.progress(f"drawing {file_label(picture.path)}")
    if queens is not None:
        _save(out, fastqueens.picture(queens, instance=instance, marked=picture.mark, **look, **out.callbacks), picture)
    elif instance is not None:
        from fastqueens.pictures.boards import instance_picture

        _save(out, instance_picture(instance, **look), picture)


def _save(out: Output, drawn: Any, picture: Values) -> None:
    from fastqueens.pictures.saving import save_picture

    out.writing(picture.path)
    save_picture(drawn, picture.path, dpi=picture.dpi or drawn.dpi)
    out.wrote(picture.path)


def _show_costs(out: Output, queens: Queens, picture: Values, look: dict[str, Any]) -> None:
    """Draw the cost of each move, with queens in bold and the best moves in green, and list the best moves."""
    from fastqueens.classroom.moves import best_moves
    from fastqueens.pictures.boards import move_costs_picture
    from fastqueens.pictures.text import draw_move_costs, move_costs_width

    out.progress("costs of moves")
    costs = fastqueens.move_costs(queens)
    best = best_moves(queens, costs)
    reason = out.no_room(move_costs_width(costs), _PICTURE)
    if picture.path is not None:
        out.progress(f"drawing {file_label(picture.path)}")
        _save(out, move_costs_picture(queens, **look), picture)
    elif reason:
        out.result(reason)
    else:
        text = draw_move_costs(costs, queens, best, out.origin)
        text = re.sub(r"\d+Q", lambda found: click.style(found[0], bold=True), text)
        out.result(re.sub(r"\d+\*", lambda found: click.style(found[0], fg="green", bold=True), text))
    if not len(best):
        out.say("No move is possible because the board has only one row.")
        return
    column, row = best[0]
    least = costs[row, column]
    stuck = "Every move adds attacking pairs. " if least > costs[queens[column], column] else ""
    named = [f"column {column} to row {row + out.rows_from}" for column, row in best[:_MOST_NAMED]]
    more = f" and {len(best) - _MOST_NAMED:,} more" if len(best) > _MOST_NAMED else ""
    pairs = counted(int(least), "attacking pair")
    lead = "leads" if len(best) == 1 else "lead"
    out.say(f"{stuck}{counted(len(best), 'best move')}, which {lead} to {pairs}: {', '.join(named)}{more}.")
