"""The one way from results up to their pictures; taken when a result is drawn, so that others load no matplotlib."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from fastqueens.pictures.figure import Picture as Picture


def curves_of(result: Any, **options: Any) -> Picture:
    """Draw the course of a search; see :func:`fastqueens.pictures.curves.conflict_curves`."""
    from fastqueens.pictures.curves import conflict_curves

    return conflict_curves(result, **options)


def board_of(result: Any, **options: Any) -> Picture:
    """Draw the board of a result with its instance; see :func:`fastqueens.picture`."""
    from fastqueens.pictures.boards import picture

    return picture(result.queens, **{"instance": result.instance, **options})


def puzzle_of(puzzle: Any) -> Picture:
    """Draw the fixed queens of a puzzle; see :func:`fastqueens.pictures.boards.instance_picture`."""
    from fastqueens.pictures.boards import instance_picture

    return instance_picture(puzzle.instance)


def statistics_of(boards: Any, **options: Any) -> Picture:
    """Draw statistics of boards; see :func:`fastqueens.pictures.statistics.statistics_picture`."""
    from fastqueens.pictures.statistics import statistics_picture

    return statistics_picture(boards, **options)


def study_of(study: Any, **options: Any) -> Picture:
    """Draw a study; see :func:`fastqueens.pictures.studies.study_picture`."""
    from fastqueens.pictures.studies import study_picture

    return study_picture(study, **options)


def climbs_of(climbs: Any, **options: Any) -> Picture:
    """Draw the costs of climbs; see :func:`fastqueens.pictures.studies.climb_picture`."""
    from fastqueens.pictures.studies import climb_picture

    return climb_picture(climbs, **options)
