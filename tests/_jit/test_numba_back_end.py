"""Numba as the back end: it runs everything, with the same answers, even if the loader cannot use its version."""

import ast
import importlib
import inspect
import json
import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import another_numba
import numba
import numpy as np
import pytest
from llvmlite import binding as llvm
from llvmlite import ir
from processes import process, timeless

from fastqueens import _jit
from fastqueens._jit import decorators, functions, instructions, numba_back_end, prebuilt, store
from fastqueens._jit.decorators import inlined, kernel
from fastqueens._jit.functions import Instruction
from fastqueens._jit.types import declared, int64, uint64
from fastqueens.kernels import bits

NAMES = another_numba.undocumented_names()


def test_the_names_that_the_loader_uses_are_found():
    assert {"targetctx", "_get_compiled_object", "_nrt", "no_cfunc_wrapper"} <= set(NAMES)


# Without the names, in this process


@inlined
def doubled(number):
    return number + number


@kernel
def fill_with_double(numbers: uint64[:], number: int64):
    for at in range(len(numbers)):
        numbers[at] = bits.count_ones(np.uint64(doubled(number)))
    return doubled(number)


@pytest.fixture
def empty_store(tmp_path, monkeypatch):
    """No compiled code is stored, and none comes with the package."""
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    monkeypatch.delenv("FASTQUEENS_BACK_END", raising=False)
    monkeypatch.setattr(prebuilt, "codes", lambda: (None, {}))
    store._place.cache_clear()
    yield
    monkeypatch.undo()
    store._place.cache_clear()


@pytest.fixture
def without(monkeypatch):
    """Return a function that lets the compiler be imported without some names."""

    def without(*names):
        monkeypatch.setattr(sys, "meta_path", [another_numba.Finder(names), *sys.meta_path])
        monkeypatch.delitem(sys.modules, another_numba.MODULE, raising=False)
        monkeypatch.delattr(_jit, "compiler", raising=False)

    return without


@pytest.mark.parametrize("name", NAMES)
def test_a_version_of_numba_without_a_name_makes_numba_run_the_kernels(name, empty_store, without, caplog):
    without(name)
    # The kernel of the loader's test has no inlined function, so it can pass the test without the option for them.
    reason = decorators.reason_for_numba.__wrapped__()
    assert f"no_{name}" in reason if name != "forceinline" else reason is None
    numbers = np.zeros(3, np.uint64)
    call = decorators.loader(fill_with_double, *declared(fill_with_double.py_func))
    assert call([], (numbers, 3)) == 6
    assert numbers.tolist() == [2, 2, 2]
    assert all(f"no_{name}" in message for message in caplog.messages if message.startswith("numba runs"))
    assert "numba runs a kernel" in caplog.text


def test_reference_counts_are_switched_off_if_numba_can(monkeypatch):
    assert numba_back_end._plain_options() == {"nogil": True, "_nrt": False}
    monkeypatch.setattr(numba, "njit", another_numba.without_undocumented_options(numba.njit))
    assert numba_back_end._plain_options() == {"nogil": True}


ONE_INSTRUCTION = """
import numpy as np
from fastqueens._jit.decorators import kernel
from fastqueens.kernels import bits

@kernel
def ones(word):
    return bits.count_ones(word)

print(ones(np.uint64(7)))
"""


def test_the_first_kernel_of_a_process_can_use_an_instruction(tmp_path):
    environment = os.environ | {"NUMBA_CACHE_DIR": str(tmp_path), "FASTQUEENS_BACK_END": "numba"}
    command = [sys.executable, "-c", ONE_INSTRUCTION]
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    assert done.stdout == "3\n", done.stderr


def test_an_instruction_cannot_be_called_by_python():
    with pytest.raises(TypeError, match="only kernels can use the instruction count_ones"):
        bits.count_ones(np.uint64(3))


# Without any of the names, in processes of their own

COMMANDS = {
    "solve": "solve 3000 --seed 1 -o solved.txt",
    "count": "solve 8 --count --json",
    "sample": "sample 40 --count 3 --seed 1 -o sampled.txt",
    "study": "study 6 --rules sideways,annealing --runs 40 --seed 1 --json",
    "info": "info --json",
}


def outputs(folder, before=""):
    """Run all commands in a folder; return the output and files of each one, and the text on stderr."""
    folder.mkdir()
    environment = {"NUMBA_CACHE_DIR": str(folder / "cache"), "FASTQUEENS_BACK_END": ""}
    before += "; from fastqueens._jit import prebuilt; prebuilt.codes = lambda: (None, {})"
    found, errors = {}, ""
    for name, command in COMMANDS.items():
        done = process(*command.split(), cwd=folder, before=before, env=environment)
        assert done.returncode == 0, done.stderr
        found[name] = json.loads(done.stdout) if "--json" in command else (folder / f"{name}d.txt").read_text()
        errors += done.stderr
    return {**found, "study": timeless(found["study"])}, errors


@pytest.mark.gate
def test_without_any_of_the_names_every_command_gives_the_same_answers(tmp_path):
    path = str(Path(another_numba.__file__).parent)
    remove = f"import sys; sys.path.insert(0, {path!r}); import another_numba; another_numba.remove({NAMES!r})"
    expected, errors = outputs(tmp_path / "loader", "import sys")
    found, warnings = outputs(tmp_path / "numba", remove)
    assert (expected.pop("info")["back_end"], errors.count("numba runs")) == ("loader", 0)
    assert (found.pop("info")["back_end"], warnings.count("numba runs")) == ("numba", len(COMMANDS))
    assert found == expected


# Public names only


INSTRUCTION_MODULES = [importlib.import_module(name) for name in sorted(functions.instruction_modules)]


@pytest.mark.parametrize("module", [numba_back_end, *INSTRUCTION_MODULES], ids=lambda module: module.__name__)
def test_only_documented_modules_of_numba_are_imported(module):
    tree = ast.parse(inspect.getsource(module))
    imports = [node for node in ast.walk(tree) if isinstance(node, ast.Import | ast.ImportFrom)]
    names = {getattr(node, "module", None) or name.name for node in imports for name in node.names}
    assert [name for name in names if not another_numba.is_documented(name)] == []


# Pointers without the type of what they point to

INSTRUCTIONS = [one.__name__ for one in vars(bits).values() if isinstance(one, Instruction)]
#: The parameters that are arrays, and the bits of their items.
ARRAYS = dict.fromkeys(["lanes", "words", "array", "domains", "keep", "keys"], 64) | {"queens": 32}


def array(builder, width, data):
    """Return an array in the form that instructions receive, where numba knows only the address of its items."""
    kind = SimpleNamespace(dtype=SimpleNamespace(bitwidth=width))
    context = SimpleNamespace(make_array=lambda kind: lambda context, builder, value: SimpleNamespace(data=value))
    return instructions.Array(context, builder, kind, data)


@pytest.mark.parametrize("name", INSTRUCTIONS)
def test_instructions_need_no_pointers_with_types(name, monkeypatch):
    typed = ir.Type.as_pointer  # which llvmlite still needs for functions

    def as_pointer(kind, addrspace=0):
        return typed(kind, addrspace) if isinstance(kind, ir.FunctionType) else ir.PointerType()

    monkeypatch.setattr(ir.Type, "as_pointer", as_pointer)
    (write,) = (vars(module)[name] for module in INSTRUCTION_MODULES if name in vars(module))
    parameters = list(inspect.signature(write).parameters)[1:]
    kinds = [ir.PointerType() if parameter in ARRAYS else ir.IntType(64) for parameter in parameters]
    module = ir.Module()
    function = ir.Function(module, ir.FunctionType(ir.VoidType(), kinds), name)
    builder = ir.IRBuilder(function.append_basic_block())
    arguments = [
        array(builder, ARRAYS[parameter], value) if parameter in ARRAYS else value
        for parameter, value in zip(parameters, function.args, strict=True)
    ]
    write(builder, *arguments)
    builder.ret_void()
    if llvm.llvm_version_info >= (16,):  # earlier ones read pointers with types only
        llvm.parse_assembly(str(module)).verify()


@pytest.mark.gate
@pytest.mark.parametrize("back_end", ["loader", "numba"])
def test_kernels_are_compiled_without_pointers_with_types(tmp_path, back_end):
    program = "import fastqueens; print(fastqueens.solve(2000, seed=1, threads=1).solved)"
    settings = {
        "LLVMLITE_ENABLE_IR_LAYER_TYPED_POINTERS": "0",
        "NUMBA_CACHE_DIR": str(tmp_path),
        "FASTQUEENS_BACK_END": back_end,
    }
    done = subprocess.run([sys.executable, "-c", program], env=os.environ | settings, capture_output=True, text=True)
    assert done.stdout == "True\n", done.stderr
