"""Add pages and pictures from outside docs/ to the site: posters, change log, how to contribute."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from mkdocs.structure.files import File, Files

ROOT = Path(__file__).parent.parent

#: Pages of the site, and their files in the repository.
_PAGES = {"changes.md": "CHANGELOG.md", "contributing.md": "CONTRIBUTING.md", "posters.md": "posters/README.md"}


def on_files(files: Files, *, config: Any) -> Files:
    """Add the pages of ``_PAGES`` and the pictures in posters/."""
    for page, source in _PAGES.items():
        files.append(File.generated(config, page, content=_as_page((ROOT / source).read_text())))
    for picture in sorted(ROOT.glob("posters/**/*.png")):
        name = picture.relative_to(ROOT).as_posix()
        if not name.startswith("posters/rendered/"):
            files.append(File.generated(config, name, abs_src_path=str(picture)))
    return files


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
