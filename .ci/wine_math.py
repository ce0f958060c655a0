"""Lets NumPy for Windows run under Wine 8, which lacks four functions: ``python .ci/wine_math.py SITE PYTHON_FOLDER``.

NumPy asks a library of the C runtime for them. Here it is led to another one, in the folder of Python, that has them,
and passes all others on. Needs lief and lld.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

import lief

from fastqueens._jit.objects import Target, assembled

_LIBRARY, _OWN = "api-ms-win-crt-math-l1-1-0.dll", "xpi-ms-win-crt-math-l1-1-0.dll"

#: The parts of complex numbers: Windows passes 8 bytes as an integer, and 16 by their address.
_CODE = """
@_fltused = global i32 0
define dllexport float @crealf(i64 %z) {
  %part = trunc i64 %z to i32
  %float = bitcast i32 %part to float
  ret float %float
}
define dllexport float @cimagf(i64 %z) {
  %high = lshr i64 %z, 32
  %part = trunc i64 %high to i32
  %float = bitcast i32 %part to float
  ret float %float
}
define dllexport double @creal(ptr %z) {
  %part = load double, ptr %z
  ret double %part
}
define dllexport double @cimag(ptr %z) {
  %place = getelementptr double, ptr %z, i32 1
  %part = load double, ptr %place
  ret double %part
}
"""


def main(site: Path, folder: Path) -> None:
    """Make the other library, and lead NumPy to it."""
    (numpy,) = site.glob("numpy/_core/_multiarray_umath.*.pyd")
    binary = lief.PE.parse(str(numpy))
    asked = {entry.name for library in binary.imports if library.name == _LIBRARY for entry in library.entries}
    assert asked, f"{numpy} does not need {_LIBRARY}"
    passed_on = [f"/export:{name}=ucrtbase.{name}" for name in sorted(asked) if f"@{name}(" not in _CODE]
    with tempfile.NamedTemporaryFile(suffix=".o") as file:
        file.write(assembled(_CODE, Target("x86_64-pc-windows-msvc")))
        file.flush()
        options = ["/dll", "/noentry", "/nodefaultlib", f"/out:{folder / _OWN}", *passed_on]
        subprocess.run(["lld", "-flavor", "link", *options, file.name], check=True)
    content = numpy.read_bytes()
    numpy.unlink()  # it can be a link to a file in the cache of uv
    numpy.write_bytes(content.replace(_LIBRARY.encode(), _OWN.encode()))


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
