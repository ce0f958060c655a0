"""The machine and the code that a result was measured with."""

from __future__ import annotations

import datetime
import importlib.metadata
import os
import platform
import subprocess
from pathlib import Path
from typing import Any

import llvmlite.binding

import fastqueens

ROOT = Path(__file__).parent.parent

#: The measured code and the measuring code, without the stored results.
_CODE = ("fastqueens", "bench", ":!bench/results")

#: Names of vector instruction sets, by LLVM's name, the widest first.
_VECTORS = {"avx512f": "AVX-512", "avx2": "AVX2", "avx": "AVX", "sse4.2": "SSE4.2", "sve": "SVE", "neon": "NEON"}


def describe() -> dict[str, Any]:
    """Return commit, processor, cores, memory, system and versions; unknown values are None."""
    return {
        "date": datetime.datetime.now(datetime.UTC).date().isoformat(),
        "commit": _git("rev-parse", "--short=7", "HEAD"),
        "uncommitted": None if (changes := _git("status", "--porcelain", "--", *_CODE)) is None else bool(changes),
        "processor": _processor(),
        "model": f"{llvmlite.binding.get_host_cpu_name()}{_model_numbers()}",
        "virtual": _is_virtual(),
        "simd": _vectors(),
        "cores": len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1,
        "memory_gib": round(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30),
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
        "numpy": importlib.metadata.version("numpy"),
        "numba": importlib.metadata.version("numba"),
        "fastqueens": fastqueens.__version__,
    }


def line(machine: dict[str, Any]) -> str:
    """Return machine, date and commit in one line, as the caption of a table."""
    parts = [
        f"{machine['processor']} ({machine['model']})",
        f"{machine['cores']} cores",
        *(["virtual machine"] if machine["virtual"] else []),
        *([machine["simd"]] if machine["simd"] else []),
        f"{machine['memory_gib']} GiB",
        machine["date"],
        f"commit {machine['commit'] or 'unknown'}{' with uncommitted changes' if machine['uncommitted'] else ''}",
    ]
    return ", ".join(parts)


def _git(*arguments: str) -> str | None:
    """Return the output of a git command in this repository, or None if it fails."""
    try:
        done = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return None
    return done.stdout.strip()


def _processor() -> str:
    return _cpuinfo("model name") or platform.processor() or platform.machine()


def _model_numbers() -> str:
    """Return family and model of an x86 processor, because virtual machines often name only the vendor."""
    numbers = [(name, _cpuinfo(key)) for name, key in (("family", "cpu family"), ("model", "model"))]
    return "".join(f", {name} {number}" for name, number in numbers if number)


def _is_virtual() -> bool | None:
    flags = _cpuinfo("flags")
    return None if flags is None else "hypervisor" in flags.split()


def _vectors() -> str | None:
    features = llvmlite.binding.get_host_cpu_features()
    return next((name for feature, name in _VECTORS.items() if features.get(feature)), None)


def _cpuinfo(key: str) -> str | None:
    """Return a value from /proc/cpuinfo, or None if it is missing."""
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return None
    return next((text.partition(":")[2].strip() for text in lines if text.partition(":")[0].strip() == key), None)
