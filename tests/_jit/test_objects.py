"""What numba compiles for libraries, by documented means."""

import ast
import subprocess
import sys
from pathlib import Path

import fastqueens


def test_only_documented_modules_of_numba_and_llvmlite_are_imported():
    documented = {"numba", "numba.extending", "llvmlite"}
    for path in Path(fastqueens.__file__).parent.rglob("*.py"):
        imports = [
            node for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.Import | ast.ImportFrom)
        ]
        modules = {getattr(node, "module", None) or name.name for node in imports for name in node.names}
        assert {name for name in modules if name.startswith(("numba", "llvmlite"))} <= documented, path


def test_numba_logs_only_on_request(subtests):
    """At the level DEBUG, it logs thousands of messages per kernel."""
    for level, expected in [("NOTSET", "WARNING"), ("DEBUG", "DEBUG")]:
        with subtests.test(level=level, expected=expected):
            code = f"""if True:
                import logging
                logging.getLogger("numba").setLevel("{level}")
                logging.basicConfig(level="DEBUG")
                from fastqueens._jit import numba_back_end
                print(logging.getLevelName(logging.getLogger("numba").getEffectiveLevel()))
            """
            done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
            assert done.stdout == f"{expected}\n"
