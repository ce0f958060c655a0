"""Studies in files: ``.csv`` with a line for each rule and board size, ``.json`` with the histograms too."""

from __future__ import annotations

import csv
import json

from fastqueens.classroom.study import Study
from fastqueens.files.atomic import atomic_write
from fastqueens.files.names import FileName, checked_suffix

STUDY_FORMATS = (".csv", ".json")


def check_study_suffix(path: FileName) -> str:
    """Return the suffix in lower case; raise :class:`InputError` if no format has it."""
    return checked_suffix(path, STUDY_FORMATS)


def write_study(path: FileName, study: Study) -> None:
    """Write a study in the format of the suffix, atomically.

    Parameters
    ----------
    path : str or path
        The file; an existing one is replaced when the new one is complete.
    study : Study
        CSV gets the figures of :meth:`Row.figures`, with the seed and limits of the study on each line; a missing
        figure is an empty field. JSON gets :meth:`Study.as_dict`.

    Raises
    ------
    InputError
        If the suffix is unknown or the file cannot be written.
    """
    suffix = check_study_suffix(path)
    with atomic_write(path, "w") as file:
        if suffix == ".json":
            json.dump(study.as_dict(), file)
            file.write("\n")
        else:
            settings = {
                "seed": study.seed,
                "sideways_limit": study.sideways_limit,
                "restart_limit": study.restart_limit,
            }
            lines = [{**row.figures(), **settings} for row in study.rows]
            writer = csv.DictWriter(file, list(lines[0]), lineterminator="\n")
            writer.writeheader()
            writer.writerows(lines)
