"""All compiled code, and nothing else: kernels, and the functions that are inlined into them.

A kernel takes arrays and integers, writes in place and returns integers. It validates nothing: its driver, a module of
the same name elsewhere in the package, does. A reader who trusts the kernels can skip this folder. It imports only
itself, ``_jit`` and NumPy.

The parameters of a kernel that drivers call are annotated with their types. Boards are int32 there; for boards of
uint32, from n = 2**31 on, a kernel is compiled when it is first called.
"""

from fastqueens._jit.decorators import Kernel


def all_kernels() -> list[Kernel]:
    """Return the kernels with annotated parameters, by module and in the order of their definitions."""
    import pkgutil  # no command needs these two
    from importlib import import_module

    modules = [import_module(f"{__name__}.{module.name}") for module in pkgutil.iter_modules(__path__)]
    return [
        value
        for module in modules
        for value in vars(module).values()
        if isinstance(value, Kernel) and value.__module__ == module.__name__ and value.py_func.__annotations__
    ]
