"""Marks for tests that only some systems can run."""

import os

import pytest

on_posix = pytest.mark.skipif(
    os.name == "nt", reason="Windows has no permission bits, named pipes and signals, and replaces no open file"
)
