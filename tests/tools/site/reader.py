"""Reading a site as a browser does: whether its pages are well formed, and whether each link leads somewhere."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from html.parser import HTMLParser
from posixpath import dirname, join, normpath
from urllib.parse import unquote

INLINE = {"a", "b", "code", "span"}
VOID = {"br", "hr", "img", "input", "link", "meta"}


@dataclass
class PageContents:
    """The contents of a page. `faults`: elements that are not closed, links in links, anchors that occur twice."""

    ids: set[str] = field(default_factory=set)
    links: list[str] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    text: str = ""


class Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.contents, self.open = PageContents(), list[str]()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        for key in ("href", "src"):
            if key in given:
                self.contents.links.append(given[key] or "")
        if (anchor := given.get("id")) is not None:
            if anchor in self.contents.ids:
                self.contents.faults.append(f"two anchors {anchor}")
            self.contents.ids.add(anchor)
        if tag == "a" and "a" in self.open:
            self.contents.faults.append("a link in a link")
        self.contents.text += "" if tag in INLINE else " "
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if not self.open or self.open.pop() != tag:
            self.contents.faults.append(f"</{tag}> at {self.getpos()}")
        self.contents.text += "" if tag in INLINE else " "

    def handle_data(self, data: str) -> None:
        self.contents.text += data


def read(page: str) -> PageContents:
    reader = Reader()
    reader.feed(page)
    reader.close()
    reader.contents.faults += [f"<{tag}> is not closed" for tag in reader.open]
    return reader.contents


def faults(files: Mapping[str, str]) -> list[str]:
    """All that is wrong with the pages and links of a site."""
    pages = {name: read(text) for name, text in files.items() if name.endswith(".html")}
    found = [f"{name}: {fault}" for name, page in pages.items() for fault in page.faults]
    for name, page in pages.items():
        for link in page.links:
            path, _, anchor = link.partition("#")
            target = normpath(join(dirname(name), unquote(path))) if path else name
            if target not in files:
                found.append(f"{name}: no page {link}")
            elif anchor and unquote(anchor) not in pages[target].ids:
                found.append(f"{name}: no anchor {link}")
    return found
