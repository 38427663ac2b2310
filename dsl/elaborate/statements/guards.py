"""Guards and shown values of an option: guards with the values that explain them, and the values that its texts
name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from dsl import ir
from dsl.base.types import ERROR, MemberType, Type
from dsl.diagnostics.diagnostic import Severity
from dsl.elaborate.context import Elaboration
from dsl.elaborate.core.build import ZERO
from dsl.elaborate.core.scope import Local, Scope, ZoneRef
from dsl.elaborate.expressions import operators, zones
from dsl.files.phrases import PLACEHOLDER, placeholder_parts
from dsl.syntax import nodes as sx

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


def asked_scope(scope: Scope, shape: str, alternatives: tuple[ir.Alternative, ...]) -> Scope:
    """The names that the text of a question may use: not that of its answer, unless the answer grows part by part."""
    inner = scope.child()
    if shape in ("one", "number"):
        inner.names |= {b[0]: Local(b[0], ERROR, ZERO) for a in alternatives for b in a.binders if b[0] in scope.names}
    return inner


def text_values(
    elab: Elaboration, address: str, cases: tuple[str, ...], asked_in: Scope, text_scopes: list[Scope]
) -> tuple[tuple[TextValue, ...], tuple[tuple[TextValue, ...], ...], frozenset[str]]:
    """Placeholders of a site's texts that are expressions, not names: those of the question and of its end, which know
    no answer, those of each alternative, where its answer is known, and which of them the log shows to everybody."""
    openly: set[str] = set()
    asked: dict[str, TextValue] = {}
    own: list[tuple[TextValue, ...]] = []
    of_question = (f"{address}.ask", address, f"{address}.decline.done", f"{address}.ready.done")
    for lang, table in elab.locale.items():
        add_text_values(elab, lang, table, of_question, asked_in, asked, openly)
    for i, scope in enumerate(text_scopes):
        case = cases[i] if i < len(cases) else ""
        keys = [f"{address}.pick", f"{address}.done"]
        if case:
            keys += [f"{address}.{case}", f"{address}.{case}.pick", f"{address}.{case}.done"]
            keys += [f"{case}.pick", f"{case}.done", case]
        found: dict[str, TextValue] = {}
        for lang, table in elab.locale.items():
            add_text_values(elab, lang, table, keys, scope, found, openly)
        own.append(tuple(found.values()))
    return tuple(asked.values()), tuple(own), frozenset(openly)


def is_told(elab: Elaboration, address: str, name: str) -> bool:
    """Whether the log tells this answer in a sentence of its own: then it has a use, though no rule reads it."""
    texts = (table.get(f"{address}.done", "") for table in elab.locale.values())
    return any(placeholder_parts(written)[0] == name for text in texts for written in PLACEHOLDER.findall(text))


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
            name, forms = placeholder_parts(written)
            known = is_plain(name, scope) or name in found
            known = known or add_text_value(elab, name, lang, key, scope, found, openly)
            if known and len(forms) == 1:
                known = says_strip(elab, name, forms[0].strip(), scope, found)
            if not known:
                elab.findings.bad_placeholders.append((lang, key, written))


def is_plain(name: str, scope: Scope) -> bool:
    """Whether a placeholder is whoever answers, or a name that is in scope."""
    local = scope.find(name)
    return name == "actor" or local is not None and local.type != ERROR


def says_strip(elab: Elaboration, name: str, strip: str, scope: Scope, found: Mapping[str, TextValue]) -> bool:
    """Whether `{name|strip}` says a strip of a thing; true as well for what is no thing: then it is a form of words."""
    local = scope.find(name)
    type_ = local.type if local is not None else found[name][2] if name in found else ERROR
    if not isinstance(type_, MemberType) or type_.domain not in elab.model.kinds:
        return True
    parts = elab.model.kind_parts(elab.model.kinds[type_.domain])
    return any(strip in kind.strips for kind in parts)


def add_text_value(
    elab: Elaboration,
    written: str,
    lang: str,
    key: str,
    scope: Scope,
    found: dict[str, TextValue],
    openly: set[str],
) -> bool:
    """Add one placeholder; gives whether it is a value. `openly(V)` as the whole of it, in a line of the log, is V, and
    everybody may read it: the answer has been given. In a question or an option it would be a peek."""
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
    if v is None or v.t == ERROR or refused:
        return False
    found[written] = (written, v.e, v.t)
    return True
