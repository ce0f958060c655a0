"""What a page fetches from other sites by itself, without a click."""

from __future__ import annotations

import re
from html.parser import HTMLParser

#: Attributes whose address a browser fetches, except in links, and addresses in style sheets.
_FETCHED = {"src", "srcset", "poster", "data", "href", "xlink:href", "action", "formaction", "background"}
_IN_STYLE = re.compile(r"(?:url\(|@import)\s*[\"']?((?:https?:)?//[^\"')\s]+)")
_EXTERNAL = re.compile(r"(^|[\s,])(https?:)?//")


def external(text: str, is_page: bool) -> list[str]:
    """Return the addresses of other sites from which a page, or a style sheet, fetches something.

    >>> external('<a href="https://a.org">a</a> <img src="//b.org/c.png"><style>@import "http://d.org"</style>', True)
    ['//b.org/c.png', 'http://d.org']
    """
    if not is_page:
        return _IN_STYLE.findall(text)
    reader = _Reader()
    reader.feed(text)
    return reader.found


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        is_link = tag == "a" or (tag == "link" and ("rel", "canonical") in attrs)
        for name, value in attrs:
            if name in _FETCHED and not is_link and _EXTERNAL.search(value or ""):
                self.found.append(value or "")
            elif name == "style":
                self.found += _IN_STYLE.findall(value or "")

    def handle_data(self, data: str) -> None:
        if self.cdata_elem == "style":
            self.found += _IN_STYLE.findall(data)
