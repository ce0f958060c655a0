"""Prepare README.md for a package index, where relative links lead nowhere.

``python .ci/long_description.py FOLDER`` rewrites README.md in an unpacked source, which ``make release`` builds from.
If ``FASTQUEENS_URL`` has the address of the repository, for example https://example.org/someone/fastqueens, links and
pictures lead there, to the tag of this version. Otherwise they are taken out, and the text stays.
"""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path

_RELATIVE = r"(?!https?:|mailto:|#)"
_LINK = re.compile(rf"(!?)\[([^\]]*)\]\({_RELATIVE}([^)\s]+)\)")
_ATTRIBUTE = re.compile(rf'\b(src|srcset|href)="{_RELATIVE}([^"]+)"')


def absolute(text: str, url: str, tag: str) -> str:
    """Return a page whose relative links and pictures lead to a repository.

    >>> absolute('[a](b.md#c) ![d](e.png)', "https://example.org/x", "v1")
    '[a](https://example.org/x/blob/v1/b.md#c) ![d](https://example.org/x/raw/v1/e.png)'
    """
    page, file = f"{url}/blob/{tag}/", f"{url}/raw/{tag}/"
    text = _LINK.sub(lambda link: f"{link[1]}[{link[2]}]({file if link[1] else page}{link[3]})", text)
    return _ATTRIBUTE.sub(lambda found: f'{found[1]}="{page if found[1] == "href" else file}{found[2]}"', text)


def without_links(text: str) -> str:
    """Return a page without its relative links and pictures.

    >>> without_links('See [a](b.md) and [c](https://d). ![e](f.png)<a href="g"><img src="h" alt="i"></a>')
    'See a and [c](https://d). '
    >>> without_links('<picture><source srcset="a.png"><img src="b.webp"></picture>')
    ''
    """
    text = re.sub(rf'<(?:img|source)\b[^>]*\bsrc(?:set)?="{_RELATIVE}[^>]*>|</?picture>', "", text)
    text = re.sub(rf'<a\b[^>]*\bhref="{_RELATIVE}[^>]*>(.*?)</a>', r"\1", text, flags=re.DOTALL)
    return _LINK.sub(lambda link: "" if link[1] else link[2], text)


def main(folder: Path, url: str) -> None:
    """Rewrite README.md in a folder and, if it is known, name the repository in setup.cfg."""
    readme, setup = folder / "README.md", folder / "setup.cfg"
    [version] = re.findall(r'^__version__ = "(.+)"$', (folder / "fastqueens/__init__.py").read_text(), re.MULTILINE)
    text = readme.read_text()
    readme.write_text(absolute(text, url, f"v{version}") if url else without_links(text))
    if url:
        setup.write_text(setup.read_text().replace("[metadata]\n", f"[metadata]\nurl = {url}\n", 1))


if __name__ == "__main__":
    main(Path(sys.argv[1]), os.environ.get("FASTQUEENS_URL", "").rstrip("/"))
