"""What an option says of itself: guards with their values for reasons, and the values that its texts name."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from dsl import ir
from dsl.base.types import (
    ERROR,
    Type,
)
from dsl.diagnostics.diagnostic import Severity
from dsl.elaborate.core.scope import Scope, ZoneRef
from dsl.elaborate.statements.flow import Flow
from dsl.syntax import nodes as sx

PLACEHOLDER = re.compile(r"\{([^{}]*)\}")
TextValue = tuple[str, ir.Expr, Type]


class Guards(Flow):
    def leaves(self, node: sx.Expr) -> list[sx.Expr]:
        if isinstance(node, sx.Bool) and node.op == "and":
            return [leaf for i in node.items for leaf in self.leaves(i)]
        return [node]

    def guard(self, node: sx.Expr, scope: Scope, cites: tuple[str, ...], key: str = "", reason: str = "") -> ir.Guard:
        return ir.Guard(
            self.test(node, scope), self.m.text(node.span), cites, node.span, self.parts(node, scope), key, reason
        )

    def parts(self, node: sx.Expr, scope: Scope) -> tuple[tuple[str, ir.Expr, Type], ...]:
        """The operands of a comparison, for explanations."""
        if isinstance(node, sx.Unary):
            return self.parts(node.operand, scope)
        shown: list[tuple[str, ir.Expr, Type]] = []
        operands = (
            [node.left, node.right]
            if isinstance(node, sx.Compare)
            else list(a.value for a in node.args)
            if isinstance(node, sx.Call)
            else []
        )
        kept = len(self.m.diagnostics)
        for o in operands:
            if isinstance(o, (sx.Num, sx.SetLit, sx.RangeExpr)) or isinstance(o, sx.Name) and scope.find(o.id) is None:
                continue
            ref = self.ref(o, scope)
            v = self.read_zone(ref) if isinstance(ref, ZoneRef) else ref
            if v.t != ERROR and not isinstance(v.e, ir.Const):
                shown.append((self.m.text(o.span), v.e, v.t))
        del self.m.diagnostics[kept:]
        return tuple(shown)

    def guards(
        self, clauses: tuple[sx.Clause, ...], word: str, scope: Scope, cites: tuple[str, ...]
    ) -> tuple[tuple[ir.Guard, ...], Scope]:
        result: list[ir.Guard] = []
        for c in clauses:
            if c.word == word and not isinstance(c.args[0], sx.Key):
                for leaf in self.leaves(c.args[0]):
                    result.append(self.guard(leaf, scope, cites))
                    scope = scope.knowing(self.sure(leaf)[0])
        return tuple(result), scope

    def text_values(
        self, address: str, cases: tuple[str, ...], sights: list[Scope]
    ) -> tuple[tuple[TextValue, ...], tuple[tuple[TextValue, ...], ...], frozenset[str]]:
        """Placeholders of a site's texts that are expressions, not names: those of the question, those of each
        alternative, where its answer is in sight, and which of them the log says openly."""
        said: set[str] = set()
        asked: dict[str, TextValue] = {}
        own: list[tuple[TextValue, ...]] = []
        for i, sight in enumerate(sights):
            case = cases[i] if i < len(cases) else ""
            keys = [f"{address}.pick", f"{address}.done"]
            if case:
                keys += [f"{address}.{case}", f"{address}.{case}.pick", f"{address}.{case}.done"]
                keys += [f"{case}.pick", f"{case}.done", case]
            found: dict[str, TextValue] = {}
            for lang, table in self.locale.items():
                self.text_values_of(lang, table, (f"{address}.ask",), sight, asked, said)
                self.text_values_of(lang, table, keys, sight, found, said)
            own.append(tuple(found.values()))
        return tuple(asked.values()), tuple(own), frozenset(said)

    def text_values_of(
        self,
        lang: str,
        table: Mapping[str, str],
        keys: Sequence[str],
        sight: Scope,
        found: dict[str, TextValue],
        said: set[str],
    ) -> None:
        for key in keys:
            for written in PLACEHOLDER.findall(table.get(key, "")):
                plain = written in ("actor", "answer") or sight.find(written) is not None
                if not plain and "|" not in written and written not in found:
                    self.text_value(written, lang, key, sight, found, said)

    def text_value(
        self,
        written: str,
        lang: str,
        key: str,
        scope: Scope,
        found: dict[str, TextValue],
        said: set[str],
    ) -> None:
        """One placeholder. `openly(V)` as the whole of it, in a line of the log, is V, and everybody may read it: the
        answer has been given. In a question or an option it would be a peek."""
        from dsl.syntax.parser import parse_expr

        node, wrong = parse_expr(f"locale/{lang}.yaml", written)
        kept = list(self.m.diagnostics), set(self.m.broken)
        if isinstance(node, sx.Call) and isinstance(node.func, sx.Name) and node.func.id == "openly":
            if len(node.args) == 1 and key.endswith(".done"):
                said.add(written)
                node = node.args[0].value
            else:
                node = None
        v = self.expr(node, scope) if node is not None and not wrong else None
        refused = any(d.severity is Severity.ERROR for d in self.m.diagnostics[len(kept[0]) :])
        self.m.diagnostics[:], self.m.broken = kept
        if v is not None and v.t != ERROR and not refused:
            found[written] = (written, v.e, v.t)
        else:
            self.bad_placeholders.append((lang, key, written))
