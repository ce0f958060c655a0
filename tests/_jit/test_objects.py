"""What numba compiles for libraries: without floats, reference counts and risky options, by documented means."""

import ast
import json
import logging
import os
import subprocess
import sys
from pathlib import Path

import pytest
from processes import REPOSITORY

import fastqueens
from fastqueens._jit import cache

#: Compiles all kernels without pointers that know what they point to, which llvmlite will give up.
COLD = """
import gc, json
from fastqueens._jit import objects
from fastqueens._jit.decorators import Kernel
from fastqueens._jit.types import declared
from fastqueens.kernels import all_kernels

def report_on(function):
    dispatcher = objects._dispatchers.of(function)
    kinds = {str(kind) for compiled in dispatcher.overloads.values()
             for kind in (compiled.signature, *compiled.type_annotation.typemap.values())}
    code = "".join(dispatcher.inspect_llvm().values())
    return {"name": function.__name__, "compiled": len(dispatcher.overloads),
            "floats": sorted(kind for kind in kinds if "float" in kind),
            "counts_references": "NRT_incref" in code or "NRT_decref" in code,
            "options": [name for name, on in dispatcher.targetoptions.items() if on]}

for kernel in all_kernels():
    for kinds in declared(kernel.py_func):
        objects.object_file(kernel, kinds, objects.here())
print(json.dumps([report_on(value) for value in gc.get_objects() if issubclass(type(value), Kernel)]))
"""


@pytest.mark.gate
def test_kernels_are_compiled_without_floats_references_and_risky_options():
    """Most versions of numba turn a mix of int64 and uint64 into float64, which silently loses the lowest bits.

    With reference counts for each array of a named tuple, kernels took twice as long.
    """
    settings = {"PYTHONPATH": str(REPOSITORY), "LLVMLITE_ENABLE_IR_LAYER_TYPED_POINTERS": "0"}
    done = subprocess.run([sys.executable, "-c", COLD], env=os.environ | settings, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    kernels = json.loads(done.stdout)
    assert len(kernels) > 100
    for kernel in kernels:
        name = kernel["name"]
        assert kernel["compiled"], name
        assert (kernel["floats"], kernel["counts_references"]) == ([], False), name
        assert not {"fastmath", "parallel", "boundscheck", "error_model"} & set(kernel["options"]), name
        assert {"nogil", "forceinline"} & set(kernel["options"]), name


def test_only_documented_modules_of_numba_and_llvmlite_are_imported():
    documented = {"numba", "numba.extending", "llvmlite"}
    for path in Path(fastqueens.__file__).parent.rglob("*.py"):
        imports = [
            node for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.Import | ast.ImportFrom)
        ]
        modules = {getattr(node, "module", None) or name.name for node in imports for name in node.names}
        assert {name for name in modules if name.startswith(("numba", "llvmlite"))} <= documented, path


def test_numba_logs_only_on_request(caplog):
    """At the level DEBUG, it logs thousands of messages per kernel."""
    log = logging.getLogger("numba")
    with cache._quiet_numba():
        assert not log.isEnabledFor(logging.INFO)
    caplog.set_level(logging.DEBUG, "numba")
    with cache._quiet_numba():
        assert log.isEnabledFor(logging.DEBUG)
