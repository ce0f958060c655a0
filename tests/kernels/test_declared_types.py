"""The declared types of kernels: all of them, and as the library calls them; and the stubs with these types."""

import inspect
import pkgutil
from importlib import import_module
from pathlib import Path

from kernel_calls import call_all, kernels_run_by, usual_call

from fastqueens import kernels
from fastqueens._jit.declarations import declared
from fastqueens._jit.decorators import Kernel
from fastqueens._jit.stubs import stubs
from fastqueens._jit.types import int64
from fastqueens.kernels import all_kernels


def name_of(kernel):
    return f"{kernel.__module__}.{kernel.__name__}"


def test_each_kernel_that_drivers_call_declares_the_types_of_all_parameters():
    modules = [import_module(f"fastqueens.kernels.{module.name}") for module in pkgutil.iter_modules(kernels.__path__)]
    of_package = {
        name_of(value): value
        for module in modules
        for name, value in vars(module).items()
        if isinstance(value, Kernel) and not value.is_inlined and not name.startswith("_")
    }
    assert sorted(map(name_of, all_kernels())) == sorted(of_package)
    for name, kernel in of_package.items():
        function = kernel.py_func
        assert [*{**function.__annotations__, "return": None}] == [*inspect.signature(function).parameters, "return"], (
            name
        )


def test_kernels_are_called_with_the_types_that_they_declare():
    for kernel in all_kernels():
        kernel.calls.clear()  # of other tests; the next call of a kernel loads it again
    call_all()
    called = {name_of(kernel): set(kernel.calls) for kernel in all_kernels()}
    assert called == {name_of(kernel): set(declared(kernel.py_func)) for kernel in all_kernels()}


def test_kernels_return_what_they_declare():
    types = {None: type(None), bool: bool, int64: int}

    def checked(kernel, kinds):
        run = usual_call(kernel, kinds)
        declares = kernel.result_class or types[kernel.py_func.__annotations__.get("return")]

        def call(words, arguments):
            result = run(words, arguments)
            assert type(result) is declares, kernel.__name__
            return result

        return call

    with kernels_run_by(checked):
        call_all()


def test_type_checkers_see_the_declared_types():
    written = dict(stubs())
    assert set(Path(kernels.__file__).parent.glob("*.pyi")) == set(written)
    for path, text in written.items():
        assert path.read_text() == text, "python -m fastqueens._jit.stubs"
