"""Studies in files: ``.csv`` with one line a rule and board size, ``.json`` with the histograms too."""

from __future__ import annotations

import csv
import json

from fastqueens.classroom.study import Study
from fastqueens.wholefile import FileName, checked_suffix, whole_file

STUDY_FORMATS = (".csv", ".json")


def check_study_suffix(path: FileName) -> str:
    """The suffix in lower case, or :class:`fastqueens.InputError` naming the formats there are."""
    return checked_suffix(path, STUDY_FORMATS)


def write_study(path: FileName, study: Study) -> None:
    """Write a study in the format of the suffix, whole or not at all.

    Parameters
    ----------
    path : str or path
        Where to; an earlier file of that name is replaced when the new one is complete.
    study : Study
        In CSV its figures as in :meth:`Row.figures`, and on each line its seed and limits; a figure that is not there
        is an empty field. In JSON all that :meth:`Study.as_dict` gives.

    Raises
    ------
    InputError
        For an unknown suffix, and where the file cannot be written.
    """
    suffix = check_study_suffix(path)
    with whole_file(path, "w") as file:
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
