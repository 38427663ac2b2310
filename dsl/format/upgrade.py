"""Texts of earlier languages in the spelling of today.

`upgrade_rules` takes the text of a file of rules, cards, overlays or rulings, `upgrade_texts` that of a file of YAML,
whose texts have expressions in braces. Only what is said otherwise today is rewritten, so comments, layout and meaning
stay, and a text that is upgraded already stays as it is. `dsl.format.upgrade_ruleset` does it for a whole ruleset.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeAlias

from dsl.base.span import Source
from dsl.diagnostics.diagnostic import Diagnostic
from dsl.files.phrases import PLACEHOLDER
from dsl.files.yaml import YamlNode, read_yaml
from dsl.format.edits import Edit, OwnNames
from dsl.format.rewriters import REWRITERS
from dsl.syntax.lexer import Line
from dsl.syntax.parser import parse_expr_line, parse_lines

OLD = "RW0138"  # the code of what is said otherwise today

Read: TypeAlias = Callable[[str], Sequence[Line]]


def upgrade_rules(path: str, text: str, own: OwnNames) -> tuple[str | None, list[Diagnostic]]:
    """The text as it is said today, or None with the messages for a text with other errors. `own`: the names that the
    ruleset gives, which mean what it says."""
    wrong = [d for d in parse_lines(path, text)[1] if d.code != OLD]
    if wrong:
        return None, wrong
    return _rewritten(text, own, lambda text: parse_lines(path, text)[2]), []


def upgrade_texts(source: Source, own: OwnNames) -> str:
    """A text of YAML with the expressions in its texts as they are said today; one that cannot be read stays as it
    is."""
    node, found = read_yaml(source)
    if node is None or found:
        return source.text
    edits: list[Edit] = []
    for scalar in _scalars(node):
        for place in PLACEHOLDER.finditer(source.text, scalar.span.start, scalar.span.end):
            written = place[1].split("|")[0]  # forms for numbers are no expressions
            said = _rewritten(written, own, _read_expression)
            if said != written:
                edits.append((place.start(1), place.start(1) + len(written), said))
    return _apply(source.text, edits)


def _read_expression(text: str) -> Sequence[Line]:
    return parse_expr_line("", text)[2]


def _scalars(node: YamlNode) -> Iterator[YamlNode]:
    if node.kind == "scalar":
        yield node
    for child in (*node.items(), *(value for _, value in node.entries().values())):
        yield from _scalars(child)


def _rewritten(text: str, own: OwnNames, read: Read) -> str:
    for rewrite in REWRITERS:
        text = _apply(text, list(rewrite(read(text), text, own)))
    return text


def _apply(text: str, edits: list[Edit]) -> str:
    for start, end, new in sorted(edits, reverse=True):
        text = text[:start] + new + text[end:]
    return text
