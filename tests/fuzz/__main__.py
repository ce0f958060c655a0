"""``make fuzz``: run any number of inputs in batches; stop at the first that has a fault, and make it small.

Most inputs are files, which the readers get directly; one in fifty is a command with options and files. This input is
saved, and ``--repeat FILE`` runs it again. An input that kills this process or never ends is saved too, since each
input is saved before it runs.
"""

from __future__ import annotations

import argparse
import collections
import faulthandler
import json
import os
import resource
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis.errors import Flaky

from fuzz.files import FileCase, counters, made_small, try_file, watching
from fuzz.formats import drawn
from fuzz.inputs import cases
from fuzz.trial import Case, Outcome, try_case

_BATCH = 50_000

#: One in so many inputs is a command.
_COMMAND_SHARE = 50

#: Seconds after which an input that ignores the stop callback ends this process.
_HARD_TIME_LIMIT = 240

#: Bytes: more than inputs as small as these need, in memory and in a file.
_ADDRESS_SPACE = 6_000_000_000
_FILE_SIZE = 200_000_000


def main() -> None:
    """Run the fuzzing; the exit code is 1 if an input has a fault."""
    options = _options()
    resource.setrlimit(resource.RLIMIT_AS, (_ADDRESS_SPACE, resource.RLIM_INFINITY))
    resource.setrlimit(resource.RLIMIT_FSIZE, (_FILE_SIZE, resource.RLIM_INFINITY))
    if options.repeat:
        _repeat(Path(options.repeat).read_text())
        return
    saved = Path(options.keep)
    commit = _commit()  # now, since a run takes long
    commands: collections.Counter[str] = collections.Counter()
    formats = counters()
    started = time.monotonic()
    for first in range(0, options.inputs, _BATCH):
        size = min(_BATCH, options.inputs - first)
        for_commands = size // _COMMAND_SHARE
        _run_files(range(options.seed + first, options.seed + first + size - for_commands), saved, formats)
        _run_commands(for_commands, options.seed + first // _BATCH, saved, commands)
        print(f"{first + size:,} inputs in {time.monotonic() - started:,.0f} s", flush=True)
    rows = _rows(formats, commands)
    for row in rows:
        print(f"{row['what']}: " + ", ".join(f"{count:,} {outcome}" for outcome, count in row["outcomes"].items()))
    if options.record:
        _record(rows, commit)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m fuzz", description=__doc__)
    parser.add_argument("--inputs", type=int, default=100_000, help="number of inputs to run")
    parser.add_argument("--seed", type=int, default=1, help="number of the first file")
    parser.add_argument("--keep", default="fuzz-input.json", help="file for the input that has a fault")
    parser.add_argument("--repeat", metavar="FILE", help="run only this saved input")
    parser.add_argument("--record", action="store_true", help="store the counts in bench/results/fuzz.json")
    return parser.parse_args()


def _repeat(text: str) -> None:
    if "format" not in json.loads(text):
        _report(try_case(Case.of_text(text)))
        return
    with watching() as watch:
        outcome, faults = try_file(FileCase.of_text(text), watch)
    print(f"{outcome}: {'; '.join(faults) or 'no faults'}")


def _run_files(numbers: range, saved: Path, counts: dict[str, dict[str, int]]) -> None:
    """Read files; if one has a fault, make it small, save and report it, and exit."""
    with watching() as watch:
        for number in numbers:
            case = FileCase(*drawn(number))
            saved.write_text(case.as_text())
            faulthandler.dump_traceback_later(_HARD_TIME_LIMIT, exit=True, file=sys.__stderr__)
            outcome, faults = try_file(case, watch)
            counts[case.name][outcome] += 1
            if faults:
                small = made_small(case, watch)
                saved.write_text(small.as_text())
                shown = "; ".join(try_file(small, watch)[1] or faults)
                sys.exit(f"{shown}\n{small.name}: {small.content[:200]!r}\nfile {number}: saved in {saved}")
    faulthandler.cancel_dump_traceback_later()
    saved.unlink(missing_ok=True)


def _run_commands(size: int, first_seed: int, saved: Path, counts: collections.Counter[str]) -> None:
    """Run commands; if one has a fault, make it small, save and report it, and exit."""
    faulty: list[tuple[Case, Outcome]] = []

    @seed(first_seed)
    @settings(
        max_examples=max(1, size),
        deadline=None,
        database=None,
        report_multiple_bugs=False,
        phases=[Phase.generate, Phase.shrink],
        suppress_health_check=list(HealthCheck),
    )
    @given(cases)
    def check(case: Case) -> None:
        saved.write_text(case.as_text())
        faulthandler.dump_traceback_later(_HARD_TIME_LIMIT, exit=True)
        outcome = try_case(case)
        faulthandler.cancel_dump_traceback_later()
        if not faulty:
            counts[f"exit code {outcome.exit_code}"] += 1
        if outcome.faults:
            faulty.append((case, outcome))
        assert not outcome.faults

    try:
        check()
    except (AssertionError, Flaky):
        # Hypothesis runs the smallest one last.
        case, outcome = faulty[-1]
        saved.write_text(case.as_text())
        _report(outcome)
        sys.exit(f"seed {first_seed}: saved in {saved}")
    saved.unlink(missing_ok=True)


def _report(outcome: Outcome) -> None:
    print(f"exit code {outcome.exit_code}: {'; '.join(outcome.faults) or 'no faults'}")
    print(outcome.stdout.decode(errors="backslashreplace"), outcome.stderr, sep="\n", flush=True)


def _rows(formats: dict[str, dict[str, int]], commands: collections.Counter[str]) -> list[dict[str, Any]]:
    """Return a row for each format, and one for all commands."""
    rows = [{"what": name, "outcomes": counts} for name, counts in formats.items()]
    return [*rows, {"what": "commands", "outcomes": dict(sorted(commands.items()))}]


def _commit() -> str:
    """Return the commit of this code, or "" if it is not in a repository."""
    found = subprocess.run(["git", "describe", "--always", "--dirty"], capture_output=True, text=True, check=False)
    return found.stdout.strip()


def _record(rows: list[dict[str, Any]], commit: str) -> None:
    """Store the counts of a run without faults, and show them in docs/trust.md; a run ends at its first fault."""
    from bench import machine, report

    report.store("fuzz", {**machine.describe(), "commit": commit}, rows)
    report.update_pages()


if __name__ == "__main__":
    main()
    # Without the teardown of the interpreter, which would wait for threads that never end.
    sys.stdout.flush()
    os._exit(0)
