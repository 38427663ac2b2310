"""Addresses: the dotted paths of names by which overlays, texts and tools find a line of the rules.

Takes trees; gives the line at an address, all addresses, and the digest of a line. A section without a name of its own
(`effect`, `while`, a loop) may be left out of a path. It changes nothing.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import fields

from dsl.syntax import nodes as sx


def name_of(line: sx.Line) -> str:
    """The name of a line in an address; empty when it has none."""
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


def block_of(line: sx.Line) -> tuple[sx.Line, ...]:
    return getattr(line, "block", ()) or ()


def blocks_of(line: sx.Line) -> tuple[tuple[sx.Line, ...], ...]:
    return (line.then, line.orelse) if isinstance(line, sx.If) else (block_of(line),)


def is_anonymous(line: sx.Line) -> bool:
    """Whether a path may leave this line out: it has a block, but no name of its own."""
    if isinstance(line, sx.Section):
        return line.word != "step"
    return isinstance(line, (sx.If, sx.Loop, sx.Choose))


def find(files: list[sx.File], path: list[str]) -> sx.Line | None:
    """The line at an address."""

    def look(lines: tuple[sx.Line, ...], rest: list[str]) -> sx.Line | None:
        for line in lines:
            found = None
            if name_of(line) == rest[0]:
                found = line if len(rest) == 1 else look(block_of(line), rest[1:])
            elif is_anonymous(line):
                found = next((f for block in blocks_of(line) if (f := look(block, rest)) is not None), None)
            if found is not None:
                return found
        return None

    for f in files:
        found = look(f.lines, path)
        if found is not None:
            return found
    return None


def addresses(files: list[sx.File]) -> set[str]:
    """All addresses, dotted."""

    def walk(lines: tuple[sx.Line, ...], prefix: str) -> Iterator[str]:
        for line in lines:
            name = name_of(line)
            if name:
                yield prefix + name
            for block in blocks_of(line):
                yield from walk(block, prefix if is_anonymous(line) else prefix + name + ".")

    return {address for f in files for address in walk(f.lines, "")}


def digest(line: sx.Line) -> str:
    """Six digits for the meaning of a line: comments, citations, titles and layout do not count."""

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

    return hashlib.blake2b(repr(bare(line)).encode(), digest_size=3).hexdigest()
