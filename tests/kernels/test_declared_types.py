"""The declared types of kernels: all of them, and as the library calls them."""

import inspect
import pkgutil
from importlib import import_module

from kernel_calls import call_all

from fastqueens import kernels
from fastqueens._jit.decorators import Kernel
from fastqueens._jit.types import declared
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
    assert [name_of(kernel) for kernel in all_kernels()] == list(of_package)
    for name, kernel in of_package.items():
        function = kernel.py_func
        assert list(function.__annotations__) == list(inspect.signature(function).parameters), name


def test_kernels_are_called_with_the_types_that_they_declare(monkeypatch):
    for kernel in all_kernels():
        monkeypatch.setattr(kernel, "calls", {})
    call_all()
    called = {name_of(kernel): set(kernel.calls) for kernel in all_kernels()}
    assert called == {name_of(kernel): set(declared(kernel.py_func)) for kernel in all_kernels()}
