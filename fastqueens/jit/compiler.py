"""Compiles kernels with numba: everything that relies on how numba works inside is here.

Imported only when something has to be compiled, or when numba runs the kernels itself.
"""

from __future__ import annotations

import contextlib
import functools
import gc
import logging
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numba
from llvmlite import binding as llvm
from llvmlite import ir
from numba import _dynfunc
from numba.core import compiler as numba_compiler
from numba.core import types
from numba.core.caching import FunctionCache, IndexDataCacheFile, NullCache
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler_machinery import PassManager, register_pass
from numba.core.registry import cpu_target
from numba.core.typed_passes import NativeLowering
from numba.extending import typeof_impl

from fastqueens.jit import group_instructions, instructions, machine_code, store
from fastqueens.jit.linker import image_of
from fastqueens.jit.machine_code import Function, Instruction

log = logging.getLogger("fastqueens")

_OPTIONS = {"_nrt": False} | ({"boundscheck": True} if store.IS_CHECKED else {})

_INSTRUCTIONS = {**vars(instructions), **vars(group_instructions)}

#: Compiled code is called from other compiled code, so it needs no function that Python could call: half the time.
_NO_WRAPPERS = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}


#: The passes of numba that kernels need, in its order. They have no closures, generators, literals or loops to unroll,
#: overloads to inline or array expressions; to look for these takes a sixth of numba's own time.
_PASSES = """
    TranslateByteCode FixupArgs IRProcessing RewriteSemanticConstants DeadBranchPrune GenericRewrites ReconstructSSA
    NopythonTypeInference PreLowerStripPhis IRLegalization AnnotateTypes NativeLowering NoPythonBackend
""".split()

#: A version of numba that lacks one of these passes compiles as it always does.
_HAS_PASSES = all(hasattr(numba_compiler, name) for name in _PASSES)


class _ShortPipeline(numba_compiler.CompilerBase):
    """Compiles with :data:`_PASSES`."""

    lowering = NativeLowering

    def define_pipelines(self) -> list[PassManager]:
        passes = PassManager("kernels")
        for name in _PASSES:
            passes.add_pass(self.lowering if name == "NativeLowering" else getattr(numba_compiler, name), name)
        passes.finalize()
        return [passes]


class _PartLibrary(JITCodeLibrary):
    """The intermediate code of a part.

    It is optimised and becomes machine code only where it is inlined, which takes a seventh off the time of compiling.
    """

    def _optimize_final_module(self) -> None:
        pass

    def _finalize_final_module(self) -> None:
        self._finalized = True


@register_pass(mutates_CFG=True, analysis_only=False)
class _PartLowering(NativeLowering):
    _name = "part_lowering"

    def run_pass(self, state: Any) -> bool:
        library = state.library = _PartLibrary(state.targetctx.codegen(), state.func_id.func_qualname)
        state.flags.no_compile = True
        super().run_pass(state)
        # What other code finds the part by; there is no function that Python could call.
        key = _dynfunc.make_function(numba, state.func_id.func_name, "", 0, state.cr.env, (library,))
        state.targetctx.insert_user_function(key, state.cr.fndesc, [library])
        state.cr = state.cr._replace(cfunc=key)
        return True


class _PartPipeline(_ShortPipeline):
    lowering = _PartLowering


def check_enabled() -> None:
    """Raise ImportError if compilation is switched off: then numba lacks functions that kernels need."""
    if numba.config.DISABLE_JIT:
        raise ImportError(
            "NUMBA_DISABLE_JIT is set, and nothing runs without compiled code; unset NUMBA_DISABLE_JIT",
            name="NUMBA_DISABLE_JIT",
        )


def _njit(function: Callable[..., Any], pipeline: type[_ShortPipeline], **options: Any) -> Any:
    """Compile a function."""
    check_enabled()
    pipeline_class = pipeline if _HAS_PASSES else numba_compiler.Compiler
    return numba.njit(**options, **_OPTIONS, pipeline_class=pipeline_class)(function)


@functools.cache
def numba_function(function: Function | Instruction) -> Any:
    """Return numba's object for a function, to be called from other compiled code."""
    if isinstance(function, Instruction):
        return _INSTRUCTIONS[function.__name__]
    if function.is_inlined:
        return _njit(function.py_func, _PartPipeline, forceinline=True, **_NO_WRAPPERS)
    return _njit(function.py_func, _ShortPipeline, nogil=True, **_NO_WRAPPERS)


@functools.cache
def python_function(function: Function) -> Any:
    """Return numba's object for a kernel, to be called from Python: numba loads, calls and stores it."""
    dispatcher = _njit(function.py_func, _ShortPipeline, nogil=True)
    folder = store.folder_of(function.py_func)
    try:
        dispatcher._cache = _NoCache(function.py_func) if folder is None else _KernelCache(function.py_func, folder)
    except (RuntimeError, OSError):  # numba issue 5566: it looks for a folder itself, and finds none
        dispatcher._cache = _NoCache(function.py_func)
    return dispatcher


@typeof_impl.register(Function)
@typeof_impl.register(Instruction)
def _type_of(value: Function | Instruction, context: Any) -> Any:
    """Tell numba what our objects are where a function mentions them."""
    return cpu_target.typing_context.resolve_value_type(numba_function(value))


def compiled_kernel(kernel: Function, arguments: Sequence[Any]) -> machine_code.MachineCode:
    """Compile a kernel for arguments of these types."""
    dispatcher = numba_function(kernel)
    kinds = tuple(numba.typeof(argument) for argument in arguments)
    with _no_garbage_collection():
        dispatcher.compile(kinds)
    compiled = dispatcher.overloads[kinds]
    result = compiled.signature.return_type
    native = dispatcher.targetctx.call_conv.get_function_type(result, kinds)
    form = _format(result)
    # The object file that numba would store itself, without what it adds for its own loader.
    functions = {
        compiled.fndesc.llvm_func_name: compiled.library._get_compiled_object(),
        machine_code.ENTRY_NAME: _entry(native, kinds, machine_code.result_words(form)),
    }
    kernel_code, entry_code = (
        machine_code.CompiledFunction(name, image_of(code, name) or code) for name, code in functions.items()
    )
    return machine_code.MachineCode(kernel_code, entry_code, form)


@contextlib.contextmanager
def _no_garbage_collection() -> Iterator[None]:
    """Pause the collector: it takes a tenth of the time of compiling, and finds hardly anything."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def _format(result: types.Type) -> str:
    """Return the format of a result for the module ``struct``."""
    if isinstance(result, types.NoneType):
        return ""
    if isinstance(result, types.BaseTuple):
        if len(result) < 2 or any(isinstance(item, types.BaseTuple) for item in result):
            raise TypeError(f"kernels return None, an integer, or a tuple of at least two integers, not {result}")
        return "".join(map(_format, result))
    if isinstance(result, types.Boolean):
        return "?"
    result = types.unliteral(result)
    letters = {types.int64: "q", types.uint64: "Q", types.int32: "i", types.uint32: "I"}
    return letters[result]


_INT, _WORD = ir.IntType(32), ir.IntType(64)
#: Where an array object has its dimensions, and the addresses of data, shape and strides (numpy/ndarraytypes.h).
_DATA, _DIMENSIONS, _SHAPE, _STRIDES, _ARRAY_FLAGS = 16, 24, 32, 40, 64
#: What numba's functions return instead of 0 for None.
_STATUS_NONE = -2


def _entry(native: ir.FunctionType, kinds: Sequence[types.Type], results: int) -> bytes:
    """Return an object file with the function that :mod:`.machine_code` calls.

    Numba's functions take a place for the result, a place for an error, and then flat arguments: five for each array
    and two more for each of its dimensions, one for each number.
    """
    module = ir.Module()
    function = ir.Function(module, ir.FunctionType(_INT, [_WORD.as_pointer()]), machine_code.ENTRY_NAME)
    start, run, misfit = (function.append_basic_block(name) for name in ("start", "run", "misfit"))
    builder = ir.IRBuilder(start)

    def place(index: int) -> Any:
        return builder.gep(function.args[0], [ir.Constant(_WORD, index)])

    leaves = list(_flattened(kinds))
    words = [builder.load(place(results + 2 + index)) for index in range(len(leaves))]
    fits = ir.Constant(ir.IntType(1), 1)
    for kind, word in zip(leaves, words, strict=True):
        if isinstance(kind, types.Array):
            fits = builder.and_(fits, _fits(builder, word, kind))
    builder.cbranch(fits, run, misfit)
    builder.position_at_end(misfit)
    builder.ret(ir.Constant(_INT, machine_code.STATUS_MISFIT))

    builder.position_at_end(run)
    flat: list[Any] = []
    for kind, word in zip(leaves, words, strict=True):
        flat += _array_words(builder, word, kind) if isinstance(kind, types.Array) else [word]
    address = builder.inttoptr(builder.load(place(results + 1)), native.as_pointer())
    values = [builder.ptrtoint(function.args[0], _WORD), builder.ptrtoint(place(results), _WORD), *flat]
    status = builder.call(address, [_cast(builder, *pair) for pair in zip(values, native.args, strict=True)])
    is_none = builder.icmp_signed("==", status, ir.Constant(_INT, _STATUS_NONE))
    builder.ret(builder.select(is_none, ir.Constant(_INT, 0), status))

    machine = llvm.Target.from_default_triple().create_target_machine(opt=2, reloc="pic")
    return machine.emit_object(llvm.parse_assembly(str(module)))


def _flattened(kinds: Sequence[types.Type]) -> Iterator[types.Type]:
    for kind in kinds:
        if isinstance(kind, types.BaseTuple):
            yield from _flattened(tuple(kind))
        else:
            yield kind


def _read(builder: ir.IRBuilder, address: Any, offset: int, kind: Any = _WORD) -> Any:
    place = builder.add(address, ir.Constant(_WORD, offset))
    return builder.load(builder.inttoptr(place, kind.as_pointer()))


def _fits(builder: ir.IRBuilder, array: Any, kind: types.Array) -> Any:
    """Compare the dimensions and flags of an array object with those of a compiled type."""
    order = {"C": machine_code.IN_C_ORDER, "F": machine_code.IN_FORTRAN_ORDER, "A": 0}[kind.layout]
    # An array may be in both orders; numba then takes it as in C order.
    looked_at = machine_code.FLAGS & ~machine_code.IN_FORTRAN_ORDER if kind.layout == "C" else machine_code.FLAGS
    wanted = order | (machine_code.WRITEABLE if kind.mutable else 0)
    flags = builder.and_(_read(builder, array, _ARRAY_FLAGS, _INT), ir.Constant(_INT, looked_at))
    dimensions = _read(builder, array, _DIMENSIONS, _INT)
    return builder.and_(
        builder.icmp_signed("==", flags, ir.Constant(_INT, wanted)),
        builder.icmp_signed("==", dimensions, ir.Constant(_INT, kind.ndim)),
    )


def _array_words(builder: ir.IRBuilder, array: Any, kind: types.Array) -> list[Any]:
    """Read from an array object what numba wants: two owners (none), items, bytes of an item, data, shape, strides."""
    data, shape, strides = (_read(builder, array, offset) for offset in (_DATA, _SHAPE, _STRIDES))
    lengths = [_read(builder, shape, 8 * axis) for axis in range(kind.ndim)]
    steps = [_read(builder, strides, 8 * axis) for axis in range(kind.ndim)]
    items = ir.Constant(_WORD, 1)
    for length in lengths:
        items = builder.mul(items, length)
    none, size = ir.Constant(_WORD, 0), ir.Constant(_WORD, kind.dtype.bitwidth // 8)
    return [none, none, items, size, data, *lengths, *steps]


def _cast(builder: ir.IRBuilder, word: Any, kind: Any) -> Any:
    if isinstance(kind, ir.PointerType):
        return builder.inttoptr(word, kind)
    return word if kind == _WORD else builder.trunc(word, kind)


# What numba itself stores if it runs the kernels


class _KernelCache(FunctionCache):
    """Numba's cache in our folder, with the stamp of all kernel files instead of that of a single file."""

    def __init__(self, function: Callable[..., Any], folder: Path) -> None:
        super().__init__(function)
        self._kernel_name = function.__name__
        self._cache_file = IndexDataCacheFile(
            cache_path=str(folder),
            filename_base=self._impl.filename_base + (".checked" if store.IS_CHECKED else ""),
            source_stamp=store.stamp(),
        )

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        # Not super().load_overload(): that refreshes all of numba's registries first (and so imports SciPy's linear
        # algebra), which a kernel that is only loaded does not need; it doubles the time of a short command.
        try:
            with self._guard_against_spurious_io_errors():
                found = self._load_overload(sig, target_context)
        except Exception:  # a damaged cache file: compile as if there were none
            found = None
            with contextlib.suppress(OSError):
                self.flush()  # otherwise the damaged index would not take the new code
        if found is None:
            log.info("compiling %s", self._kernel_name)
        return found

    def save_overload(self, sig: Any, data: Any) -> None:
        try:
            super().save_overload(sig, data)
        except OSError as error:  # on a full or read-only disk the next process compiles again
            log.info("compiled code was not cached: %s", error)


class _NoCache(NullCache):
    """No cache, for a system without a writable folder: each process compiles."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self._kernel_name = function.__name__

    def load_overload(self, sig: Any, target_context: Any) -> None:
        log.info("compiling %s", self._kernel_name)
