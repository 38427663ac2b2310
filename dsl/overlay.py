"""Overlays patch trees by stable address before anything is collected: errata and variants.

A thin first version: `replace`, `insert before`, `insert after` and `drop` of a named routine, step, card section, value or rule,
and new declarations. An address that does not exist is an error with the nearest one.
"""

from __future__ import annotations

from dataclasses import replace

from dsl import syntax as sx
from dsl.model import Model
from dsl.nearest import nearest


def apply_overlays(files: list[sx.File], overlays: list[sx.File], m: Model) -> list[sx.File]:
    """The files with all overlays applied, in the order given."""
    for overlay in overlays:
        for line in overlay.lines:
            if not isinstance(line, sx.Decl) or line.word not in ("errata", "variant"):
                m.error("RW1001", line.span, "an overlay file holds `errata` and `variant` blocks", "begin with `errata NAME on RULESET`")
                continue
            for patch in line.block:
                files = apply(files, patch, m)
    return files


def apply(files: list[sx.File], patch: sx.Line, m: Model) -> list[sx.File]:
    if not isinstance(patch, sx.Decl) or patch.word not in ("replace", "insert before", "insert after", "drop", "alter"):
        extra = sx.File("", (patch,))
        return [*files, extra]
    address = patch.name
    done = [False]
    result = [replace(f, lines=patched(f.lines, address.split("."), patch, done)) for f in files]
    if not done[0]:
        near = nearest(address, sorted(addresses(files)))
        m.error("RW1002", patch.name_span, f"there is no `{address}` to {patch.word}", f"did you mean `{near}`?" if near else None)
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
            walk(block_of(line), prefix + name + "." if name else prefix)

    for f in files:
        walk(f.lines, "")
    return found


def block_of(line: sx.Line) -> tuple[sx.Line, ...]:
    return getattr(line, "block", ()) or ()


def patched(lines: tuple[sx.Line, ...], path: list[str], patch: sx.Decl, done: list[bool]) -> tuple[sx.Line, ...]:
    """The lines with the patch at the address; a `effect` or `while` section may be left out of the path."""
    result: list[sx.Line] = []
    for line in lines:
        name = name_of(line)
        if not done[0] and name == path[0] and len(path) == 1:
            done[0] = True
            result += at(line, patch)
        elif not done[0] and name == path[0] and block_of(line):
            result.append(with_block(line, patched(block_of(line), path[1:], patch, done)))
        elif not done[0] and isinstance(line, sx.Section) and line.word in ("effect", "while", "together"):
            result.append(with_block(line, patched(line.block, path, patch, done)))
        else:
            result.append(line)
    return tuple(result)


def with_block(line: sx.Line, block: tuple[sx.Line, ...]) -> sx.Line:
    if isinstance(line, (sx.Decl, sx.Section, sx.Case, sx.Loop, sx.Row)):
        return replace(line, block=block)
    return line


def at(line: sx.Line, patch: sx.Decl) -> list[sx.Line]:
    """What stands at the address afterwards."""
    match patch.word:
        case "drop":
            return []
        case "insert before":
            return [*patch.block, line]
        case "insert after":
            return [line, *patch.block]
    only = patch.block[0] if len(patch.block) == 1 else None
    if only is not None and name_of(only) == name_of(line) and type(only) is type(line):
        return [only]
    return [with_block(line, patch.block)]
