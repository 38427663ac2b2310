"""The style sheets of whole pages, each a file in `static`."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

PICTURE = "picture"  # pages that show positions: printed ones, tables, games in a page
REPORT = "report"  # comparisons of rules
SITE = "site"  # the website of a game


@cache
def page_style(name: str) -> str:
    """The rules of one of these sheets."""
    return files("tools.html").joinpath("static", f"{name}.css").read_text(encoding="utf-8")
