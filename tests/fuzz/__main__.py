"""``make fuzz``: as many inputs as asked for, in batches; stops at the first that goes wrong, made as small as can be.

An input that goes wrong is kept as a file, and ``--repeat FILE`` runs it again. One that kills this process, or never
ends, is kept too: each input is written down before it is run.
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

#: Seconds after which an input that does not even answer to the wish to stop ends this process.
_LAST_PATIENCE = 240

#: Bytes: nobody needs more of the memory for inputs as small as these, nor of a file.
_ADDRESS_SPACE = 6_000_000_000
_FILE_SIZE = 200_000_000


def main() -> None:
    """Run the fuzzing; the exit code is 1 where something went wrong."""
    given_options = _options()
    resource.setrlimit(resource.RLIMIT_AS, (_ADDRESS_SPACE, resource.RLIM_INFINITY))
    resource.setrlimit(resource.RLIMIT_FSIZE, (_FILE_SIZE, resource.RLIM_INFINITY))
    kept = Path(given_options.keep)
    if given_options.repeat:
        _tell(try_case(Case.of_text(Path(given_options.repeat).read_text())))
        return
    counts: collections.Counter[str] = collections.Counter()
    begun = time.monotonic()
    for batch in range(-(-given_options.inputs // _BATCH)):
        size = min(_BATCH, given_options.inputs - batch * _BATCH)
        _run_batch(size, given_options.seed + batch, kept, counts)
        done = sum(number for what, number in counts.items() if what.startswith("exit code"))
        figures = ", ".join(f"{what}: {number:,}" for what, number in sorted(counts.items()))
        print(f"{done:,} inputs in {time.monotonic() - begun:,.0f} s: {figures}", flush=True)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m fuzz", description=__doc__)
    parser.add_argument("--inputs", type=int, default=100_000, help="how many inputs to run")
    parser.add_argument("--seed", type=int, default=1, help=f"of the first {_BATCH}")
    parser.add_argument("--keep", default="fuzz-input.json", help="where to keep the input that went wrong")
    parser.add_argument("--repeat", metavar="FILE", help="run this kept input again, and nothing else")
    return parser.parse_args()


def _run_batch(size: int, first_seed: int, kept: Path, counts: collections.Counter[str]) -> None:
    """Run a batch; what goes wrong is made small, kept and told, and ends the process."""
    wrong: list[tuple[Case, Outcome]] = []

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
        kept.write_text(case.as_text())
        faulthandler.dump_traceback_later(_LAST_PATIENCE, exit=True)
        outcome = try_case(case)
        faulthandler.cancel_dump_traceback_later()
        if not wrong:
            counts[f"exit code {outcome.exit_code}"] += 1
        if outcome.faults:
            wrong.append((case, outcome))
        assert not outcome.faults

    try:
        check()
    except (AssertionError, Flaky):
        # The last one that hypothesis has run is the smallest.
        case, outcome = wrong[-1]
        kept.write_text(case.as_text())
        _tell(outcome)
        sys.exit(f"seed {first_seed}: kept in {kept}")
    kept.unlink(missing_ok=True)


def _tell(outcome: Outcome) -> None:
    print(f"exit code {outcome.exit_code}: {'; '.join(outcome.faults) or 'all is well'}")
    print(outcome.stdout.decode(errors="backslashreplace"), outcome.stderr, sep="\n", flush=True)


if __name__ == "__main__":
    main()
    # Past the teardown of the interpreter: threads that wait for nothing may be left.
    sys.stdout.flush()
    os._exit(0)
