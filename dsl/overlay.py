"""Overlays patch trees by stable address before anything is collected: errata and variants.

A thin first version: `replace`, `insert before`, `insert after` and `drop` of a named routine, step, card section,
value or rule, and new declarations. An address that does not exist is an error with the nearest one.
"""

from __future__ import annotations

import hashlib
from dataclasses import fields, replace

from dsl import syntax as sx
from dsl.diagnostics import Label
from dsl.model import Model
from dsl.nearest import nearest


def apply_overlays(files: list[sx.File], overlays: list[sx.File], m: Model) -> list[sx.File]:
    """The files with all overlays applied, in the order given."""
    for overlay in overlays:
        for line in overlay.lines:
            if not isinstance(line, sx.Decl) or line.word not in ("errata", "variant"):
                m.error(
                    "RW1001",
                    line.span,
                    "an overlay file holds `errata` and `variant` blocks",
                    "begin with `errata NAME on RULESET`",
                )
                continue
            for patch in line.block:
                files = apply(files, patch, m)
    return files


def apply(files: list[sx.File], patch: sx.Line, m: Model) -> list[sx.File]:
    if not isinstance(patch, sx.Decl) or patch.word not in (
        "replace",
        "insert before",
        "insert after",
        "drop",
        "alter",
    ):
        extra = sx.File("", (patch,))
        return [*files, extra]
    address = patch.name
    done = [False]
    was = next((c.args[0].value for c in patch.clauses if c.word == "was" and isinstance(c.args[0], sx.Text)), None)
    target = find(files, address.split("."))
    if target is not None and was is not None and digest(target) != was:
        m.error(
            "RW1003",
            patch.span,
            f"`{address}` is not what this patch was written for: its digest is `{digest(target)}`, not `{was}`",
            f'look at both, then write `was "{digest(target)}"`',
            (Label(target.span, "it reads so now"),),
        )
        return files
    if target is not None and patch.word == "alter" and altered(target, patch, m) is None:
        m.error(
            "RW1004",
            patch.span,
            f"`{address}` can not be altered like this",
            "`alter ADDRESS from OLD to NEW` changes a row, or the default of an option; it must read OLD now",
            (Label(target.span, "it reads so now"),),
        )
        return files
    result = [replace(f, lines=patched(f.lines, address.split("."), patch, done, m)) for f in files]
    if not done[0]:
        near = nearest(address, sorted(addresses(files)))
        m.error(
            "RW1002",
            patch.name_span,
            f"there is no `{address}` to {patch.word}",
            f"did you mean `{near}`?" if near else None,
        )
    return result


def name_of(line: sx.Line) -> str:
    match line:
        case sx.Decl(name=name):
            return name
        case sx.Section(word="step", name=name):
            return name or ""
        case sx.Section(word=word):
            return word
        case sx.Case(name=name):
            return name
        case sx.Row(key=sx.Name(id)):
            return id
    return ""


def addresses(files: list[sx.File]) -> set[str]:
    """All addresses, dotted."""
    found: set[str] = set()

    def walk(lines: tuple[sx.Line, ...], prefix: str) -> None:
        for line in lines:
            name = name_of(line)
            if name:
                found.add(prefix + name)
            for block in blocks_of(line):
                walk(block, prefix if passed_over(line) else prefix + name + ".")

    for f in files:
        walk(f.lines, "")
    return found


def block_of(line: sx.Line) -> tuple[sx.Line, ...]:
    return getattr(line, "block", ()) or ()


def blocks_of(line: sx.Line) -> tuple[tuple[sx.Line, ...], ...]:
    return (line.then, line.orelse) if isinstance(line, sx.If) else (block_of(line),)


def passed_over(line: sx.Line) -> bool:
    """Whether a path may leave this line out: it has a block, but no name of its own."""
    if isinstance(line, sx.Section):
        return line.word != "step"
    return isinstance(line, (sx.If, sx.Loop, sx.Choose))


def patched(
    lines: tuple[sx.Line, ...], path: list[str], patch: sx.Decl, done: list[bool], m: Model
) -> tuple[sx.Line, ...]:
    """The lines with the patch at the address; a `effect` or `while` section may be left out of the path."""
    result: list[sx.Line] = []
    for line in lines:
        name = name_of(line)
        if not done[0] and name == path[0] and len(path) == 1:
            done[0] = True
            result += at(line, patch, m)
        elif not done[0] and name == path[0] and block_of(line):
            result.append(with_block(line, patched(block_of(line), path[1:], patch, done, m)))
        elif not done[0] and passed_over(line):
            if isinstance(line, sx.If):
                then, orelse = (patched(block, path, patch, done, m) for block in blocks_of(line))
                result.append(replace(line, then=then, orelse=orelse))
            else:
                result.append(with_block(line, patched(block_of(line), path, patch, done, m)))
        else:
            result.append(line)
    return tuple(result)


def with_block(line: sx.Line, block: tuple[sx.Line, ...]) -> sx.Line:
    if isinstance(line, (sx.Decl, sx.Section, sx.Case, sx.Loop, sx.Row, sx.Choose)):
        return replace(line, block=block)
    return line


def find(files: list[sx.File], path: list[str]) -> sx.Line | None:
    """The line at an address."""

    def look(lines: tuple[sx.Line, ...], rest: list[str]) -> sx.Line | None:
        for line in lines:
            found = None
            if name_of(line) == rest[0]:
                found = line if len(rest) == 1 else look(block_of(line), rest[1:])
            elif passed_over(line):
                found = next((f for block in blocks_of(line) if (f := look(block, rest)) is not None), None)
            if found is not None:
                return found
        return None

    for f in files:
        found = look(f.lines, path)
        if found is not None:
            return found
    return None


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


def altered(line: sx.Line, patch: sx.Decl, m: Model) -> sx.Line | None:
    """The line with OLD replaced by NEW; None when it does not read OLD."""
    ends = {c.word: c.args[0] for c in patch.clauses if c.word in ("from", "to") and not isinstance(c.args[0], sx.Key)}
    if len(ends) != 2:
        return None
    if isinstance(line, sx.Row) and line.cells == ((ends["from"],),):
        return replace(line, cells=((ends["to"],),))
    if isinstance(line, sx.Decl) and line.value == ends["from"]:
        return replace(line, value=ends["to"])
    return None


def at(line: sx.Line, patch: sx.Decl, m: Model) -> list[sx.Line]:
    """What stands at the address afterwards."""
    match patch.word:
        case "drop":
            return []
        case "insert before":
            return [*patch.block, line]
        case "insert after":
            return [line, *patch.block]
        case "alter":
            return [altered(line, patch, m) or line]
    only = patch.block[0] if len(patch.block) == 1 else None
    if only is not None and name_of(only) == name_of(line) and type(only) is type(line):
        return [only]
    return [with_block(line, patch.block)]
