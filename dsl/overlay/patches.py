"""One patch of an overlay on the trees: `replace`, `insert before`, `insert after`, `drop` and `alter` at an address.

Takes all files and a line of an overlay; gives the files with the change made, or a diagnostic and the files as they
were. A declaration that is no patch is added as it stands.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from textwrap import dedent, indent
from typing import Any, TypeAlias

from dsl.base.record import dataclass
from dsl.base.span import Source, Span
from dsl.base.spelling import nearest
from dsl.diagnostics.diagnostic import Label
from dsl.overlay.addresses import Place, addresses, addresses_under, digest, find_all, name_of, place_at, shown
from dsl.overlay.edits import OverlayEdit, edit_files, with_block
from dsl.overlay.records import Record, find_record
from dsl.symbols.symbols import Model
from dsl.syntax import nodes as sx

TAB = "    "
PATCHES = ("replace", "insert before", "insert after", "drop", "alter")
INSERTS = ("insert before", "insert after")
ADD_OR_CHANGE = "records are added and changed by a file of the same name in the folder of the overlay"
MOST_SHOWN = 12
Files: TypeAlias = list[sx.File]


@dataclass(frozen=True, slots=True)
class Surroundings:
    """All that an overlay is applied to besides the trees. `originals`: the texts that patches were written for, by
    their digests; `data`: the data files that it sees, by the names under which kinds ask for them; `strangers`: the
    blocks of overlays before it that it is not based on, whose lines it does not see."""

    originals: Mapping[str, str]
    data: Mapping[str, tuple[Source, ...]]
    strangers: tuple[Span, ...]


def apply_patch(files: Files, patch: sx.Line, m: Model, around: Surroundings, seen: Files | None = None) -> Files:
    """The files with one patch applied; `seen`: the files as the overlay sees them, without what strangers did."""
    if not isinstance(patch, sx.Decl) or patch.word not in PATCHES:
        return [*files, sx.File("", (patch,))]
    target = find_target(files if seen is None else seen, patch, m, around)
    if target is None or not is_as_expected(patch, target, m, around):
        return files
    if isinstance(target, Record):
        m.dropped[target.kind, target.id] = patch.name_span
        return files
    now = target if seen is None else place_at(files, target)
    lines = new_lines(patch, target, now, m) if now is not None else None
    if now is None or lines is None:
        return files
    if patch.word == "drop" and isinstance(target, (sx.Name, sx.Decl)):
        m.dropped[owner_of(target, patch), name_of(target)] = patch.name_span
    where = patch.word.removeprefix("insert ") if patch.word in INSERTS else "instead"
    return edit_files(files, OverlayEdit(now, tuple(lines), where, around.strangers))


def find_target(files: Files, patch: sx.Decl, m: Model, around: Surroundings) -> Place | Record | None:
    """The one place or record that a patch is to change; None after a message."""
    path = patch.name.split(".")
    found = find_all(files, path)
    if len(found) == 1:
        return found[0]
    if found:
        ways = [f"`{shown(patch.name)}[{n}]` in line {line_of(place, m)}" for n, place in enumerate(found, 1)]
        message = f"`{shown(patch.name)}` stands {len(found)} times"
        m.error("RW1008", patch.name_span, message, f"say which one: {', '.join(ways[:MOST_SHOWN])}")
        return None
    record = find_record(files, around.data, path)
    if record is not None and patch.word == "drop":
        return record
    message = f"there is no `{shown(patch.name)}` to {patch.word}"
    m.error("RW1002", patch.name_span, message, way_to(files, path, record))
    return None


def way_to(files: Files, path: Sequence[str], record: Record | None) -> str:
    """A guess at what is meant by an address that leads nowhere, in words."""
    if record is not None:
        return f"`{record.id}` is a record of {record.file}: {ADD_OR_CHANGE}; `drop` takes one away"
    near = nearest(".".join(path), sorted(addresses(files)))
    under = addresses_under(files, path)
    ways = [f"did you mean `{shown(near)}`?"] if near else []
    if under:
        more = ", .." if len(under) > MOST_SHOWN else ""
        ways.append(f"there are {', '.join(f'`{shown(a)}`' for a in under[:MOST_SHOWN])}{more}")
    return "; ".join(ways) or "the address is the dotted path of names, as `routine.step`"


def line_of(place: Place, m: Model) -> int:
    source = m.sources.get(place.span.file)
    return source.place(place.span.start)[0] if source else 0


def owner_of(target: Place, patch: sx.Decl) -> str:
    """The kind of a card, the enum of a member; empty for anything else."""
    if isinstance(target, sx.Decl):
        return target.type.id if target.word == "card" and isinstance(target.type, sx.Name) else ""
    return patch.name.split(".")[0] if isinstance(target, sx.Name) else ""


def is_as_expected(patch: sx.Decl, target: Place | Record, m: Model, around: Surroundings) -> bool:
    """True if the target has the digest that the patch gives, if it gives one; else a message says what it reads."""
    was, reads = expected_digest(patch), digest_of(target)
    if was is None or reads == was:
        return True
    way = f'look at both, then write `was "{reads}"`, or let `rulewright errata accept` write it'
    if was in around.originals:
        texts = indent(around.originals[was], TAB), indent(text_of(target, m), TAB)
        way += "\nit was written for:\n{}\nit reads now:\n{}".format(*texts)
    m.error(
        "RW1003",
        patch.span,
        f"`{shown(patch.name)}` is not what this patch was written for: its digest is `{reads}`, not `{was}`",
        way,
        (Label(target.span, "it now reads like this"),),
    )
    return False


def digest_of(target: Place | Record) -> str:
    return digest(target.node.plain() if isinstance(target, Record) else target)


def text_of(target: Place | Record, m: Model) -> str:
    """The source text of a place, at the left margin; of a member its name alone."""
    return m.text(target.span) if isinstance(target, sx.Name) else snippet(m, target.span)


def snippet(m: Model, span: Span) -> str:
    """The source text of a span, moved to the left margin."""
    text = m.sources[span.file].text
    begin = text.rfind("\n", 0, span.start) + 1
    end = text.find("\n", span.end)
    lead = text[begin : span.start]
    first = lead if not lead.strip() else " " * len(lead)
    return dedent(first + text[span.start : end if end >= 0 else len(text)]).rstrip()


def expected_digest(patch: sx.Decl) -> str | None:
    """The digest of the target that the patch was written for, if it gives one."""
    return next((c.args[0].value for c in patch.clauses if c.word == "was" and isinstance(c.args[0], sx.Text)), None)


def new_lines(patch: sx.Decl, target: Place, now: Place, m: Model) -> Sequence[Place] | None:
    """The lines to be inserted, or to stand instead of the target, which reads as `now`; None after a message."""
    if patch.word == "drop":
        return ()
    if patch.word == "alter":
        return alter(patch, target, now, m)
    if isinstance(target, sx.Name):
        return new_members(patch, m)
    if patch.word in INSERTS:
        return patch.block
    only = patch.block[0] if len(patch.block) == 1 else None
    if only is not None and name_of(only) == name_of(target) and type(only) is type(target):
        return [with_citations(only, patch.cites)]
    if isinstance(now, (sx.Decl, sx.Section, sx.Case, sx.Row)):
        return [with_citations(with_block(now, patch.block), patch.cites)]
    return [line if getattr(line, "cites", ()) else with_citations(line, patch.cites) for line in patch.block]


def new_members(patch: sx.Decl, m: Model) -> Sequence[Place] | None:
    """The members that a patch of a member brings: `enum NAME: MEMBER, MEMBER`."""
    owner = patch.name.split(".")[0]
    match patch.block:
        case (sx.Decl(name=name, items=items, value=None, block=(), clauses=()),) if name == owner and items:
            if all(isinstance(item, sx.Name) for item in items):
                return [item for item in items if isinstance(item, sx.Name)]
    message = f"`{shown(patch.name)}` is a member, so here stand members of `{owner}`"
    way = f"write `enum {owner}: NEW`, or `option {owner}: NEW` for an option"
    m.error("RW1009", patch.block[0].span, message, way)
    return None


def with_citations(line: sx.Line, cites: tuple[str, ...]) -> sx.Line:
    """The line with the clauses that the patch cites, if it cites any."""
    return line if isinstance(line, sx.Answer) or not cites else replace(line, cites=cites)


# ---------------------------------------------------------------- alter: one word or number


def alter(patch: sx.Decl, target: Place, now: Place, m: Model) -> Sequence[Place] | None:
    """The target with OLD replaced by NEW: a row, the default of an option, else the one place where OLD occurs."""
    ends = {c.word: c.args[0] for c in patch.clauses if c.word in ("from", "to")}
    if len(ends) < 2:  # that was reported
        return None
    old, new = ends["from"], ends["to"]
    if isinstance(now, sx.Decl) and now.value == old and not isinstance(new, sx.Key):
        return [replace(now, value=new)]
    found = Replacement(old, new)
    found.apply(target)
    if found.count == 1:
        return [Replacement(old, new, found.last).apply(now)]
    stands = "does not stand" if not found.count else f"stands {found.count} times"
    m.error(
        "RW1004",
        patch.span,
        f"`{m.text(old.span)}` {stands} in `{shown(patch.name)}`",
        "`alter ADDRESS from OLD to NEW` changes the one place where OLD stands; name a smaller part, or use `replace`",
        (Label(target.span, "it now reads like this"),),
    )
    return None


class Replacement:
    """Replaces an expression wherever it occurs in a tree, or only at a place; counts the places and remembers the
    last one."""

    def __init__(self, old: Any, new: Any, only: Span | None = None) -> None:
        self.old, self.new, self.only, self.count = old, new, only, 0
        self.last: Span | None = None

    def apply(self, node: Any) -> Any:
        if node == self.old and self.only in (None, node.span):
            self.count += 1
            self.last = node.span
            return self.new
        if isinstance(node, tuple):
            return tuple(self.apply(part) for part in node)
        if isinstance(node, sx.Node):
            changes = {f.name: self.apply(getattr(node, f.name)) for f in fields(node) if "span" not in f.name}
            return replace(node, **changes)
        return node
