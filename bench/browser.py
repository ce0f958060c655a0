"""The page that solves, in headless Chromium: its kernels, and the time from opening a link to the picture.

Needs Playwright and the system's Chromium, as the tests of the page do.
"""

from __future__ import annotations

import os
import shutil
import statistics
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import click

from bench.timing import duration, seconds
from fastqueens.explorer.page import page_that_solves
from fastqueens.solver import solve

SIZES = tuple(10**power for power in range(3, 8))

SEEDS = "seeds 1 to 5"

_RUNS = 5

#: Milliseconds from the navigation until everything is drawn.
_PICTURE = """async () => {
    while (!(window.explorer && explorer.isComplete)) await new Promise((done) => setTimeout(done, 1));
    return performance.now();
}"""

_SOLVE = """async ([n, seeds]) => {
    const engine = new Engine(), seconds = [];
    await engine.solve(n, 0n);
    for (const seed of seeds) seconds.push((await engine.solve(n, BigInt(seed))).seconds);
    return seconds;
}"""


def measure(sizes: Sequence[int] = SIZES) -> Iterator[dict[str, Any]]:
    """Yield, for each n, the median seconds of solving in the page and on one thread here, and until the picture."""
    browser_path = os.environ.get("FASTQUEENS_BROWSER") or shutil.which("chromium")
    if browser_path is None:
        raise click.UsageError("page needs Chromium; FASTQUEENS_BROWSER can name another browser")
    from playwright.sync_api import sync_playwright

    seeds = range(1, _RUNS + 1)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        file = Path(folder, "queens.html")
        file.write_bytes(page_that_solves())
        browser = playwright.chromium.launch(executable_path=browser_path, args=["--no-sandbox", "--disable-gpu"])
        for n in sizes:
            here = [_seconds_here(n, seed) for seed in (0, *seeds)][1:]
            pictures = []
            for seed in seeds:
                page = browser.new_page(viewport={"width": 1280, "height": 800})
                page.goto(f"{file.as_uri()}#n={n}&seed={seed}")
                pictures.append(page.evaluate(_PICTURE) / 1000)
                page.close()
            page = browser.new_page()
            page.goto(f"{file.as_uri()}#n=8&seed=1")
            solved = page.evaluate(_SOLVE, [n, [*seeds]])
            page.close()
            medians = {"page": solved, "picture": pictures, "here": here}
            yield {"n": n, **{name: statistics.median(values) for name, values in medians.items()}}
        browser.close()


def _seconds_here(n: int, seed: int) -> float:
    return seconds(lambda: solve(n, seed=seed, threads=1, trace=False))


def table(rows: Sequence[dict[str, Any]]) -> str:
    """Return the times of the page, next to those of one thread of the program in the same run."""
    lines = ["| queens | page: solve | page: link to picture | program, 1 thread |", "|---:|---:|---:|---:|"]
    lines += [
        f"| {row['n']:,} | {duration(row['page'])} | {duration(row['picture'])} | {duration(row['here'])} |"
        for row in rows
    ]
    return "\n".join(lines)
