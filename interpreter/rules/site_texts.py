"""The names of the answers of one site: ids, domains and binder names of an option, and the values of its log line.

An `Answers` depends on the program alone, so there is one for each site of a game; `interpreter.session.decision` knows
who is asked and reads the store.
"""

from __future__ import annotations

from collections.abc import Collection

from dsl import ir
from dsl.base.types import INT, MemberType, Type
from dsl.program import Program
from interpreter.core.question import RawOption
from interpreter.rules.messages import Named
from interpreter.rules.names import Names
from interpreter.rules.texts import Texts, squeeze

DECLINE, READY = "decline", "ready"

TextValues = tuple[tuple[str, ir.Expr, Type], ...]


class Answers:
    """The answers of one site."""

    def __init__(self, program: Program, names: Names, texts: Texts, site: ir.Site) -> None:
        self.program, self.names, self.texts = program, names, texts
        self.site = site
        self._log_values: dict[tuple[int, str], TextValues] = {}

    def alternative(self, raw: RawOption) -> ir.Alternative | None:
        if raw.kind in (DECLINE, READY) or not self.site.alternatives:
            return None
        return self.site.alternatives[raw.alt]

    def case(self, raw: RawOption) -> str:
        """The name of the alternative that an option takes, if it distinguishes answers; else empty."""
        alternative = self.alternative(raw)
        if alternative is None:
            return ""
        distinguishing = len(self.site.alternatives) > 1 or not alternative.binders
        return alternative.name if distinguishing or alternative.name in self.program.proc_names else ""

    def values(self, raw: RawOption) -> list[tuple[str, Named]]:
        """Binder names with the values that this option gives them; the amount last."""
        alternative = self.alternative(raw)
        binders = alternative.binders if alternative else ()
        rows = [(b[0], Named(v, b[3])) for b, v in zip(binders, raw.values, strict=False)]
        if raw.kind == "amount" or (raw.kind == "number" and not rows):
            rows.append((self.amount_name(), Named(raw.values[-1], INT)))
        return rows

    def amount_name(self) -> str:
        """The name of an answer that is a number or amounts."""
        slot = self.site.answer[0] if self.site.answer is not None else -1
        named = (n for n, e, _ in self.site.text_values if isinstance(e, ir.FrameVar) and e.slot == slot)
        return next(named, "n")

    def ids(self, raw: RawOption) -> tuple[str, ...]:
        if raw.kind in (DECLINE, READY):
            return (raw.kind,)
        named = [self.names.text(n.value, n.type) for _, n in self.values(raw)]
        case = self.case(raw)
        return (case, *named) if case else tuple(named)

    def domains(self, raw: RawOption) -> tuple[str, ...]:
        """The domain of each id of an option, empty for numbers and names of alternatives."""
        if raw.kind in (DECLINE, READY):
            return ()
        found = [n.type.domain if isinstance(n.type, MemberType) else "" for _, n in self.values(raw)]
        return ("",) * (len(self.ids(raw)) - len(found)) + tuple(found)

    def temps(self, raw: RawOption) -> dict[int, int]:
        """Binder temps and their values."""
        alternative = self.alternative(raw)
        return {b[1]: v for b, v in zip(alternative.binders, raw.values, strict=False)} if alternative else {}

    # ------------------------------------------------------------ what a log line names

    def log_names(self, raw: RawOption) -> frozenset[str]:
        """The placeholders in the log line of this answer, in any language; those in the text of the option only if a
        language has no line for the log."""
        texts, case = self.texts, self.case(raw)
        keys = done_keys(self.site.address, case)
        if raw.kind in (DECLINE, READY):
            keys += end_keys(self.site.address, raw.kind)
        if any(texts.find(lang, *keys) is None for lang in texts.tables):
            keys += pick_keys(self.site.address, case)
        return texts.placeholder_names(keys)

    def log_values(self, raw: RawOption) -> TextValues:
        """The values that the log line needs besides those of the option itself: (name, expression, type)."""
        key = raw.alt, raw.kind
        found = self._log_values.get(key)
        if found is None:
            wanted = self.log_names(raw) - {squeeze(name) for name, _ in self.values(raw)}
            found = self._log_values[key] = self.text_values(wanted, raw)
        return found

    def text_values(self, names: Collection[str], raw: RawOption | None = None) -> TextValues:
        """The values of these names that texts may use: in the question, or in the text of an option."""
        alternative = self.alternative(raw) if raw is not None else None
        own = self.site.own_values[raw.alt] if raw is not None and alternative and self.site.own_values else ()
        rows = ((squeeze(name), expr, type_) for name, expr, type_ in (*self.site.text_values, *own))
        return tuple({row[0]: row for row in rows if row[0] in names}.values())


def pick_keys(address: str, case: str) -> tuple[str, ...]:
    """The keys of the text of an option in the locale, the most specific first."""
    own = (f"{address}.{case}.pick", f"{address}.{case}", f"{case}.pick", case) if case else ()
    return (*own, f"{address}.pick")


def done_keys(address: str, case: str) -> tuple[str, ...]:
    """The keys of the log line of an answer in the locale, the most specific first."""
    own = (f"{address}.{case}.done", f"{case}.done") if case else ()
    return (*own, f"{address}.done")


def end_keys(address: str, *words: str) -> tuple[str, ...]:
    """The keys of the log lines of `decline` and `ready`."""
    return tuple(f"{address}.{word}.done" for word in words or (DECLINE, READY))
