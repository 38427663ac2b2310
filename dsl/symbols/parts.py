"""The parts of a declaration: one that its word does not take is refused, so that nothing written is ignored.

The grammar is the same for all declarations: parameters, a type, `= ...`, clauses and a block. `TAKEN` says which of
them a word has a use for, and `ARGUMENTS` what stands behind a clause that names something.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from dsl.base.span import Span
from dsl.symbols.symbols import Model
from dsl.syntax import nodes as sx

# Parts that a word takes: parameters, a value behind `=`, types behind a colon, lines below it.
TAKEN: dict[str, frozenset[str]] = {
    word: frozenset(parts.split())
    for word, parts in {
        "enum": "types",
        "ranked enum": "types",
        "option": "value types",
        "table": "types block",
        "const": "types",
        "field": "value types",
        "zone": "types",
        "kind": "types block",
        "lattice": "types block",
        "piece": "",
        "history": "",
        "value": "params value types block",
        "purse": "params block",
        "card": "types block",
        "invariant": "value types",
        "strip": "",
        "rule": "block",
        "triggers ordered": "",
        "position": "block",
        "ruling": "params block",
    }.items()
}
MENDED = {
    ("zone", "value"): "rows of positions and `move` put things into it",
    ("const", "value"): "each thing gives its own in a card or data file; one for the whole game is a `value`",
    ("piece", "value"): "how many there are is said by `each N`",
    ("piece", "types"): "how many there are is said by `each N`",
    ("enum", "block"): "write its members behind the colon",
    ("ranked enum", "block"): "write its members behind the colon",
    ("option", "block"): "write its answers behind the colon",
    ("field", "params"): "what it belongs to is said by `by`, or by the kind above it",
    ("zone", "params"): "what it belongs to is said by `by`, or by the kind above it",
}


def is_name(e: sx.Node) -> bool:
    return isinstance(e, sx.Name)


def is_text(e: sx.Node) -> bool:
    return isinstance(e, sx.Text)


ARGUMENTS: dict[tuple[str, str], tuple[Callable[[sx.Node], bool], str]] = {
    ("kind", "from"): (is_text, 'the name of a file in quotes: `from "data/FILE.yaml"`'),
    ("kind", "per"): (is_name, "a kind: `kind K: 2 per Seat`"),
    ("kind", "decided by"): (is_name, "a field, constant or value of the kind that gives a Seat"),
    ("kind", "faces"): (is_name, "the names of the faces"),
    ("piece", "faces"): (is_name, "the names of the faces"),
    ("value", "in layers"): (is_name, "the names of the layers, in their order"),
    ("modify", "in layer"): (is_name, "the name of a layer"),
    ("position", "from"): (is_name, "the name of another position"),
}


def check_parts(m: Model, lines: Sequence[sx.Line], inside: bool = False) -> None:
    """Refuse every part of these declarations, and of those below them, that says nothing."""
    for line in lines:
        if not isinstance(line, sx.Decl) or line.word == "const" and not inside:  # reported as a whole
            continue
        check_shape(m, line)
        check_arguments(m, line)
        if line.word in ("kind", "lattice", "position", "ruling"):
            check_parts(m, line.block, inside=True)
        if line.word == "kind":
            check_kind(m, line)
        if line.word == "table":
            for c in (c for c in line.clauses if c.word == "from"):
                refuse(m, c.span, "`table` has no use for `from`", "its rows stand below it")
        if line.word == "purse":
            check_purse(m, line.block)


def refuse(m: Model, span: Span, message: str, help: str) -> None:
    m.error("RW0247", span, message, help)


def check_shape(m: Model, d: sx.Decl) -> None:
    taken = TAKEN.get(d.word)
    if taken is None:
        return
    found: dict[str, tuple[Span, str]] = {}
    if d.params is not None and (d.params or d.word not in ("value", "purse")):
        found["params"] = (d.name_span, "parameters")
    if d.value is not None and (d.word != "invariant" or d.type is not None or d.items):
        found["value"] = (d.value.span, f"`= {m.text(d.value.span)}`")
    if d.type is not None or d.items:
        first = d.type or d.items[0]
        found["types"] = (first.span, f"`: {m.text(first.span)}`")
    if d.block:
        found["block"] = (d.block[0].span, "lines below it")
    for part, (span, shown) in found.items():
        if part not in taken:
            takes = sorted(WORDS[p] for p in taken)
            way = f"it takes {', '.join(takes)}" if takes else "remove it"
            refuse(m, span, f"`{d.word}` has no use for {shown}", MENDED.get((d.word, part), way))


WORDS = {"params": "parameters", "value": "`= ...`", "types": "what stands behind a colon", "block": "lines below it"}


def check_arguments(m: Model, d: sx.Decl) -> None:
    for c in d.clauses:
        fits, wanted = ARGUMENTS.get((d.word, c.word), (None, ""))
        wrong = next((a for a in c.args if fits is not None and not fits(a)), None)
        if wrong is not None:
            refuse(m, wrong.span, f"behind `{c.word}` stands `{m.text(wrong.span)}`", f"write {wanted}")
        elif c.word == "faces" and len(c.args) < 2:
            refuse(m, c.span, "one face is none", "write two faces or more: `faces up, down`")


def check_kind(m: Model, d: sx.Decl) -> None:
    """What says where the things of a kind come from is said once; what its cards do is not said here."""
    clauses = {c.word: c for c in d.clauses}
    counted = any(isinstance(item, sx.Num) for item in d.items)
    for item in d.items:
        if not isinstance(item, (sx.Num, sx.Name)):
            refuse(m, item.span, f"`{m.text(item.span)}` is neither a number nor a kind", "write `kind K: 6`")
    for word in ("from", "per", "by", "decided by"):
        if d.items and not counted and word in clauses:
            refuse(m, clauses[word].span, f"a union of kinds has no `{word}`", "say it of each of its kinds")
    if "per" in clauses and not d.items:
        refuse(m, clauses["per"].span, "nothing says how many `per` means", f"write `kind {d.name}: 1 per ...`")
    if len(twice := [c for c in d.clauses if c.word == "per"]) > 1:
        refuse(m, twice[1].span, "a second `per`", "things are counted per member of one kind")
    for line in d.block:
        if isinstance(line, sx.Section) and line.word == "effect" and line.block:
            help = "here stands `effect(p: Seat)` alone, if the effects have parameters"
            refuse(m, line.block[0].span, "what an effect does is said by each card", help)
        elif isinstance(line, sx.Decl) and line.word == "strip" and line.head is not None:
            refuse(
                m, line.head.span, "what a strip shows is said by each card", f"here stands `strip {line.name}` alone"
            )


def check_purse(m: Model, block: Sequence[sx.Line]) -> None:
    for line in block:
        if isinstance(line, sx.Loop):
            check_purse(m, line.block)
            for inner in line.block:
                if not isinstance(inner, sx.Decl) or inner.word != "source":
                    refuse(m, inner.span, "a loop of a purse holds sources", "write `for every x in S: source ZONE`")
        elif isinstance(line, sx.Decl) and line.word == "source":
            for c in line.clauses:
                if c.word in ("of", "once per"):
                    help = f"`{c.word}` is for a `source` line of a card, which adds to a purse"
                    refuse(m, c.span, f"a source of the purse itself has no use for `{c.word}`", help)


def check_deciders(m: Model) -> None:
    """Report `decided by` names that are no field, constant or value; those of all kinds must be known."""
    for kind in m.kinds.values():
        name = kind.decided_by
        if name is None or name in kind.fields or name in m.values or name in m.broken:
            continue
        known = [*kind.fields, *m.values]
        m.unknown("RW0205", kind.decided_span, "field or value", name, known)
