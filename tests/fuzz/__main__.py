"""``make fuzz``: run any number of inputs; stop at the first that has a fault.

Most inputs are files, which the readers get directly; one in fifty is a command with options and files. This input is
saved, and ``--repeat FILE`` runs it again. An input that kills this process or never ends is saved too, since each
input is saved before it runs.
"""

from __future__ import annotations

import argparse
import collections
import faulthandler
import os
import resource
import sys
import time
from pathlib import Path

from fuzz.commands import drawn_command
from fuzz.damage import drawn_file
from fuzz.trial import Case, Outcome, try_case

#: One in so many inputs is a command.
_COMMAND_SHARE = 50

#: Inputs between two lines of progress.
_BATCH = 50_000

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
        report(try_case(Case.of_text(Path(options.repeat).read_text())))
        return
    counts: dict[str, collections.Counter[str]] = collections.defaultdict(collections.Counter)
    started = time.monotonic()
    for number in range(options.seed, options.seed + options.inputs):
        what, case = drawn(number)
        counts[what][_run(case, number, Path(options.keep))] += 1
        if (done := number + 1 - options.seed) % _BATCH == 0:
            print(f"{done:,} inputs in {time.monotonic() - started:,.0f} s", flush=True)
    Path(options.keep).unlink(missing_ok=True)
    for what, outcomes in sorted(counts.items()):
        print(f"{what}: " + ", ".join(f"{count:,} {outcome}" for outcome, count in sorted(outcomes.items())))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m fuzz", description=__doc__)
    parser.add_argument("--inputs", type=int, default=100_000, help="number of inputs to run")
    parser.add_argument("--seed", type=int, default=1, help="number of the first input")
    parser.add_argument("--keep", default="fuzz-input.json", help="file for the input that has a fault")
    parser.add_argument("--repeat", metavar="FILE", help="run only this saved input")
    return parser.parse_args()


def drawn(number: int) -> tuple[str, Case]:
    """Return an input and its kind, which depend on its number alone."""
    if number % _COMMAND_SHARE == 0:
        return "commands", drawn_command(number)
    name, content = drawn_file(number)
    return name, Case((), {name: content})


def _run(case: Case, number: int, saved: Path) -> str:
    """Save and run an input; if it has a fault, report it and exit."""
    saved.write_text(case.as_text())
    faulthandler.dump_traceback_later(_HARD_TIME_LIMIT, exit=True, file=sys.__stderr__)
    outcome = try_case(case)
    faulthandler.cancel_dump_traceback_later()
    if outcome.faults:
        report(outcome)
        sys.exit(f"input {number}: saved in {saved}")
    return outcome.what


def report(outcome: Outcome) -> None:
    """Print what an input did."""
    print(f"{outcome.what}: {'; '.join(outcome.faults) or 'no faults'}")
    print(outcome.stdout.decode(errors="backslashreplace"), outcome.stderr, sep="\n", flush=True)


if __name__ == "__main__":
    main()
    # Without the teardown of the interpreter, which would wait for threads that never end.
    sys.stdout.flush()
    os._exit(0)
