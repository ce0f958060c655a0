"""``make fuzz``: run any number of inputs in batches; stop at the first that has a fault, and make it small.

This input is saved, and ``--repeat FILE`` runs it again. An input that kills this process or never ends is saved too,
since each input is saved before it runs.
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

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis.errors import Flaky

from fuzz.inputs import cases
from fuzz.trial import Case, Outcome, try_case

_BATCH = 1000

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
    saved = Path(options.keep)
    if options.repeat:
        _report(try_case(Case.of_text(Path(options.repeat).read_text())))
        return
    counts: collections.Counter[str] = collections.Counter()
    started = time.monotonic()
    for batch in range(-(-options.inputs // _BATCH)):
        size = min(_BATCH, options.inputs - batch * _BATCH)
        _run_batch(size, options.seed + batch, saved, counts)
        done = sum(number for what, number in counts.items() if what.startswith("exit code"))
        figures = ", ".join(f"{what}: {number:,}" for what, number in sorted(counts.items()))
        print(f"{done:,} inputs in {time.monotonic() - started:,.0f} s: {figures}", flush=True)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m fuzz", description=__doc__)
    parser.add_argument("--inputs", type=int, default=100_000, help="number of inputs to run")
    parser.add_argument("--seed", type=int, default=1, help=f"seed of the first {_BATCH} inputs")
    parser.add_argument("--keep", default="fuzz-input.json", help="file for the input that has a fault")
    parser.add_argument("--repeat", metavar="FILE", help="run only this saved input")
    return parser.parse_args()


def _run_batch(size: int, first_seed: int, saved: Path, counts: collections.Counter[str]) -> None:
    """Run a batch; if an input has a fault, make it small, save and report it, and exit."""
    faulty: list[tuple[Case, Outcome]] = []

    @seed(first_seed)
    @settings(
        max_examples=size,
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


if __name__ == "__main__":
    main()
    # Without the teardown of the interpreter, which would wait for threads that never end.
    sys.stdout.flush()
    os._exit(0)
