"""The command ``verify``: are boards solutions, and if not, why."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import click

import fastqueens
from fastqueens._run.text import counted
from fastqueens.cli import inputs, options
from fastqueens.cli.options import INPUT, ConstraintOptions, Group, Report, argument, command, option
from fastqueens.cli.output import Figures, file_label, say
from fastqueens.cli.session import ExitCode, Session
from fastqueens.errors import InputError, printable

if TYPE_CHECKING:
    from fastqueens.board import Queens

#: The kinds of constraints that a board can break, with the beginning of the sentence about each.
_BROKEN = {"missing": "Missing", "blocked": "On a blocked square", "excluded": "On an excluded diagonal"}


class _Verdict(NamedTuple):
    """The verdict on a board, as figures for JSON and as sentences."""

    is_right: bool
    figures: Figures
    sentences: list[str]


def _first_row(text: str) -> int | None:
    return None if text == "auto" else options.first_row(text)


class _Board(Group):
    files: tuple[str, ...] = argument("FILE...", INPUT)
    n: int | None = option("-n N", "Require this number of queens. Boards of another size are rejected.")
    rows: str | None = options.rows
    rows_from: int | None = option(
        "--rows-from NUMBER", "Count rows from 0 (default) or 1, or auto: as each file shows.", _first_row, default="0"
    )


class _Output(Report):
    threads: int | None = options.threads
    verbose: bool = option("-v --verbose", "Also print the format of each FILE.")


@command('fastqueens verify --board "1 3 0 2"\nfastqueens verify -n 8 answers/*.txt')
def verify(session: Session, board: _Board, constraints: ConstraintOptions, output: _Output) -> int:
    """Check whether boards in files (- for stdin) are solutions, and name the mistakes.

    For a wrong board, the report names one attacking pair (the first one met from the left) and counts the queens that
    break each constraint. If a file holds several boards, the report has a line for each wrong board. If several files
    are checked, it has a line for each file.

    The exit code is 0 if all boards are solutions, 1 if a board is not a solution, and 2 if a file cannot be read.
    """
    if not board.files and board.rows is None:
        raise click.UsageError("missing argument 'FILE'; give a file or a --board")
    exit_codes: list[int] = []
    is_auto = board.rows_from is None
    answers: list[Figures] = []
    for file in board.files or [None]:
        try:
            verdicts, kind, summary = _judge(session, file, board, constraints, output.threads)
        except (InputError, OSError) as error:
            if len(board.files) < 2:
                raise
            exit_codes.append(ExitCode.USAGE)
            answers.append({"file": file, "error": str(error)})
            message = f"{session.painted('Cannot be read', 'attack')}: {printable(str(error))}"
            if session.quiet:  # an error, not a verdict
                say(message, err=True)
            else:
                session.say(message)
            continue
        wrong = [number for number, verdict in enumerate(verdicts, 1) if not verdict.is_right]
        exit_codes.append(ExitCode.NOT_SOLVED if wrong else ExitCode.SOLVED)
        figures = [verdict.figures for verdict in verdicts]
        lines = [f"Board {number}: {' '.join(verdicts[number - 1].sentences)}" for number in wrong]
        if len(verdicts) == 1:
            summary, *lines = verdicts[0].sentences
        if is_auto:
            figures = [{**each, "rows_from": session.rows_from} for each in figures]
            summary += f" Rows count from {session.rows_from}."
        if output.verbose:
            session.say(f"Format of {file_label(file)}: {kind}.")
        if len(board.files) < 2:
            answers = figures
            session.say(*([summary, *lines] if len(verdicts) == 1 else [*lines, summary]))
        else:
            answers.append({"file": file} | (figures[0] if len(figures) == 1 else {"boards": figures}))
            shown = lines if len(verdicts) == 1 else lines[:1]
            session.say(f"{printable(file_label(file))}: {' '.join([summary, *shown])}")
    if session.as_json:
        session.json(answers if len(answers) > 1 else answers[0])
    return max(exit_codes)


def _judge(
    session: Session, file: str | None, board: _Board, constraints: ConstraintOptions, threads: int | None
) -> tuple[list[_Verdict], str, str]:
    """Read and check boards; return the verdicts, the format of the file, and a sentence about all boards."""
    import numpy as np

    from fastqueens.files.board_forms import SharedColumnError

    is_auto = board.rows_from is None
    try:
        found = inputs.read_boards(session, file, board.rows, board.n, is_auto=is_auto)
    except SharedColumnError as error:  # a wrong board rather than a file that cannot be read
        size = len(error.squares)
        inputs.check_size(file_label(file), size, board.n)
        session.rows_from = error.rows_from if is_auto else session.rows_from
        inputs.instance_of(session, size, constraints)
        if error.count > 1:
            session.say(
                f"Board {error.number} of {error.count} has two queens in one column. The rest was not checked."
            )
        columns, rows = error.squares.T
        counts = [np.unique(line, return_counts=True)[1] for line in (columns, rows, columns + rows, columns - rows)]
        pairs = sum(int((count * (count - 1) // 2).sum()) for count in counts)
        attack = [[column, row + session.rows_from] for column, row in error.pair]
        return [_verdict(session, size, pairs, attack, {}, None)], "squares of queens", ""
    boards, session.rows_from = found.queens, found.rows_from if is_auto else session.rows_from
    instance = inputs.instance_of(session, boards.shape[1], constraints)
    verdicts = []
    for done, queens in enumerate(boards, 1):
        verdicts.append(_check(session, queens, instance, threads))
        if len(boards) > 1:
            session.progress("boards", done, len(boards))
    wrong = sum(not verdict.is_right for verdict in verdicts)
    different = len({queens.tobytes() for queens in boards}) if len(boards) > 1 else 1
    differ = "all different" if different == len(boards) else f"{different:,} different"
    rest = f"; {wrong:,} of them {'is not a solution' if wrong == 1 else 'are not solutions'}" if wrong else ""
    queens_each = counted(boards.shape[1], "queen")
    verdict = _solved(session, not wrong)
    return verdicts, found.kind, f"{verdict}: {len(boards):,} boards, {differ}, of {queens_each} each{rest}."


def _check(session: Session, queens: Queens, instance: fastqueens.Instance | None, threads: int | None) -> _Verdict:
    """Check a board. Missing queens are reported on the squares of the fixed queens."""
    import numpy as np

    from fastqueens.checking import violations

    # The check comes first because it is quick; first_attack uses one thread.
    is_solved = fastqueens.is_solution(queens, threads=threads, **session.callbacks)
    attack = None if is_solved else fastqueens.first_attack(queens, **session.callbacks)
    pairs = 0 if is_solved else fastqueens.attacking_pairs(queens, threads=threads, **session.callbacks)
    squares = dict.fromkeys(_BROKEN, np.empty((0, 2), np.int64))
    if instance is not None:
        found, fixed = violations(queens, instance), instance.fixed.squares
        squares |= {name: np.column_stack((columns, queens[columns])) for name, columns in found._asdict().items()}
        squares["missing"] = fixed[np.isin(fixed[:, 0], found.missing)]
    broken = {name: (listed + np.array([0, session.rows_from])).tolist() for name, listed in squares.items()}
    first = None if attack is None else [[column, int(queens[column]) + session.rows_from] for column in attack]
    return _verdict(session, len(queens), pairs, first, broken, instance)


def _verdict(
    session: Session,
    n: int,
    pairs: int,
    attack: list[list[int]] | None,
    broken: dict[str, list[list[int]]],
    instance: fastqueens.Instance | None,
) -> _Verdict:
    """Return a verdict from the squares of the first attacking pair and of queens that break constraints."""
    is_right = not attack and not any(broken.values())
    figures: Figures = {"n": n, "solved": is_right, "pairs": pairs, "first_attack": attack}
    begin = f"{_solved(session, is_right)}: {counted(n, 'queen')}"
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
            sentences.append(f"{session.painted(_BROKEN[name], 'attack')}: {broken_by}, {place}.")
    return _Verdict(is_right, figures, sentences)


def _solved(session: Session, is_right: bool) -> str:
    return session.painted("Solved", "solved") if is_right else session.painted("Not solved", "attack")
