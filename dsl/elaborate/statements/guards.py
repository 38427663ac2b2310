"""What an option shows of itself: guards with the values that explain them, and the values that its texts name."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from dsl import ir
from dsl.base.types import ERROR, Type
from dsl.diagnostics.diagnostic import Severity
from dsl.elaborate.context import Elaboration
from dsl.elaborate.core.scope import Scope, ZoneRef
from dsl.elaborate.expressions import operators, zones
from dsl.syntax import nodes as sx

PLACEHOLDER = re.compile(r"\{([^{}]*)\}")
TextValue = tuple[str, ir.Expr, Type]


def conjuncts(node: sx.Expr) -> list[sx.Expr]:
    """The conditions that a condition joins by `and`."""
    if isinstance(node, sx.Bool) and node.op == "and":
        return [leaf for i in node.items for leaf in conjuncts(i)]
    return [node]


def guard(
    elab: Elaboration, node: sx.Expr, scope: Scope, cites: tuple[str, ...], key: str = "", reason: str = ""
) -> ir.Guard:
    """A condition as a guard, with its text and the values that explain it."""
    if key:
        elab.findings.reasons[key] = reason
    return ir.Guard(
        elab.test(node, scope),
        elab.model.text(node.span),
        cites,
        node.span,
        operand_values(elab, node, scope),
        key,
        reason,
    )


def operand_values(elab: Elaboration, node: sx.Expr, scope: Scope) -> tuple[tuple[str, ir.Expr, Type], ...]:
    """The operands of a comparison, for explanations: (text, value, type) of each that is not a constant."""
    if isinstance(node, sx.Unary):
        return operand_values(elab, node.operand, scope)
    shown: list[tuple[str, ir.Expr, Type]] = []
    operands = (
        [node.left, node.right]
        if isinstance(node, sx.Compare)
        else list(a.value for a in node.args)
        if isinstance(node, sx.Call)
        else []
    )
    for o in operands:
        if isinstance(o, (sx.Num, sx.SetLit, sx.RangeExpr)) or isinstance(o, sx.Name) and scope.find(o.id) is None:
            continue
        with elab.model.quietly():
            ref = elab.ref(o, scope)
            v = zones.read_zone(elab, ref) if isinstance(ref, ZoneRef) else ref
        if v.t != ERROR and not isinstance(v.e, ir.Const):
            shown.append((elab.model.text(o.span), v.e, v.t))
    return tuple(shown)


def guards_of(
    elab: Elaboration, clauses: tuple[sx.Clause, ...], word: str, scope: Scope, cites: tuple[str, ...]
) -> tuple[tuple[ir.Guard, ...], Scope]:
    """The clauses of this word as guards, one for each condition; and the scope in which they hold."""
    result: list[ir.Guard] = []
    for number, c in enumerate(clauses):
        if c.word == word and not isinstance(c.args[0], sx.Key):
            reason = reason_of(clauses[number + 1 :])
            for leaf in conjuncts(c.args[0]):
                result.append(guard(elab, leaf, scope, cites, "", reason))
                scope = scope.knowing(operators.proved_facts(elab, leaf)[0])
    return tuple(result), scope


def reason_of(following: tuple[sx.Clause, ...]) -> str:
    """The text of `because` where these clauses begin with it: right behind a condition; empty for none."""
    first = following[0] if following else None
    return first.args[0].value if first and first.word == "because" and isinstance(first.args[0], sx.Text) else ""


def named_guards(found: tuple[ir.Guard, ...], key: str) -> tuple[ir.Guard, ...]:
    """The guards, of which those with a reason of their own have a key for its text in other languages: `key` for the
    first reason, `key.2` and so on for those after it."""
    reasons = list(dict.fromkeys(g.reason for g in found if g.reason and not g.key))
    keys = {reason: numbered(key, number) for number, reason in enumerate(reasons, 1)}
    return tuple(replace(g, key=keys[g.reason]) if g.reason and not g.key else g for g in found)


def numbered(key: str, number: int) -> str:
    """The key of the text of a reason, with its number among those of the same clause word unless it is the first."""
    return key if number == 1 else f"{key}.{number}"


def text_values(
    elab: Elaboration, address: str, cases: tuple[str, ...], text_scopes: list[Scope]
) -> tuple[tuple[TextValue, ...], tuple[tuple[TextValue, ...], ...], frozenset[str]]:
    """Placeholders of a site's texts that are expressions, not names: those of the question, those of each
    alternative, where its answer is known, and which of them the log shows to everybody."""
    openly: set[str] = set()
    asked: dict[str, TextValue] = {}
    own: list[tuple[TextValue, ...]] = []
    for i, scope in enumerate(text_scopes):
        case = cases[i] if i < len(cases) else ""
        keys = [f"{address}.pick", f"{address}.done"]
        if case:
            keys += [f"{address}.{case}", f"{address}.{case}.pick", f"{address}.{case}.done"]
            keys += [f"{case}.pick", f"{case}.done", case]
        found: dict[str, TextValue] = {}
        for lang, table in elab.locale.items():
            add_text_values(elab, lang, table, (f"{address}.ask",), scope, asked, openly)
            add_text_values(elab, lang, table, keys, scope, found, openly)
        own.append(tuple(found.values()))
    return tuple(asked.values()), tuple(own), frozenset(openly)


def is_told(elab: Elaboration, address: str, name: str) -> bool:
    """Whether the log tells this answer in a sentence of its own: then it has a use, though no rule reads it."""
    return any(name in PLACEHOLDER.findall(table.get(f"{address}.done", "")) for table in elab.locale.values())


def add_text_values(
    elab: Elaboration,
    lang: str,
    table: Mapping[str, str],
    keys: Sequence[str],
    scope: Scope,
    found: dict[str, TextValue],
    openly: set[str],
) -> None:
    """Add the placeholders of these texts to `found`."""
    for key in keys:
        for written in PLACEHOLDER.findall(table.get(key, "")):
            plain = written in ("actor", "answer") or scope.find(written) is not None
            if not plain and "|" not in written and written not in found:
                add_text_value(elab, written, lang, key, scope, found, openly)


def add_text_value(
    elab: Elaboration,
    written: str,
    lang: str,
    key: str,
    scope: Scope,
    found: dict[str, TextValue],
    openly: set[str],
) -> None:
    """Add one placeholder. `openly(V)` as the whole of it, in a line of the log, is V, and everybody may read it:
    the answer has been given. In a question or an option it would be a peek."""
    from dsl.syntax.parser import parse_expr

    node, wrong = parse_expr(f"locale/{lang}.yaml", written)
    if isinstance(node, sx.Call) and isinstance(node.func, sx.Name) and node.func.id == "openly":
        if len(node.args) == 1 and key.endswith(".done"):
            openly.add(written)
            node = node.args[0].value
        else:
            node = None
    with elab.model.quietly() as told:
        v = elab.expr(node, scope) if node is not None and not wrong else None
        refused = any(d.severity is Severity.ERROR for d in elab.model.diagnostics[told:])
    if v is not None and v.t != ERROR and not refused:
        found[written] = (written, v.e, v.t)
    else:
        elab.findings.bad_placeholders.append((lang, key, written))
