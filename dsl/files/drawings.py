"""Drawings of a ruleset: `pictures/*.svg`, read as plain data of four elements, or refused.

`read_drawing` takes the text of a file; gives its box and shapes as data of JSON, and diagnostics. Nothing of the file
is kept as text: whoever draws writes the elements anew, so that a file can bring no script, no style, no other file.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any
from xml.parsers import expat

from dsl.base.span import Source, Span
from dsl.diagnostics.diagnostic import Diagnostic, Severity
from dsl.files.schema import did_you_mean

LONGEST = 60_000  # characters of a file
DEEPEST = 40  # elements inside each other
NUMBER = r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?"
COLOUR = r"none|currentColor|#[0-9a-fA-F]{3}|#[0-9a-fA-F]{6}"
LOOKS = {
    "fill": COLOUR,
    "stroke": COLOUR,
    "stroke-width": NUMBER,
    "stroke-linecap": "butt|round|square",
    "stroke-linejoin": "miter|round|bevel",
    "fill-rule": "nonzero|evenodd",
    "opacity": NUMBER,
    "fill-opacity": NUMBER,
    "stroke-opacity": NUMBER,
    "transform": r"(?:(?:translate|scale|rotate|matrix|skewX|skewY)\([-+0-9.eE,\s]*\)[\s,]*)*",
}
ELEMENTS: Mapping[str, Mapping[str, str]] = {
    "g": {},
    "path": {"d": r"[MmZzLlHhVvCcSsQqTtAa0-9eE+\-.,\s]*"},
    "circle": dict.fromkeys(("cx", "cy", "r"), NUMBER),
    "rect": dict.fromkeys(("x", "y", "width", "height", "rx", "ry"), NUMBER),
}
LEFT_OUT = ("title", "desc", "metadata")  # elements, with all that is in them
NAMELESS = ("id", "version", "role", "xmlns")  # attributes that draw nothing


class _Refused(Exception):
    def __init__(self, message: str, help: str) -> None:
        super().__init__(message)
        self.help = help


def refuse(*_: object) -> None:
    raise _Refused("it declares a type of document", "leave out what begins with `<!`")


class _Reader:
    """Collects the shapes while a file is parsed. `within`: the lists that are open, the innermost last; `skipped`: the
    depth below an element that is left out; `at`: the byte at which the last element began."""

    def __init__(self) -> None:
        self.parser = expat.ParserCreate()
        self.parser.StartElementHandler, self.parser.EndElementHandler = self.begin, self.end
        self.parser.StartDoctypeDeclHandler = self.parser.EntityDeclHandler = refuse
        self.at = 0
        self.box: list[float] = []
        self.within: list[list[dict[str, Any]]] = []
        self.skipped = 0

    def begin(self, name: str, attributes: dict[str, str]) -> None:
        self.at = self.parser.CurrentByteIndex
        if self.skipped or self.within and (":" in name or name in LEFT_OUT):
            self.skipped += 1
        elif not self.within:
            self.box = box_of(name, attributes)
            self.within.append([])
        elif len(self.within) > DEEPEST:
            raise _Refused(f"more than {DEEPEST} elements lie inside each other", "draw with fewer groups")
        else:
            made = shape(name, attributes)
            self.within[-1].append(made)
            self.within.append(made.setdefault("shapes", []) if name == "g" else [])

    def end(self, name: str) -> None:
        if self.skipped:
            self.skipped -= 1
        elif len(self.within) > 1:
            self.within.pop()


def read_drawing(source: Source) -> tuple[dict[str, Any] | None, list[Diagnostic]]:
    """`{"box": [left, top, width, height], "shapes": [..]}`; a shape has its element under `is`, its attributes, and,
    if it is a group, `shapes`. None, with the reason, where something else is in the file."""
    reader = _Reader()
    try:
        if len(source.text) > LONGEST:
            raise _Refused(f"it has more than {LONGEST:,} characters", "draw it with fewer points")
        reader.parser.Parse(source.text, True)
    except expat.ExpatError as error:
        reason = expat.ErrorString(error.code)
        return None, [refused(source, place_of(source, error), "it cannot be read as XML", reason)]
    except _Refused as fault:
        at = len(source.text.encode()[: reader.at].decode("utf-8", "ignore"))
        return None, [refused(source, at, str(fault), fault.help)]
    return {"box": reader.box, "shapes": reader.within[0]}, []


def place_of(source: Source, error: expat.ExpatError) -> int:
    lines = source.text.splitlines(keepends=True)
    return min(sum(map(len, lines[: error.lineno - 1])) + error.offset, len(source.text))


def refused(source: Source, at: int, message: str, help: str) -> Diagnostic:
    return Diagnostic("RW0361", Severity.ERROR, Span(source.file, at, at), f"`{source.file}`: {message}", help)


def box_of(name: str, attributes: Mapping[str, str]) -> list[float]:
    """The `viewBox` of the root: left, top, width and height. Refuses another root, and one that gives no room."""
    if name != "svg":
        raise _Refused(f"it begins with `<{name}>`", 'write `<svg viewBox="0 0 24 24">` around the shapes')
    numbers = re.fullmatch(rf"\s*({NUMBER})[\s,]+({NUMBER})[\s,]+({NUMBER})[\s,]+({NUMBER})\s*",
                           attributes.get("viewBox", ""))  # fmt: skip
    box = [float(part) for part in numbers.groups()] if numbers else []
    if not box or box[2] <= 0 or box[3] <= 0:
        raise _Refused("it does not say how large it is", 'write `viewBox="0 0 24 24"`: left, top, width and height')
    return box


def shape(name: str, attributes: Mapping[str, str]) -> dict[str, Any]:
    """An element as data; attributes that name things or belong to other programs are left out."""
    if name not in ELEMENTS:
        raise _Refused(f"there is no `<{name}>` in a drawing of a ruleset", f"draw with {in_words(ELEMENTS)}")
    known, made = {**LOOKS, **ELEMENTS[name]}, {"is": name}
    for key, value in attributes.items():
        if ":" in key or key in NAMELESS:
            continue
        if key not in known:
            message = f"there is no `{key}` of `<{name}>` in a drawing of a ruleset"
            raise _Refused(message, did_you_mean(key, list(known)))
        if not re.fullmatch(known[key], value.strip()):
            raise _Refused(f"`{value.strip()[:40]}` is no `{key}`", expected(known[key]))
        made[key] = value.strip()
    return made


def expected(pattern: str) -> str:
    if pattern == COLOUR:
        return "write `#rrggbb`, `currentColor` for the ink, or `none`"
    if pattern == NUMBER:
        return "write a number without a unit"
    if pattern.replace("|", "").isalpha():
        return f"one of {in_words(pattern.split('|'))}"
    return "see the page about pictures in the manual"


def in_words(names: Any) -> str:
    return ", ".join(f"`{name}`" for name in names)
