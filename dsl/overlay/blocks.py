"""The blocks of overlay files: what each is based on, and in which order they apply.

`read_blocks` takes the trees of overlay files and gives their `errata` and `variant` blocks in the order in which they
apply. Nothing is patched.
"""

from __future__ import annotations

import datetime
from collections.abc import Iterator, Sequence

from dsl.base.record import dataclass
from dsl.base.span import Span
from dsl.base.spelling import nearest
from dsl.diagnostics.diagnostic import Label
from dsl.overlay.patches import PATCHES
from dsl.symbols.symbols import Model
from dsl.syntax import nodes as sx


@dataclass(frozen=True, slots=True)
class ErrataChoice:
    """The errata that apply: those up to a day (ISO), those of a printing; None is no limit. Those on a variant that is
    `absent` do not: a day brings all errata of a ruleset, and nobody named that variant."""

    as_of: str | None = None
    printing: str | None = None
    absent: frozenset[str] = frozenset()


ALL_ERRATA = ErrataChoice()


@dataclass(frozen=True, slots=True)
class OverlayBlock:
    """One `errata` or `variant`; `on` are the names after that word, with their places."""

    decl: sx.Decl
    file: str
    number: int  # in the order of naming
    on: tuple[tuple[str, Span], ...]
    dated: str

    @property
    def name(self) -> str:
        return self.decl.name

    def patches(self) -> Iterator[sx.Decl]:
        for line in self.decl.block:
            if isinstance(line, sx.Decl) and line.word in PATCHES:
                yield line


def read_blocks(overlays: list[sx.File], base: str, chosen: ErrataChoice, m: Model) -> list[OverlayBlock]:
    """The blocks that apply, in their order. `base` is the id of the ruleset."""
    blocks: list[OverlayBlock] = []
    known: dict[str, OverlayBlock] = {}
    for overlay in overlays:
        if not overlay.lines and not any(d.span.file == overlay.path for d in m.diagnostics):
            message = "this file holds no `errata` or `variant` block, so nothing of its overlay would apply"
            help = f"begin with `{overlay.path.rpartition('.')[2]} NAME on {base}`, or remove the file"
            m.error("RW1001", Span(overlay.path, 0, 0), message, help)
        for line in overlay.lines:
            if not isinstance(line, sx.Decl) or line.word not in ("errata", "variant"):
                m.error(
                    "RW1001",
                    line.span,
                    "an overlay file holds `errata` and `variant` blocks",
                    "begin with `errata NAME on RULESET`",
                )
                continue
            block = OverlayBlock(line, overlay.path, len(blocks), base_names(line), date_of(line, m))
            if block.name in known:
                first = Label(known[block.name].decl.name_span, "the first one")
                m.error("RW0202", line.name_span, f"`{block.name}` is declared twice", "rename one of them", (first,))
            known.setdefault(block.name, block)
            if applies(block, chosen):
                blocks.append(block)
    return sort_blocks(without_absent(blocks, chosen.absent), base, m)


def without_absent(blocks: list[OverlayBlock], absent: frozenset[str]) -> list[OverlayBlock]:
    """Without the errata that are on something absent, and those that are on these."""
    left_out = {b.name for b in blocks if b.decl.word == "errata" and any(name in absent for name, _ in b.on)}
    if not left_out:
        return blocks
    return without_absent([block for block in blocks if block.name not in left_out], frozenset(left_out))


def base_names(line: sx.Decl) -> tuple[tuple[str, Span], ...]:
    return tuple((a.id, a.span) for c in line.clauses if c.word == "on" for a in c.args if isinstance(a, sx.Name))


def clause_text(line: sx.Decl, word: str) -> tuple[str, Span] | None:
    """The quoted text after a clause word, with its place."""
    return next(
        ((a.value, a.span) for c in line.clauses if c.word == word for a in c.args if isinstance(a, sx.Text)), None
    )


def date_of(line: sx.Decl, m: Model) -> str:
    """The day of an errata; empty when it has none."""
    found = clause_text(line, "dated")
    if found is None:
        if line.word == "errata":
            way = 'write `dated "2011-07-01"`; without it they count from the beginning'
            m.warn("RW1006", line.name_span, f"the errata `{line.name}` have no date", way)
        return ""
    try:
        return datetime.date.fromisoformat(found[0]).isoformat()
    except ValueError:
        message = f'`"{found[0]}"` is not a date'
        m.error("RW1006", found[1], message, 'write year, month and day, as `dated "2011-07-01"`')
        return ""


def applies(block: OverlayBlock, chosen: ErrataChoice) -> bool:
    """True if a block applies for the chosen day and printing; a variant always does."""
    if block.decl.word == "variant":
        return True
    printing = clause_text(block.decl, "printing")
    if chosen.printing is not None and printing is not None and printing[0] != chosen.printing:
        return False
    return chosen.as_of is None or block.dated <= chosen.as_of


def sort_blocks(blocks: list[OverlayBlock], base: str, m: Model) -> list[OverlayBlock]:
    """The blocks sorted: each after the blocks it is `on`, otherwise errata by date, then variants as named."""
    here = {block.name for block in blocks}
    for block in blocks:
        for name, span in block.on:
            if name not in here and name != base:
                near = nearest(name, [*here - {block.name}, base])
                way = f"did you mean `{near}`?" if near else f"name the overlay `{name}` too"
                m.error("RW1007", span, f"`{block.name}` is on `{name}`, which is not there", way)
    waiting = sorted(blocks, key=lambda b: (b.decl.word != "errata", b.dated, b.number))
    ordered: list[OverlayBlock] = []
    while waiting:
        left = {block.name for block in waiting}
        ready = next((b for b in waiting if not any(name in left for name, _ in b.on)), None)
        if ready is None:
            circle = waiting[0]
            names = " and ".join(f"`{block.name}`" for block in waiting)
            on = "is based on itself" if len(waiting) == 1 else "are based on each other"
            m.error("RW1007", circle.decl.name_span, f"{names} {on}", "take one `on` away")
            return [*ordered, *waiting]
        waiting.remove(ready)
        ordered.append(ready)
    return ordered


def all_bases(blocks: Sequence[OverlayBlock]) -> dict[str, set[str]]:
    """Overlay -> all overlays that it is based on, directly or not. The blocks are in their order."""
    found: dict[str, set[str]] = {}
    for block in blocks:
        near = {name for name, _ in block.on}
        found[block.name] = near.union(*(found.get(name, set()) for name in near))
    return found
