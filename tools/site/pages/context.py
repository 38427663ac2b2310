"""The context of a page: links from it to anything on the site, titles in its language, and code with links.

Takes the site, a language and the path of the page in the folder of that language; gives HTML.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any
from urllib.parse import quote

from dsl.base.span import Span
from dsl.files.phrases import phrase
from tools.html.elements import Content, Html, joined, separated, tag
from tools.site.content.highlight import Mark, highlight_snippet
from tools.site.content.model import SiteContent

NO_IDS: Mapping[int, str] = MappingProxyType({})
WIDE_GAP = re.compile(r" {3,}\Z")  # before a citation


@dataclass(frozen=True, slots=True)
class PageContext:
    """`path`: of the page, in the folder of its language."""

    site: SiteContent
    lang: str
    path: str

    # ------------------------------------------------------------ words

    def phrase(self, key: str, **parts: Any) -> str:
        return phrase(self.lang, "site", key, **parts)

    def title(self, *keys: str) -> str:
        """The text of the first of these addresses that has one, else the last address in words."""
        return self.site.game.texts.find(self.lang, *keys) or keys[-1].replace("_", " ")

    def member_title(self, domain: str, id_: str) -> str:
        return self.site.game.texts.id(self.lang, domain, id_)

    def kind_title(self, name: str) -> str:
        return self.title(f"kind.{name}", name)

    def clause_title(self, id_: str) -> str:
        return self.site.game.texts.clause(self.lang, id_)

    # ------------------------------------------------------------ links

    def href(self, target: str) -> str:
        """The relative URL of a page or `page#anchor` of this language."""
        page, _, anchor = target.partition("#")
        anchor = f"#{quote(anchor)}" if anchor else ""
        return anchor if page == self.path and anchor else self.root + quote(page) + anchor

    @property
    def root(self) -> str:
        """The relative URL of the folder of this language, empty or with `/` at the end."""
        return "../" * self.path.count("/")

    def link(self, key: str, text: Content, class_: str | None = None) -> Html:
        """A link to the target of a key, or the bare text for a key without a target."""
        target = self.site.urls.get(key)
        if target is None:
            return tag("span", text, class_=class_) if class_ else joined(text)
        return tag("a", text, href=self.href(target), class_=class_)

    def picture(self, path: str, alt: str) -> Html:
        """A picture in the folder of this language, which is loaded when it comes into sight."""
        return tag("img", src=self.root + quote(path), alt=alt, loading="lazy", class_="picture")

    def clause_link(self, id_: str) -> Html:
        """A link to a clause, with its title."""
        return tag("span", self.link(f"clause {id_}", id_, "id"), " ", self.clause_title(id_), class_="cite")

    def clause_links(self, ids: Iterable[str]) -> Html:
        return separated(", ", [self.link(f"clause {id_}", id_, "id") for id_ in ids])

    def rule_link(self, address: str) -> Html:
        return self.link(f"rule {address}", tag("code", address))

    def file_link(self, key: str) -> Html:
        """A link to a page of a file, by the name of the page, which is shorter; `key` is that of the page."""
        return self.link(key, self.site.urls[key].partition("/")[2].removesuffix(".html"))

    def place_link(self, span: Span) -> Html:
        """File and line, linked to the text there."""
        line = self.site.sources[span.file].place(span.start)[0]
        target = self.site.urls.get(f"file {span.file}")
        text = f"{span.file}:{line}"
        if target is None:
            return tag("span", text, class_="place")
        return tag("a", text, href=self.href(f"{target}#line-{line}"), class_="place")

    # ------------------------------------------------------------ code

    def code(self, span: Span, class_: str = "code") -> Html:
        """The source of a span from the beginning of its first line to the end of its last line, at the left margin."""
        text = self.site.sources[span.file].text
        start = text.rfind("\n", 0, span.start) + 1
        end = text.find("\n", span.end)
        end = end if end >= 0 else len(text)
        lead = text[start : span.start]
        if lead.strip():  # other text precedes it on its line
            start, lead = span.start, " " * len(lead)
        inside = self.highlighted(text, self.site.marks.get(span.file, ()), start, end)
        begun = lead if start == span.start else ""
        return tag("pre", tag("code", code_rows(dedented(begun, inside, len(lead)))), class_=class_)

    def snippet(self, text: str, class_: str = "code") -> Html:
        """A piece of rules without its file."""
        inside = self.highlighted(text, highlight_snippet(text), 0, len(text))
        return tag("pre", tag("code", code_rows(dedented("", inside, 0))), class_=class_)

    def highlighted(
        self, text: str, marks: Iterable[Mark], start: int, end: int, ids: Mapping[int, str] = NO_IDS
    ) -> list[Html]:
        """The text between two offsets with its marks as elements. `ids`: offset of a name -> its anchor."""
        found: list[Html] = []
        at = start
        for mark in marks:
            if mark.start < at or mark.end > end:
                continue
            gap = text[at : mark.start]
            if mark.kind == "clause":
                gap = WIDE_GAP.sub("  ", gap[:-1]) + gap[-1:]
            found += [joined(gap), self.marked_text(text[mark.start : mark.end], mark, ids.get(mark.start))]
            at = mark.end
        return [*found, joined(text[at:end].rstrip())]

    def marked_text(self, text: str, mark: Mark, id_: str | None) -> Html:
        target = self.site.urls.get(mark.target) if mark.target else None
        if target is not None:
            return tag("a", text, href=self.href(target), class_=mark.kind, id=id_)
        if id_ is None and mark.kind == "name":
            return joined(text)
        return tag("span", text, class_=mark.kind, id=id_)


def dedented(begun: str, inside: list[Html], margin: int) -> list[str]:
    """The lines without a margin of this many columns; marks contain no line ends."""
    lines = (begun + "".join(inside)).split("\n")
    return [line[min(margin, depth(line)) :] for line in lines]


def depth(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


def code_rows(lines: Iterable[str], numbered: bool = False) -> list[Html]:
    """Lines of code as elements with their depth, so that a long one continues under its beginning."""
    return [
        tag(
            "span",
            Html(f"{line}\n"),
            class_="row",
            style=f"--d:{depth(line)}",
            id=f"line-{number}" if numbered else None,
        )
        for number, line in enumerate(lines, 1)
    ]
