"""Compiling all kernels: in a terminal, where Ctrl-C ends it."""

import os
import shutil
from functools import partial

import pytest
from processes import TIMEOUT, open_terminal, read_until, running, wait_for

IN_A_CLONE = "from fastqueens._jit import build, library; library.FOLDER /= 'none'; build.compile_all()"


@pytest.mark.skipif(shutil.which("cc") is None, reason="no C compiler links libraries here")
def test_ctrl_c_ends_the_compiling_of_all_kernels_and_keeps_those_that_are_ready(tmp_path):
    temporary, cache = tmp_path / "temporary", tmp_path / "cache"
    temporary.mkdir()
    terminal, side_of_process = open_terminal()
    settings = {"NUMBA_CACHE_DIR": str(cache), "TMPDIR": str(temporary), "TERM": "xterm", "FASTQUEENS_THREADS": "2"}
    takes_the_terminal = partial(os.login_tty, side_of_process)
    with running(start=["-c", IN_A_CLONE], env=settings, preexec_fn=takes_the_terminal) as process:
        os.close(side_of_process)
        read_until(terminal, rb"Compiling \d+ kernels .* Ctrl-C is safe.")
        wait_for(lambda: any(cache.rglob("*.so")))
        read_until(terminal, b"compiling")
        os.write(terminal, b"\x03")
        read_until(terminal, b"Interrupted. A command will compile the other kernels when it needs them.\r\n")
        assert process.wait(TIMEOUT) == 130
    os.close(terminal)
    assert list(temporary.iterdir()) == []
    assert [path.suffix for path in cache.rglob("*") if path.is_file()].count(".so") > 0
