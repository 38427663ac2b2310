"""Edits of trees: lines that stand instead of a place, or before or after it.

Takes files and an edit, gives new files; what does not change is the same object as before.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TypeVar, cast

from dsl.base.record import dataclass
from dsl.base.span import Span
from dsl.overlay.addresses import Place, members_of
from dsl.syntax import nodes as sx

P = TypeVar("P", bound=sx.Node)


@dataclass(frozen=True, slots=True)
class OverlayEdit:
    """A change of lines at one place. `where`: instead, before, after. What is put behind a place stands behind what
    the blocks in `strangers` have put there, since these come before."""

    target: Place
    lines: tuple[Place, ...]
    where: str
    strangers: tuple[Span, ...] = ()

    def splice(self, places: Sequence[P]) -> tuple[P, ...] | None:
        """The lines of a block with the edit made; None if the target is not among them."""
        at = next((n for n, place in enumerate(places) if place is self.target), None)
        if at is None:
            return None
        end = at + (self.where != "before")
        while self.where == "after" and end < len(places) and self.is_by_stranger(places[end]):
            end += 1
        begin = at if self.where == "instead" else end
        lines = cast(tuple[P, ...], self.lines)  # lines for lines, members for members
        return (*places[:begin], *lines, *places[end:])

    def is_by_stranger(self, place: sx.Node) -> bool:
        span = place.span
        return any(s.file == span.file and s.start <= span.start and span.end <= s.end for s in self.strangers)


def edit_files(files: Sequence[sx.File], edit: OverlayEdit) -> list[sx.File]:
    """The files with an edit made."""
    result = list(files)
    for number in sorted(range(len(files)), key=lambda n: files[n].path != edit.target.span.file):
        if (lines := edited(files[number].lines, edit)) is not files[number].lines:
            result[number] = replace(files[number], lines=lines)
            break
    return result


def edited(lines: tuple[sx.Line, ...], edit: OverlayEdit) -> tuple[sx.Line, ...]:
    """The lines of a block with an edit made in it or below; the same object if it is made elsewhere."""
    if (spliced := edit.splice(lines)) is not None:
        return spliced
    result = [edited_below(line, edit) for line in lines]
    return lines if all(map(is_same, result, lines)) else tuple(result)


def edited_below(line: sx.Line, edit: OverlayEdit) -> sx.Line:
    if isinstance(line, sx.If):
        then, orelse = edited(line.then, edit), edited(line.orelse, edit)
        return line if then is line.then and orelse is line.orelse else replace(line, then=then, orelse=orelse)
    if isinstance(line, sx.Decl) and isinstance(edit.target, sx.Name) and members_of(line):
        members = edit.splice(line.items)
        return line if members is None else replace(line, items=members)
    return with_block(line, edited(getattr(line, "block", ()) or (), edit))


def is_same(a: object, b: object) -> bool:
    return a is b


def with_block(line: sx.Line, block: tuple[sx.Line, ...]) -> sx.Line:
    if isinstance(line, (sx.Decl, sx.Section, sx.Case, sx.Loop, sx.Row, sx.Choose)) and block is not line.block:
        return replace(line, block=block)
    return line
