"""A stand-in for another version of numba: undocumented names are missing for the loader.

Numba needs these names itself. They are therefore not removed from numba, but replaced in the source of the loader's
compiler by names that do not exist.
"""

import ast
import builtins
import sys
from importlib.machinery import SourceFileLoader
from importlib.util import spec_from_loader
from pathlib import Path

import fastqueens

MODULE = "fastqueens._jit.compiler"
SOURCE = Path(fastqueens.__file__).with_name("_jit") / "compiler.py"


def undocumented_names():
    """Return the undocumented names of numba that the compiler uses: imports, attributes and options."""
    from numba.core.options import DefaultOptions

    options = {name for name in vars(DefaultOptions) if not name.startswith("__")} - DOCUMENTED_OPTIONS
    elsewhere = _names_of_other_objects()
    found = set()
    for node in ast.walk(ast.parse(SOURCE.read_text())):
        if isinstance(node, ast.ImportFrom) and not is_documented(node.module):
            found |= {name.name for name in node.names}
        elif isinstance(node, ast.Attribute) and node.attr not in elsewhere:
            found.add(node.attr)
        elif isinstance(node, ast.Constant) and node.value in options:
            found.add(node.value)
    return sorted(found)


def is_documented(module):
    """Return whether a module belongs to another package, or numba documents its names."""
    return module.partition(".")[0] not in ("numba", "llvmlite") or module in PUBLIC


DOCUMENTED_OPTIONS = {"nopython", "nogil", "cache", "boundscheck", "parallel", "fastmath", "error_model", "debug"}

#: The modules of numba and llvmlite that are documented.
PUBLIC = ("numba", "numba.types", "numba.extending", "llvmlite", "llvmlite.ir", "llvmlite.binding")


def _names_of_other_objects():
    """Return the attributes of everything that the compiler mentions, and of Python's and llvmlite's objects."""
    from llvmlite import ir

    from fastqueens._jit import compiler

    objects = [*vars(compiler).values(), *vars(builtins).values(), ir.Module, ir.IRBuilder, ir.Function]
    return {name for one in objects for name in dir(one)} | {"args", "width"}


def remove(names):
    """Let the compiler be imported without these names, and numba refuse options that are not documented."""
    import numba

    sys.meta_path.insert(0, Finder(names))
    numba.njit = without_undocumented_options(numba.njit)


def without_undocumented_options(njit):
    """Return numba's decorator as it is in a version that has only documented options, except for numba itself."""

    def decorator(*functions, **options):
        caller = sys._getframe(1).f_globals["__name__"]
        if caller.startswith("fastqueens.") and options.keys() - DOCUMENTED_OPTIONS:
            raise KeyError(f"Unrecognized options: {options.keys() - DOCUMENTED_OPTIONS}")
        return njit(*functions, **options)

    return decorator


class Finder:
    """Finds the compiler without some names."""

    def __init__(self, names):
        self._names = names

    def find_spec(self, name, path=None, target=None):
        """Return how the compiler is imported; None for any other module."""
        return spec_from_loader(name, Loader(self._names)) if name == MODULE else None


class Loader(SourceFileLoader):
    """Loads the compiler without some names."""

    def __init__(self, names):
        super().__init__(MODULE, str(SOURCE))
        self._names = names

    def get_code(self, fullname):
        """Return the changed code."""
        tree = Replacement(self._names).visit(ast.parse(SOURCE.read_text()))
        return compile(ast.fix_missing_locations(tree), str(SOURCE), "exec")


class Replacement(ast.NodeTransformer):
    """Replaces each undocumented name by one that does not exist."""

    def __init__(self, names):
        self._names = names

    def visit_ImportFrom(self, node):
        """Import a name that does not exist."""
        if not is_documented(node.module):
            for name in node.names:
                name.name = self._replaced(name.name)
        return node

    def visit_Attribute(self, node):
        """Look up an attribute that does not exist."""
        node.attr = self._replaced(node.attr)
        return self.generic_visit(node)

    def visit_Constant(self, node):
        """Use an option that does not exist."""
        node.value = self._replaced(node.value)
        return node

    def _replaced(self, name):
        return f"no_{name}" if name in self._names else name
