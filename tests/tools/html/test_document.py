"""The one frame of pages: what stands in its head, and that no text leaves its place."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import tools
from tools.html.document import document
from tools.html.elements import tag
from tools.html.styles import PICTURE, REPORT, SITE, page_style

ROOM = Path(tools.__file__).parent / "html"


def test_a_page_has_a_language_a_title_and_what_it_loads() -> None:
    page = document("eo", "A & <B>", tag("main"), sheets=["s.css"], scripts=["one.js", "two.js"])
    assert page == (
        '<!doctype html>\n<html lang="eo"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1"><title>A &amp; &lt;B&gt;</title>'
        '<link rel="stylesheet" href="s.css"><script src="one.js" defer></script><script src="two.js" defer></script>'
        "</head><body><main></main></body></html>\n"
    )


def test_a_policy_stands_before_all_that_it_is_about() -> None:
    page = document("en", "T", "", style="b { }", sheets=["s.css"], scripts=["s.js"], policy="default-src 'none'")
    policy = page.index("default-src &#x27;none&#x27;")
    assert all(policy < page.index(word) for word in ("<title", "<style", "<link", "<script"))


def test_what_scripts_are_told_is_escaped() -> None:
    page = document("en", "T", "<b>", class_="rw", told={"words": '{"a": "<"}'})
    assert '<body class="rw" data-words="{&quot;a&quot;: &quot;&lt;&quot;}">&lt;b&gt;</body>' in page


def test_nothing_else_begins_a_page_or_escapes_a_text() -> None:
    own = [path for path in (ROOM.parent).rglob("*.py") if path.parent != ROOM]
    writes = re.compile(r"<!doctype html|from html import|html\.escape")
    assert not [path.name for path in own if writes.search(path.read_text(encoding="utf-8"))]


@pytest.mark.parametrize("name", (PICTURE, REPORT, SITE))
def test_a_sheet_closes_what_it_opens(name: str) -> None:
    style = page_style(name)
    assert style.count("{") == style.count("}") > 10
