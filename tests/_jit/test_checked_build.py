"""The bounds-checked build detects an index that is one too large, in kernels that once wrote beyond their arrays.

Run it with ``make test-checked``. Each test compiles a kernel from its source with one deliberate mistake.
"""

import importlib
import inspect
import textwrap

import numpy as np
import pytest

from fastqueens._jit import compiler, decorators, store
from fastqueens.instance import make_instance
from fastqueens.kernels import checking as verification_kernel
from fastqueens.kernels import windows as windows_kernel
from fastqueens.placement.arrays import empty_bitsets

pytestmark = [
    pytest.mark.checked,
    pytest.mark.skipif(not store.IS_CHECKED, reason="the kernels are compiled without bounds checks"),
]

U64 = np.uint64
N = 1000


def with_mistake(module, name, right, wrong):
    """Compile a kernel again with one expression replaced."""
    source = textwrap.dedent(inspect.getsource(getattr(module, name).py_func))
    assert source.count(right) == 1
    names = dict(vars(module))
    exec(source.replace(right, wrong), names)
    return names[name]


def list_unused_rows(kernel):
    kernel(empty_bitsets(make_instance(N)), np.empty(N, np.uint32), 0, len(empty_bitsets(make_instance(N)).rows))


def claim_all_lines(kernel):
    words = -(-N // 64)
    kernel(np.full(N, N, np.int32), *(np.zeros(kinds * words, np.uint64) for kinds in (1, 2, 2)), 0, N)


MISTAKES = [
    (windows_kernel, "list_unused_rows", "range(first, last)", "range(first, last + 1)", list_unused_rows),
    (verification_kernel, "claim_all_lines", "min(row, n - ONE)", "(row + n)", claim_all_lines),
]
IDS = [f"{name}: {wrong}" for _, name, _, wrong, _ in MISTAKES]


@pytest.mark.parametrize(("module", "name", "right", "wrong", "call"), MISTAKES, ids=IDS)
def test_an_index_that_is_one_too_large_raises_an_error(module, name, right, wrong, call):
    call(getattr(module, name))
    with pytest.raises(IndexError, match="index is out of bounds"):
        call(with_mistake(module, name, right, wrong))


KERNEL_FILES = [
    path for path in store.sources() if path.parent.name == "kernels" and not path.stem.endswith("vectors")
]


@pytest.mark.parametrize("path", KERNEL_FILES, ids=lambda path: path.stem)
def test_every_compiled_function_has_bounds_checks(path):
    module = importlib.import_module(f"fastqueens.{path.parent.name}.{path.stem}")
    functions = [value for value in vars(module).values() if isinstance(value, decorators.Kernel)]
    own = [compiler.dispatchers.of(function) for function in functions]
    assert own
    assert all(function.targetoptions.get("boundscheck") for function in own)
