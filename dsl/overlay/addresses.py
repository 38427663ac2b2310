"""Addresses: the dotted paths of names by which overlays, texts and tools find a place in the rules.

Takes trees; gives the place at an address, all addresses, and the digest of a place. Every line of a block has a name:
the one that it is given, that of the routine which it runs, or its first word. A section without a name of its own
(`effect`, `while`, a loop) may be left out of a path. Where a name stands several times, `[2]` says which. It changes
nothing.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import fields
from typing import TypeAlias

from dsl.syntax import nodes as sx
from dsl.syntax.vocabulary import TABLE, words_with

Place: TypeAlias = sx.Line | sx.Name  # the members of an enum have addresses, too
Ranked: TypeAlias = tuple[tuple[bool, ...], Place]  # whether each name on the way to it is a lesser one

RULE_LINES = words_with("attaches")  # their names are declared elsewhere
WITH_MEMBERS = ("enum", "ranked enum", "option", "kind")
NUMBER = re.compile(r"\.(\d+)(?=\.|$)|\.(\d+)-(\d+)")


def declared_name(line: sx.Line) -> str:
    """The name that the text gives a line; empty when it gives none."""
    match line:
        case sx.Decl(name=name):
            return name
        case sx.Section(word="step", name=name):
            return name or ""
        case sx.Section(word=word):
            return word
        case sx.Case(name=name):
            return name
        case sx.Row(key=key):
            return sx.key_name(key)
    return ""


def name_of(place: Place) -> str:
    """The name of a place in an address: what it declares or binds, the routine that it runs, or its first word."""
    match place:
        case sx.Name(id=name):
            return name
        case sx.Let(name=name):
            return name
        case sx.Choose(shape=shape, name=name, binders=binders) if shape != "cases" and (name or binders):
            return name or binders[0].name
        case sx.Choose(word=word) | sx.Loop(word=word):
            return word.split()[0]
        case sx.If():
            return "if"
        case sx.Sentence():
            return routine_run(place) or place.word.split()[0]
        case sx.Answer() | sx.Result():
            return ""
    return declared_name(place).split(" ")[0]


def routine_run(line: sx.Sentence) -> str:
    """The name of the routine, effect or menu that a sentence runs or offers; empty if it does neither."""
    facts = TABLE[line.word].facts
    if "names" not in facts or not {"alters", "asks"} & {*facts}:
        return ""
    match line.operands:
        case (sx.Call(func=sx.Name(id=name)) | sx.Name(id=name), *_):
            return name
        case (sx.Call(func=sx.Attr(name=name)) | sx.Attr(name=name), *_):
            return name
        case (sx.AnyOf(name=name), *_):
            return name
    return ""


def is_lesser(place: Place) -> bool:
    """True for a place that gives way to a declared name, step, case or row of the same name."""
    if isinstance(place, sx.Decl):
        return place.word in RULE_LINES
    return not isinstance(place, (sx.Name, sx.Section, sx.Case, sx.Row))


def block_of(line: sx.Line) -> tuple[sx.Line, ...]:
    return getattr(line, "block", ()) or ()


def blocks_of(line: sx.Line) -> tuple[tuple[sx.Line, ...], ...]:
    return (line.then, line.orelse) if isinstance(line, sx.If) else (block_of(line),)


def is_anonymous(line: sx.Line) -> bool:
    """True for a line that a path may leave out: it has a block, but no name of its own."""
    if isinstance(line, sx.Section):
        return line.word != "step"
    return isinstance(line, (sx.If, sx.Loop, sx.Choose))


def within(lines: Iterable[sx.Line]) -> Iterator[sx.Line]:
    """The lines of a block, and those in lines that a path may leave out, in the order of the text."""
    for line in lines:
        yield line
        if is_anonymous(line):
            yield from inside(line)


def inside(line: sx.Line) -> Iterator[sx.Line]:
    """The lines in the blocks of a line; `else if` is no line of its own."""
    if not isinstance(line, sx.If):
        yield from within(block_of(line))
        return
    yield from within(line.then)
    match line.orelse:
        case (sx.If() as chained,):
            yield from inside(chained)
        case _:
            yield from within(line.orelse)


def members_of(place: Place) -> tuple[sx.Name, ...]:
    """The members that an enum, option or union lists."""
    if not isinstance(place, sx.Decl) or place.word not in WITH_MEMBERS:
        return ()
    return tuple(item for item in place.items if isinstance(item, sx.Name) and item.id != "bool")


def parts_of(place: Place) -> Iterator[Place]:
    """The places that have an address under this one."""
    if not isinstance(place, sx.Name):
        yield from members_of(place)
        yield from inside(place)


# ---------------------------------------------------------------- from an address to a place


def find_all(files: Sequence[sx.File], path: Sequence[str]) -> list[Place]:
    """The places at an address, in the order of the text; more than one where it does not say which."""
    found: list[Ranked] = [
        ((is_lesser(line),), line) for file in files for line in within(file.lines) if name_of(line) == path[0]
    ]
    for name in path[1:]:
        under: list[Ranked] = [
            ((*lesser, is_lesser(part)), part)
            for lesser, place in found
            for part in parts_of(place)
            if name_of(part) == name
        ]
        if not under and name.isdecimal():
            numbered = best_of(found)
            under = [((False,), place) for place in numbered[int(name) - 1 : int(name)]] if int(name) else []
        found = under
    return best_of(found)


def best_of(found: list[Ranked]) -> list[Place]:
    """The places whose names go before those of the others, each once."""
    best = min((lesser for lesser, _ in found), default=())
    return list({id(place): place for lesser, place in found if lesser == best}.values())


def find(files: Sequence[sx.File], path: Sequence[str]) -> Place | None:
    """The place at an address; None where there is none, or more than one."""
    found = find_all(files, path)
    return found[0] if len(found) == 1 else None


def place_at(files: Iterable[sx.File], sought: Place) -> Place | None:
    """The place that stands at the same stretch of text: what other patches have made of it."""

    def look(lines: Iterable[sx.Line]) -> Place | None:
        for line in lines:
            if line.span == sought.span and type(line) is type(sought):
                return line
            if isinstance(line, sx.Decl):
                for item in members_of(line):
                    if item.span == sought.span and isinstance(sought, sx.Name):
                        return item
            for block in blocks_of(line):
                if (found := look(block)) is not None:
                    return found
        return None

    nearest_first = sorted(files, key=lambda file: file.path != sought.span.file)
    return next((found for file in nearest_first if (found := look(file.lines)) is not None), None)


# ---------------------------------------------------------------- all addresses


def numbered(places: Iterable[Place]) -> Iterator[tuple[str, Place]]:
    """The places that have a name, each with what leads to it from the line around them: `slide.2` for the second."""
    known = [place for place in places if name_of(place)]
    greater = {name_of(place) for place in known if not is_lesser(place)}
    shown = [place for place in known if not is_lesser(place) or name_of(place) not in greater]
    total, count = Counter(map(name_of, shown)), Counter[str]()
    for place in shown:
        name = name_of(place)
        count[name] += 1
        yield (name if total[name] == 1 else f"{name}.{count[name]}"), place


def addresses(files: Sequence[sx.File]) -> dict[str, Place]:
    """All addresses, dotted, each with its place; without the sections that may be left out."""
    found: dict[str, Place] = {}

    def walk(places: Iterable[Place], prefix: str) -> None:
        for name, place in numbered(places):
            found.setdefault(prefix + name, place)
            if isinstance(place, sx.Name) or not is_anonymous(place):
                walk(parts_of(place), f"{prefix}{name}.")

    walk((line for file in files for line in within(file.lines)), "")
    return found


def addresses_under(files: Sequence[sx.File], path: Sequence[str]) -> list[str]:
    """The addresses directly under that of the longest beginning of a path that leads to one place."""
    for size in range(len(path), 0, -1):
        place = find(files, path[:size])
        if place is not None:
            return [".".join((*path[:size], name)) for name, _ in numbered(parts_of(place))]
    return []


def shown(address: str) -> str:
    """A dotted address as people write it: `goal[2]`, `goal[3..5]`."""
    return NUMBER.sub(lambda m: f"[{m[1]}]" if m[1] else f"[{m[2]}..{m[3]}]", address)


def address_in(text: str) -> str:
    """The dotted address that is written in a text, which may end in it: `goal[3..5]` is `goal.3-5`."""
    return re.sub(r"\[([^\]]*)\]", r".\1", text).replace(" ", "").replace("..", "-")


def digest(node: object) -> str:
    """Six digits for the meaning of a place: comments, citations, titles and layout do not count."""

    def bare(node: object) -> object:
        if isinstance(node, tuple):
            return tuple(bare(n) for n in node)
        if isinstance(node, sx.Node):
            inner = [
                (f.name, bare(getattr(node, f.name)))
                for f in fields(node)
                if f.name not in ("span", "name_span", "cites", "text")
            ]
            return (type(node).__name__, *inner)
        return node

    return hashlib.blake2b(repr(bare(node)).encode(), digest_size=3).hexdigest()
