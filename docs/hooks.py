"""Add pages and pictures from outside docs/ to the site: posters, change log, how to contribute."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File, Files

ROOT = Path(__file__).parent.parent

#: Pages of the site, and their files in the repository.
_PAGES = {"changes.md": "CHANGELOG.md", "contributing.md": "CONTRIBUTING.md", "posters.md": "posters/README.md"}


#: What mkdocs-click turns into all options.
_OPTIONS = """::: mkdocs-click
    :module: fastqueens.cli.app
    :command: cli
    :prog_name: fastqueens
    :depth: 1
    :style: plain
"""


def on_files(files: Files, *, config: Any) -> Files:
    """Add the pages of ``_PAGES`` and the pictures in posters/."""
    for page, source in _PAGES.items():
        files.append(File.generated(config, page, content=_as_page((ROOT / source).read_text())))
    for picture in sorted(ROOT.glob("posters/**/*.png")):
        name = picture.relative_to(ROOT).as_posix()
        if not name.startswith("posters/rendered/"):
            files.append(File.generated(config, name, abs_src_path=str(picture)))
    return files


def on_page_markdown(markdown: str, *, page: Any, **_: Any) -> str:
    """Show full docstrings and options instead of what is generated for readers of the repository."""
    if page.file.src_uri == "python.md":
        return re.sub(
            r"^<!-- (fastqueens\.\S+) -->\n.*?(?=^<!-- fastqueens|^## |\Z)", r"::: \1\n\n", markdown, flags=re.M | re.S
        )
    if page.file.src_uri == "commands.md":
        return re.sub(r"^## .*", _OPTIONS, markdown, count=1, flags=re.M | re.S)
    return markdown


def _as_page(text: str) -> str:
    """Rewrite the links of a page of the repository so that they work on the site."""
    for source, target in (
        ("](docs/", "]("),
        ("](../docs/", "]("),
        ("](previews/", "](posters/previews/"),
        ("](thousand-classic.png)", "](posters/thousand-classic.png)"),
        ("[gallery.toml](gallery.toml)", "`posters/gallery.toml`"),
    ):
        text = text.replace(source, target)
    return text
