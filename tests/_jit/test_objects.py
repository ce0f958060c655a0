"""What numba compiles for libraries, by documented means, and the libraries for all systems."""

import ast
import ctypes
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import fastqueens
from fastqueens._jit import library
from fastqueens._jit.declarations import declared
from fastqueens.kernels import checking


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


#: The beginning of a library that was linked for a target: its format and processor.
BEGINNINGS = {
    "linux-x86-64": rb"\x7fELF\x02\x01.{10}\x03\x00\x3e\x00",
    "linux-aarch64": rb"\x7fELF\x02\x01.{10}\x03\x00\xb7\x00",
    "windows-x86-64": rb"MZ.+PE\x00\x00\x64\x86",
    "macos-aarch64": rb"\xcf\xfa\xed\xfe\x0c\x00\x00\x01.{4}\x06\x00\x00\x00",
    "wasm32": rb"\x00asm",
}


@pytest.mark.skipif(shutil.which("lld") is None, reason="lld is not installed")
def test_a_library_is_made_for_every_target_twice_the_same(tmp_path, monkeypatch, subtests):
    from fastqueens._jit import build  # imports numba

    kernel = checking.is_solution  # calls memset
    names = [library.symbol(kernel, kinds).encode() for kinds in declared(kernel.py_func)]
    monkeypatch.setattr(build, "all_kernels", lambda: [kernel])
    for folder in ("first", "second"):  # more than a second passes, which a time in a file would show
        (tmp_path / folder).mkdir()
        build.build_libraries({target: tmp_path / folder / target for target in build.TARGETS})
    for target in build.TARGETS:
        with subtests.test(target):
            content = (tmp_path / "first" / target).read_bytes()
            assert content == (tmp_path / "second" / target).read_bytes()
            (beginning,) = [one for start, one in BEGINNINGS.items() if target.startswith(start)]
            assert re.match(beginning, content, re.DOTALL)
            assert {name for name in names if name not in content or name + b".result" not in content} == set()


@pytest.mark.skipif(shutil.which("cc") is None, reason="no C compiler links libraries here")
def test_the_memset_for_windows_fills_what_it_has_to(tmp_path):
    from fastqueens._jit import objects  # imports numba

    code = Path(objects.__file__).with_name("memset.ll").read_text()
    (tmp_path / "memset.o").write_bytes(objects.assembled(code, objects.here()))
    objects.link([tmp_path / "memset.o"], tmp_path / "memset.so")
    memset = ctypes.CDLL(str(tmp_path / "memset.so")).memset
    memset.argtypes, memset.restype = [ctypes.c_void_p, ctypes.c_int, ctypes.c_size_t], ctypes.c_void_p
    for count in range(200):
        buffer = ctypes.create_string_buffer(b"." * 210, 210)
        start = ctypes.addressof(buffer) + 5
        assert memset(start, 0x141, count) == start
        assert buffer.raw == b"." * 5 + b"A" * count + b"." * (205 - count)
