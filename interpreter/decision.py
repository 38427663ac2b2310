"""A pending decision and its options, as drivers and people see them.

`Decision` describes the question that a store waits for: who is asked, at which address, in which shape. Its options
are worked out when somebody asks for them, and carry ids and texts. It looks at a copy of the store, so it stays
true to its moment; the rules of what may be chosen are the machine's.
"""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from dsl import ir
from dsl import program as hdr
from dsl.types import INT, MemberType
from interpreter.binding import Option as MachineOption
from interpreter.errors import RulesetError
from interpreter.text import Named, placeholders, squeeze
from interpreter.visible import readers

if TYPE_CHECKING:
    from interpreter.game import Game

DECLINE, READY = "decline", "ready"


@dataclass(frozen=True, slots=True)
class Option:
    """One small decision: `code` is what the machine takes, `ids` what logs and rulings say."""

    kind: str
    code: tuple[int, ...]
    raw: MachineOption = field(repr=False, compare=False)
    decision: Decision = field(repr=False, compare=False)

    @property
    def ids(self) -> tuple[str, ...]:
        return self.decision.ids(self.raw)

    def text(self, lang: str = "en") -> str:
        return self.decision.option_text(self.raw, lang)


class Decision:
    """The question that a store waits for."""

    def __init__(self, game: Game, words: list[int]) -> None:
        self.game = game
        self.words = words[:]
        self.number = words[hdr.SITE] - 1
        self.site: ir.Site = game.program.sites[self.number]
        self.address = self.site.address
        self.shape = self.site.shape
        self.declinable = self.site.decline
        seat = game.evaluate(self.words, self.site.seat)
        self.seat: int = game.names.seat_number(seat)
        self.seat_id: str = game.names.seat_id(self.seat)
        self.actor_value: int = game.evaluate(self.words, self.site.actor)
        self.actor: str = game.names.text(self.actor_value, self.site.actor_type)
        self.open_seats: tuple[int, ...] = (self.seat,)

    def asks(self, who: str | int) -> bool:
        """Whether `who` (id of the actor, id of the seat, or number of the seat) is the one asked."""
        return str(who) in (self.actor, self.seat_id, str(self.seat))

    @cached_property
    def options(self) -> list[Option]:
        return [self.public(o) for o in self.game.machine.options(self.words)]

    @property
    def forced(self) -> Option | None:
        """The only option, where it is taken without asking."""
        if self.site.always_ask or len(self.options) != 1:
            return None
        return None if self.options[0].kind == DECLINE else self.options[0]

    @property
    def cursor(self) -> int:
        """How far a long answer has come; 0 where it has not begun."""
        return self.words[self.words[hdr.FP] + hdr.FRAME_LINK + self.site.cursor] if self.site.cursor >= 0 else 0

    def audience(self, words: list[int]) -> tuple[int, ...] | None:
        """The seats that may see the answer; None: all."""
        if self.site.audience is None:
            return None
        return tuple(sorted({*self.game.names.seats_of(self.game.evaluate(words, self.site.audience)), self.seat}))

    def public(self, raw: MachineOption) -> Option:
        return Option(raw.kind, raw.code, raw, self)

    def alternative(self, raw: MachineOption) -> ir.Alternative | None:
        if raw.kind in (DECLINE, READY) or not self.site.alternatives:
            return None
        return self.site.alternatives[raw.alt]

    def ids(self, raw: MachineOption) -> tuple[str, ...]:
        if raw.kind in (DECLINE, READY):
            return (raw.kind,)
        named = [self.game.names.text(n.value, n.type) for _, n in self._values(raw)]
        case = self.case(raw)
        return (case, *named) if case else tuple(named)

    def domains(self, raw: MachineOption) -> tuple[str, ...]:
        """The domain of each id of an option, empty for numbers and names of alternatives."""
        if raw.kind in (DECLINE, READY):
            return ()
        found = [n.type.domain if isinstance(n.type, MemberType) else "" for _, n in self._values(raw)]
        return ("",) * (len(self.ids(raw)) - len(found)) + tuple(found)

    def case(self, raw: MachineOption) -> str:
        """The name of the alternative that an option takes, where it tells one answer from another."""
        alternative = self.alternative(raw)
        if alternative is None:
            return ""
        telling = len(self.site.alternatives) > 1 or not alternative.binders
        return alternative.name if telling or alternative.name in self.game.program.proc_names else ""

    def _values(self, raw: MachineOption) -> list[tuple[str, Named]]:
        """Binder names with the values that this option gives them; the amount last."""
        alternative = self.alternative(raw)
        binders = alternative.binders if alternative else ()
        rows = [(b[0], Named(v, b[3])) for b, v in zip(binders, raw.values, strict=False)]
        if raw.kind == "amount" or (raw.kind == "number" and not rows):
            rows.append(("n", Named(raw.values[-1], INT)))
        return rows

    # ------------------------------------------------------------ texts

    def prompt(self, lang: str = "en") -> str:
        template = self.game.texts.find(lang, f"{self.address}.ask", self.address)
        return self._fill(lang, template, {}, {}) if template else self.address

    def option_text(self, raw: MachineOption, lang: str) -> str:
        texts, at = self.game.texts, self.address
        if raw.kind in (DECLINE, READY):
            return texts.find(lang, f"{at}.{raw.kind}") or texts.engine(lang, raw.kind)
        rows = self._values(raw)
        case = self.case(raw)
        template = texts.find(lang, *pick_keys(at, case))
        if template:
            return self._fill(lang, template, dict(rows), self._temps(raw))
        shown = [texts.value(lang, n.value, n.type) for _, n in rows]
        return " ".join([case, *shown] if case else shown) or raw.kind

    def done_values(self, raw: MachineOption) -> dict[str, tuple[Named, tuple[int, ...] | None]]:
        """What the log line of this answer needs: every value that some language's text names, and who may see it."""
        case = self.case(raw)
        wanted = self.game.texts.wanted(done_keys(self.address, case) + pick_keys(self.address, case))
        if not wanted:
            return {}
        chosen = {squeeze(k): (v, None) for k, v in self._values(raw)}
        return {k: v for k, v in (self._extra(wanted, self._temps(raw)) | chosen).items() if k in wanted}

    def _temps(self, raw: MachineOption) -> dict[int, int]:
        """Binder temps and their values."""
        alternative = self.alternative(raw)
        return {b[1]: v for b, v in zip(alternative.binders, raw.values, strict=False)} if alternative else {}

    def _fill(self, lang: str, template: str, values: dict[str, Named], temps: dict[int, int]) -> str:
        named: dict[str, Named | str] = {}
        for name, (value, seats) in self._extra(placeholders(template), temps).items():
            hidden = seats is not None and self.seat not in seats
            named[name] = self.game.texts.engine(lang, "hidden") if hidden else value
        named.update((squeeze(k), v) for k, v in values.items())
        named.setdefault("actor", Named(self.actor_value, self.site.actor_type))
        return self.game.texts.fill(lang, template, named)

    def _extra(
        self, wanted: AbstractSet[str], temps: dict[int, int]
    ) -> dict[str, tuple[Named, tuple[int, ...] | None]]:
        """The values that a text names besides what was chosen, each with the seats that may see it (None: all)."""
        found: dict[str, tuple[Named, tuple[int, ...] | None]] = {}
        for name, expr, type_ in self.site.text_values:
            if squeeze(name) in wanted:
                try:
                    value = self.game.evaluate(self.words, expr, temps, self.site.temps)
                except RulesetError:
                    continue  # a value of a name that this option does not bind: the placeholder stays as it is
                found[squeeze(name)] = Named(value, type_), readers(self.game, self.words, expr, temps)
        return found


def pick_keys(address: str, case: str) -> tuple[str, ...]:
    """Where the text of an option may stand in the locale, the closest first."""
    own = (f"{address}.{case}.pick", f"{address}.{case}", f"{case}.pick", case) if case else ()
    return (*own, f"{address}.pick")


def done_keys(address: str, case: str) -> tuple[str, ...]:
    """Where the log line of an answer may stand in the locale, the closest first."""
    own = (f"{address}.{case}.done", f"{case}.done") if case else ()
    return (*own, f"{address}.done")
