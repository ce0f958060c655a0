"""Add pages and pictures from outside docs/, live boards and formulas to the site; refuse a site that calls another."""

from __future__ import annotations

import html
import re
from pathlib import Path
from typing import Any

from external import external
from latex2mathml.converter import convert
from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File, Files

from fastqueens.explorer.page import page_that_solves

ROOT = Path(__file__).parent.parent

#: Pages of the site, and their files in the repository.
_PAGES = {
    "benchmarks.md": "bench/README.md",
    "changes.md": "CHANGELOG.md",
    "contributing.md": "CONTRIBUTING.md",
    "posters.md": "posters/README.md",
    "security.md": "SECURITY.md",
}

#: The head of a page without navigation, for the gallery.
_WIDE = "---\nhide: [navigation, toc]\n---\n\n"

#: Files of the package that pages show or use, and their folder on the site.
_ASSETS = (
    *(f"pictures/fonts/{font}.ttf" for font in ("Fraunces-Regular", "Jost-Regular", "Jost-Medium")),
    "explorer/assets/icon.svg",
    "explorer/assets/roles.css",
)

#: Pictures in Markdown and in HTML that can have a twin for dark pages: draw.py writes both.
_PICTURE = re.compile(r'!\[[^]]*\]\((?:\.\./)*pictures/[\w-]+\.\w+\)|<img src="(?:\.\./)*pictures/[\w-]+\.\w+"[^>]*>')
_FILE_OF_PICTURE = re.compile(r"(pictures/[\w-]+)(\.\w+)")

#: What a link to a page shows elsewhere.
_CARD = """<meta property="og:type" content="website">
<meta property="og:title" content="{title}">
<meta property="og:description" content="{description}">
<meta property="og:image" content="{picture}">
<meta property="og:image:width" content="1200">
<meta property="og:image:height" content="630">
<meta name="twitter:card" content="summary_large_image">
</head>"""

#: Formulas in the syntax of code hosts: a block, and a part of a sentence.
_FORMULA = re.compile(r"^```math\n(.*?)^```$|\$`([^`]+)`\$", re.MULTILINE | re.DOTALL)


#: What mkdocs-click turns into all options, and what stands for it in the page about commands.
_ALL_OPTIONS = "<!-- all options -->"
_OPTIONS = """## All options

::: mkdocs-click
    :module: fastqueens.cli.app
    :command: cli
    :prog_name: fastqueens
    :depth: 2
    :style: plain
"""


def on_files(files: Files, *, config: Any) -> Files:
    """Add the pages of ``_PAGES``, the pictures in posters/, the files of ``_ASSETS``, and the page that solves."""
    for page, source in _PAGES.items():
        head = _WIDE if page == "posters.md" else ""
        files.append(File.generated(config, page, content=head + _as_page((ROOT / source).read_text())))
    for picture in sorted(ROOT.glob("posters/previews/*.jpg")):
        files.append(File.generated(config, picture.relative_to(ROOT).as_posix(), abs_src_path=str(picture)))
    for asset in _ASSETS:
        path = ROOT / "fastqueens" / asset
        files.append(File.generated(config, f"assets/{path.name}", abs_src_path=str(path)))
    files.append(File.generated(config, "live/queens.html", content=page_that_solves()))
    return files


def on_page_markdown(markdown: str, *, page: Any, **_: Any) -> str:
    """Add all options to the reference and pictures for dark pages; turn formulas into MathML."""
    name = page.file.src_uri
    if name == "reference/commands.md":
        return markdown.replace(_ALL_OPTIONS, _OPTIONS)
    for there, source in _PAGES.items():
        markdown = re.sub(rf"\]\((\.\./)+{source}", f"]({'../' * name.count('/')}{there}", markdown)
    markdown = re.sub(r'src="(\.\./)+posters/', f'src="{"../" * name.count("/")}posters/', markdown)
    return _FORMULA.sub(_as_mathml, _PICTURE.sub(_in_both_themes, markdown))


def _in_both_themes(found: re.Match[str]) -> str:
    """Return a picture as two of which the theme shows one, if there is one for dark pages."""
    name, suffix = _FILE_OF_PICTURE.search(found[0]).groups()
    if not (ROOT / "docs" / f"{name}-dark{suffix}").exists():
        return found[0]
    light, dark = (
        _FILE_OF_PICTURE.sub(rf"\1{ending}\2#only-{theme}", found[0], count=1)
        for theme, ending in (("light", ""), ("dark", "-dark"))
    )
    return f"{light} {dark}"


def _as_mathml(found: re.Match[str]) -> str:
    block, words = found.groups()
    if block is None:
        # Within a line: Markdown takes a line that begins with <math> for a block.
        return f"<span>{convert(words)}</span>"
    return f"\n<div class=formula>{convert(block, display='block')}</div>\n"


def on_post_page(output: str, *, page: Any, config: Any) -> str:
    """Add the social card to a page."""
    site = config.site_url or ""
    title = html.escape(config.site_name if page.is_homepage else f"{page.title}: {config.site_name}")
    picture, description = f"{site}pictures/card.png", html.escape(config.site_description)
    return output.replace("</head>", _CARD.format(title=title, description=description, picture=picture), 1)


def on_post_build(*, config: Any) -> None:
    """Fail if a page or a style sheet of the site would call another site."""
    calls = []
    for path in sorted(Path(config.site_dir).rglob("*")):
        if path.suffix in (".html", ".css"):
            text = path.read_text()
            calls += [f"{path.name}: {address}" for address in external(text, path.suffix == ".html")]
    if calls:
        raise PluginError("pages that call other sites:\n" + "\n".join(calls))


def _as_page(text: str) -> str:
    """Rewrite the links of a page of the repository so that they work on the site."""
    for source, target in (
        ("](docs/", "]("),
        ("](../docs/", "]("),
        ("](previews/", "](posters/previews/"),
        ("[gallery.toml](gallery.toml)", "`posters/gallery.toml`"),
        ('src="previews/', 'src="posters/previews/'),
    ):
        text = text.replace(source, target)
    return text
