"""Writing HTML: elements as calls. Every text is escaped, unless it is `Html` already.

Takes names, texts and attributes; gives `Html`. It knows no page and no style.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from html import escape
from typing import TypeAlias

from dsl.base.visible import visible

MOST_KEPT = 20_000  # texts and attributes that are kept as they are written: a picture has the same over and over
VOID = frozenset({"br", "hr", "img", "input", "link", "meta"})


class Html(str):
    """A text that is HTML and needs no escaping."""


Content: TypeAlias = "str | Iterable[Content] | None"


def joined(inside: Content) -> Html:
    """Texts escaped, elements as they are, lists flat, None as nothing."""
    if isinstance(inside, Html):
        return inside
    found: list[str] = []
    write(inside, found)
    return Html("".join(found))


def write(inside: Content, found: list[str]) -> None:
    """Add what is inside of an element to what has been written."""
    if isinstance(inside, Html):
        found.append(inside)
    elif isinstance(inside, str):
        found.append(escaped(inside))
    elif inside is not None:
        for part in inside:
            if isinstance(part, Html):
                found.append(part)
            elif part is not None:
                write(part, found)


@lru_cache(maxsize=MOST_KEPT)
def escaped(text: str) -> str:
    return escape(visible(text), quote=False)


def tag(name: str, /, *inside: Content, **attributes: str | bool | None) -> Html:
    """An element. `class_` becomes `class`, `data_find` becomes `data-find`; None and False omit an attribute."""
    found = [f"<{name}"]
    for key, value in attributes.items():
        found.append(attribute(key, value))
    found.append(">")
    if name in VOID:
        return Html("".join(found))
    for part in inside:
        if isinstance(part, Html):
            found.append(part)
        elif part is not None:
            write(part, found)
    found.append(f"</{name}>")
    return Html("".join(found))


@lru_cache(maxsize=MOST_KEPT)
def attribute(key: str, value: str | bool | None) -> str:
    if value is None or value is False:
        return ""
    key = key.rstrip("_").replace("_", "-")
    return f" {key}" if value is True else f' {key}="{escape(visible(value))}"'


def separated(separator: str, parts: Iterable[Content]) -> Html:
    """Parts with a separator between them."""
    found: list[Content] = []
    for part in parts:
        found += [separator, part] if found else [part]
    return joined(found)


def unordered_list(parts: Iterable[Content], class_: str | None = None) -> Html:
    """A list; empty if there are no parts."""
    items = [tag("li", part) for part in parts]
    return tag("ul", items, class_=class_) if items else Html()


def table(head: Iterable[Content], rows: Iterable[Iterable[Content]]) -> Html:
    """A table that scrolls by itself where the page is narrow; the first cell of a row heads it."""
    top = tag("tr", [tag("th", cell, scope="col") for cell in head])
    body = [tag("tr", [tag("td" if n else "th", cell, scope=None if n else "row") for n, cell in enumerate(row)])
            for row in rows]  # fmt: skip
    return tag("div", tag("table", tag("thead", top), tag("tbody", body)), class_="wide")
