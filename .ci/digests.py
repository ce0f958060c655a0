"""Counts the boards of tests/boards.json that an installation makes: ``PYTHON .ci/digests.py TESTS [node]``.

TESTS is the folder of the tests; they need only pytest. With ``node``, WebAssembly in node runs the kernels.
"""

from __future__ import annotations

import sys
from contextlib import ExitStack, closing


def main(tests: str, where: str = "") -> None:
    """Print each board that differs, and how many are equal."""
    sys.path.insert(0, tests)
    from test_release import assert_same_board, boards

    equal = 0
    with ExitStack() as stack:
        if where == "node":
            from kernel_calls import kernels_run_by
            from wasm import Node

            stack.enter_context(kernels_run_by(stack.enter_context(closing(Node())).ready))
        for name in boards():
            try:
                assert_same_board(name)
                equal += 1
            except Exception as error:
                print(f"{name}: {type(error).__name__}: {error}")
    print(f"{equal} of {len(boards())}")
    raise SystemExit(0 if equal == len(boards()) else 1)


if __name__ == "__main__":
    main(*sys.argv[1:])
