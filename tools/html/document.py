"""The one frame of a page of HTML: head, body, and what the page may load."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType

from tools.html.elements import Content, Html, tag

NOTHING: Mapping[str, str] = MappingProxyType({})


def document(
    lang: str,
    title: str,
    body: Content,
    *,
    style: str = "",
    sheets: Sequence[str] = (),
    scripts: Iterable[str] = (),
    policy: str = "",
    class_: str | None = None,
    told: Mapping[str, str] = NOTHING,
) -> str:
    """The text of a page; for everything that writes a whole one. `style`: rules that the page holds itself; `sheets`
    and `scripts`: addresses of what it loads, in this order, the scripts when the page has been read; `policy`: a
    security policy that stands in the page, for pages that no server sends; `class_` and `told`: the class of the body
    and what scripts are told by its attributes (`data-KEY`)."""
    head = [
        tag("meta", charset="utf-8"),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("meta", content=policy, http_equiv="Content-Security-Policy") if policy else None,
        tag("title", title),
        tag("style", Html(style)) if style else None,
        [tag("link", rel="stylesheet", href=sheet) for sheet in sheets],
        [tag("script", src=script, defer=True) for script in scripts],
    ]
    attributes = {f"data_{key}": value for key, value in told.items()}
    whole = tag("html", tag("head", head), tag("body", body, class_=class_, **attributes), lang=lang)
    return f"<!doctype html>\n{whole}\n"
