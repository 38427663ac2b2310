"""Frames that can never be running where a sentence counts on them: `stop F`, `at end of F` and `until end of F`.

Takes the collected model and follows which routine can start which. Whatever answers an event (triggers, checks,
effects of cards, icons) may run inside anything: it and what it starts are not reported. Adds diagnostics only.
"""

from __future__ import annotations

from collections.abc import Iterable

from dsl.symbols.symbols import Mentions, Model
from dsl.symbols.types import runs_strip
from dsl.syntax import nodes as sx
from dsl.syntax.walk import walk


def check_running_frames(m: Model) -> None:
    """Report every named frame that no chain of calls leads through."""
    starts = {r.name: routines_started(m, r.block) for r in m.routines.values()}
    anywhere = closure(starts, roots(m))
    for r in list(m.routines.values()):
        if r.name in anywhere or r.original or not r.used and r.name != "game":
            continue
        for node, word, name in named_frames(r.block):
            frame = name.id
            if frame not in m.routines or frame == r.name or r.name in closure(starts, [frame]):
                continue
            if not m.routines[frame].used and frame != "game":
                continue  # nothing starts it: the message about the routine says so
            does = "does nothing" if word == "stop" else "never comes to its end"
            m.warn(
                "RW1208",
                node.span,
                f"`{frame}` cannot be running here, so this {does}: nothing that it starts leads to `{r.name}`",
                f"name a routine inside which `{r.name}` runs, or `{r.name}` itself",
            )


def roots(m: Model) -> list[str]:
    """Routines that may begin inside anything else."""
    found = [r.name for r in m.routines.values() if "#" in r.name or r.word in ("effect", "icon")]
    found += [r.name for r in m.routines.values() if any(c.word == "at any moment" for c in r.clauses)]
    blocks: list[object] = [line.decl.block for line in m.triggers]
    blocks += [loop for loop, _ in m.checks]
    for r in m.routines.values():
        blocks += mentions(m, r.block).lasting
    for block in blocks:
        found += routines_started(m, block)
    return found


def routines_started(m: Model, block: object) -> set[str]:
    """The routines that a block names, those of menus, strips and effects included. A name in `running(F)` starts
    nothing."""
    named = mentions(m, block)
    found = {name for name in named.names if name in m.routines}
    menus = named.any_of | (named.names - found)
    found.update(r.name for menu in menus if menu in m.menus for r in m.menus[menu])
    if named.effects or named.resolves:
        found.update(r.name for r in m.routines.values() if r.word in ("effect", "icon"))
    return found


def mentions(m: Model, block: object) -> Mentions:
    """The names in a block, except those of frames; the model stores the result."""
    kept = m.mentions.get(id(block))
    if kept is not None:
        return kept
    named = m.mentions[id(block)] = Mentions(block)
    frames: set[int] = set()
    for node in walk(block):  # a sentence comes before the names in it
        match node:
            case sx.Name(id_):
                if id(node) not in frames:
                    named.names.add(id_)
            case sx.AnyOf(id_):
                named.any_of.add(id_)
            case sx.Attr(_, "effect"):
                named.effects = True
            case sx.Call(sx.Name("running"), args):
                frames |= {id(a.value) for a in args}
            case sx.Sentence() | sx.Section():
                named.resolves |= runs_strip(node)
                if isinstance(node, sx.Section) and node.word == "until end of":
                    named.lasting.append(node.block)
                if frame := frame_of(node):
                    frames.add(id(frame))
    return named


def closure(starts: dict[str, set[str]], first: Iterable[str]) -> set[str]:
    """All routines that are started from these, themselves included."""
    found: set[str] = set()
    left = list(first)
    while left:
        name = left.pop()
        if name not in found:
            found.add(name)
            left += starts.get(name, ())
    return found


def named_frames(block: object) -> Iterable[tuple[sx.Node, str, sx.Name]]:
    """The sentences that name a frame, with their word and that name."""
    for node in walk(block):
        if isinstance(node, (sx.Sentence, sx.Section)) and (frame := frame_of(node)):
            yield node, node.word, frame


def frame_of(node: sx.Sentence | sx.Section) -> sx.Name | None:
    """The name of the frame that a sentence names."""
    match node:
        case sx.Sentence(word="stop", operands=(sx.Name() as frame, *_)):
            return frame
        case sx.Section(word="at end of" | "until end of", head=sx.Name() as frame):
            return frame
    return None
