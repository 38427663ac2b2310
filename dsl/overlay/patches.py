"""One patch of an overlay on the trees: `replace`, `insert before`, `insert after`, `drop` and `alter` at an address.

Takes all files and a line of an overlay; gives the files with the change made, or a diagnostic and the files as they
were. A declaration that is no patch is added as it stands.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, replace
from textwrap import dedent, indent
from types import MappingProxyType
from typing import Any

from dsl.base.span import Span
from dsl.base.spelling import nearest
from dsl.diagnostics.diagnostic import Label
from dsl.overlay.addresses import addresses, digest, find, name_of
from dsl.symbols.symbols import Model
from dsl.syntax import nodes as sx

TAB = "    "
PATCHES = ("replace", "insert before", "insert after", "drop", "alter")


def apply_patch(
    files: list[sx.File], patch: sx.Line, m: Model, originals: Mapping[str, str] = MappingProxyType({})
) -> list[sx.File]:
    """The files with one patch applied; `originals`: the texts that patches were written for, by their digests."""
    if not isinstance(patch, sx.Decl) or patch.word not in PATCHES:
        return [*files, sx.File("", (patch,))]
    target = find(files, patch.name.split("."))
    if target is None:
        near = nearest(patch.name, sorted(addresses(files)))
        m.error(
            "RW1002",
            patch.name_span,
            f"there is no `{patch.name}` to {patch.word}",
            f"did you mean `{near}`?" if near else "the address is the dotted path of names, as `routine.step`",
        )
        return files
    was = expected_digest(patch)
    if was is not None and digest(target) != was:
        way = f'look at both, then write `was "{digest(target)}"`, or let `rulewright errata accept` write it'
        if was in originals:
            texts = indent(originals[was], TAB), indent(snippet(m, target.span), TAB)
            way += "\nit was written for:\n{}\nit reads now:\n{}".format(*texts)
        m.error(
            "RW1003",
            patch.span,
            f"`{patch.name}` is not what this patch was written for: its digest is `{digest(target)}`, not `{was}`",
            way,
            (Label(target.span, "it now reads like this"),),
        )
        return files
    lines = result_of(patch, target, m)
    if lines is None:
        return files
    return [replace(f, lines=replace_line(f.lines, target, lines)) for f in files]


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


def result_of(patch: sx.Decl, target: sx.Line, m: Model) -> list[sx.Line] | None:
    """The lines that replace the target; None after a message."""
    match patch.word:
        case "drop":
            return []
        case "insert before":
            return [*patch.block, target]
        case "insert after":
            return [target, *patch.block]
        case "alter":
            return alter(patch, target, m)
    only = patch.block[0] if len(patch.block) == 1 else None
    if only is not None and name_of(only) == name_of(target) and type(only) is type(target):
        return [with_citations(only, patch.cites)]
    return [with_citations(with_block(target, patch.block), patch.cites)]


def with_citations(line: sx.Line, cites: tuple[str, ...]) -> sx.Line:
    """The line with the clauses that the patch cites, if it cites any."""
    return line if isinstance(line, sx.Answer) or not cites else replace(line, cites=cites)


def replace_line(lines: tuple[sx.Line, ...], target: sx.Line, instead: list[sx.Line]) -> tuple[sx.Line, ...]:
    """The lines with `instead` in the place of the target; the same object if the target is not among them."""
    result: list[sx.Line] = []
    for line in lines:
        if line is target:
            result += instead
        elif isinstance(line, sx.If):
            then, orelse = replace_line(line.then, target, instead), replace_line(line.orelse, target, instead)
            same = then is line.then and orelse is line.orelse
            result.append(line if same else replace(line, then=then, orelse=orelse))
        else:
            result.append(with_block(line, replace_line(getattr(line, "block", ()) or (), target, instead)))
    return lines if len(result) == len(lines) and all(map(is_same, result, lines)) else tuple(result)


def is_same(a: object, b: object) -> bool:
    return a is b


def with_block(line: sx.Line, block: tuple[sx.Line, ...]) -> sx.Line:
    if isinstance(line, (sx.Decl, sx.Section, sx.Case, sx.Loop, sx.Row, sx.Choose)) and block is not line.block:
        return replace(line, block=block)
    return line


# ---------------------------------------------------------------- alter: one word or number


def alter(patch: sx.Decl, target: sx.Line, m: Model) -> list[sx.Line] | None:
    """The target with OLD replaced by NEW: a row, the default of an option, else the one place where OLD occurs."""
    ends = {c.word: c.args[0] for c in patch.clauses if c.word in ("from", "to")}
    if len(ends) < 2:  # that was reported
        return None
    old, new = ends["from"], ends["to"]
    if isinstance(target, sx.Decl) and target.value == old and not isinstance(new, sx.Key):
        return [replace(target, value=new)]
    found = Replacement(old, new)
    line = found.apply(target)
    if found.count == 1:
        return [line]
    stands = "does not stand" if not found.count else f"stands {found.count} times"
    m.error(
        "RW1004",
        patch.span,
        f"`{m.text(old.span)}` {stands} in `{patch.name}`",
        "`alter ADDRESS from OLD to NEW` changes the one place where OLD stands; name a smaller part, or use `replace`",
        (Label(target.span, "it now reads like this"),),
    )
    return None


class Replacement:
    """Replaces an expression wherever it occurs in a tree; counts the places and remembers the last one."""

    def __init__(self, old: Any, new: Any) -> None:
        self.old, self.new, self.count = old, new, 0
        self.last: Span | None = None

    def apply(self, node: Any) -> Any:
        if node == self.old:
            self.count += 1
            self.last = node.span
            return self.new
        if isinstance(node, tuple):
            return tuple(self.apply(part) for part in node)
        if isinstance(node, sx.Node):
            changes = {f.name: self.apply(getattr(node, f.name)) for f in fields(node) if "span" not in f.name}
            return replace(node, **changes)
        return node
