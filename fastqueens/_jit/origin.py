"""What runs the kernels, in words."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from fastqueens._jit import library
from fastqueens._jit.decorators import Kernel


def origin(all_kernels: Callable[[], Sequence[Kernel]]) -> tuple[str, str]:
    """Return what runs the kernels, and where it is or why it is used. ``all_kernels`` imports llvmlite."""
    if library.uses_numba():
        name = "FASTQUEENS_CHECKED" if library.IS_CHECKED else "FASTQUEENS_BACK_END"
        return "numba", f"because of the environment variable {name}"
    level, _ = library.of_package()
    if level:
        return f"the library for {level} that came with the package", f"in {library.FOLDER}"
    try:
        from fastqueens._jit import cache, numba_back_end, objects

        numba_back_end.check_enabled()
    except ImportError as error:
        return "nothing", f"because numba cannot compile: {error}"
    if not objects.linker():
        return "numba", "because there is no C compiler"
    folder, compiler = library.cache_folder(), objects.linker()[0]
    if not cache.own_folder():
        return f"libraries that each process links with {compiler}", f"because {folder} is not writable"
    from fastqueens._jit.declarations import is_ready

    ready = [is_ready(kernel) for kernel in all_kernels()]
    return f"libraries linked with {compiler} on first use", f"in {folder}: {sum(ready)} of {len(ready)} kernels"
