"""A pending decision and its options, for drivers and people.

`Decision` describes the question that a store waits for: who is asked, at which address, in which shape. Its options
have ids and texts. The store of a state is never changed, only replaced, so a decision stays valid for its position;
the machine decides what may be chosen.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property

from dsl import ir
from dsl import program as hdr
from dsl.ir.walk import walk
from interpreter.choices import sequence
from interpreter.core.errors import RulesetError
from interpreter.core.question import RawOption as MachineOption
from interpreter.core.words import Words
from interpreter.rules import rounds
from interpreter.rules.messages import Named
from interpreter.rules.names import members
from interpreter.rules.payments import PaymentList, list_payments, payment_ids, payment_text
from interpreter.rules.rules import Rules
from interpreter.rules.site_texts import DECLINE, READY, TextValues, pick_keys
from interpreter.rules.texts import placeholders, squeeze
from interpreter.visibility.audiences import told_to
from interpreter.visibility.cells import readers

__all__ = ["DECLINE", "READY", "Decision", "Option"]

FRAMED = (ir.FrameVar, ir.FrameItem)
LogValue = tuple[str, Named, tuple[int, ...] | None]


class Option:
    """One small decision: `code` is for the machine, `ids` are for logs and rulings. Two options are equal if their
    kinds and codes are; an option is never changed."""

    __slots__ = ("decision", "raw")

    def __init__(self, raw: MachineOption, decision: Decision) -> None:
        self.raw = raw
        self.decision = decision

    @property
    def kind(self) -> str:
        return self.raw.kind

    @property
    def code(self) -> tuple[int, ...]:
        return self.raw.code

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Option):
            return NotImplemented
        return (self.raw.kind, self.raw.code) == (other.raw.kind, other.raw.code)

    def __hash__(self) -> int:
        return hash((self.raw.kind, self.raw.code))

    def __repr__(self) -> str:
        return f"Option(kind={self.kind!r}, code={self.code!r})"

    @property
    def ids(self) -> tuple[str, ...]:
        return self.decision.ids(self.raw)

    def text(self, lang: str = "en") -> str:
        return self.decision.option_text(self.raw, lang)


class Decision:
    """The question that a store waits for. `offers`: the options, if the machine has already listed them; `withheld`:
    those that it could not decide within its limit of tries; `early`: what other members of a loop `at once` have
    answered already; `auto`: whether their forced answers are taken without asking."""

    def __init__(
        self,
        game: Rules,
        words: Words,
        offers: list[MachineOption] | None = None,
        withheld: tuple[MachineOption, ...] = (),
        early: rounds.Early = rounds.NONE_EARLY,
        auto: bool = True,
    ) -> None:
        self.game = game
        self.words = words
        self.auto = auto
        self.passed: tuple[rounds.Code, ...] = ()  # forced answers of its member that were passed over
        self.number = words[hdr.SITE] - 1
        self.answers = game.answers[self.number]
        self.site: ir.Site = self.answers.site
        if offers is not None and not self.site.by_default:
            self.offers = offers
        self.withheld = withheld
        self.early = early.of(words, self.site) if early.answers else {}
        self._options: list[Option] | None = None
        self._seat = self._actor = -1

    def without_options(self) -> Decision:
        """The same decision without what may be many objects, for those who keep it."""
        found = Decision(self.game, self.words)
        found._seat, found._actor = self._seat, self._actor
        return found

    @property
    def address(self) -> str:
        return self.site.address

    @property
    def shape(self) -> str:
        """`one`, `some`, `number`, `amounts`, or `way` where the question is how to pay or to gain."""
        return "way" if self.site.payment is not None else self.site.shape

    @property
    def seat(self) -> int:
        if self._seat < 0:
            self._seat = self.game.names.seat_number(self.game.read(self.words, self.site.seat))
        return self._seat

    @property
    def seat_id(self) -> str:
        return self.game.names.seat_id(self.seat)

    @cached_property
    def open_members(self) -> tuple[int, ...]:
        """The members of a loop `open to` whose answers are awaited, in order; none for other questions, or once an
        answer has been begun."""
        if self.site.open_to is None or self.words[hdr.PLAN] or self.cursor:
            return ()
        return tuple(members(self.game.evaluate(self.words, self.site.open_to[0])))

    @property
    def open_slot(self) -> int:
        """The variable that holds the member who is asked."""
        assert self.site.open_to is not None, "the question of a loop `open to`"
        return self.site.open_to[1]

    @cached_property
    def open_seats(self) -> tuple[int, ...]:
        """The seats that may answer now."""
        return tuple(sorted({self.seat, *(other.seat for other in self.of_open_members())}))

    def of_open_members(self) -> Iterator[Decision]:
        """The same question for each member of a loop `open to` whose answer is awaited; in a loop `at once` the next
        question of each member that has not answered and whose turn comes later."""
        yield from self.later_members.values()
        for member in self.open_members:
            words = self.words[:]
            words[words[hdr.FP] + hdr.FRAME_LINK + self.open_slot] = member
            yield Decision(self.game, words)

    @cached_property
    def later_members(self) -> Mapping[int, Decision]:
        """The questions, by their places, of members of a loop `at once` whose turn comes later and who have not
        answered yet."""
        return self.members_behind(self.auto)

    def members_behind(self, auto: bool) -> dict[int, Decision]:
        """The questions of `later_members`; `auto`: forced answers are passed over. The round is played on a copy of
        the store, with any answers for those that are not there. A member that cannot be reached so, since a rule has a
        fault on the way, waits for its turn."""
        found: dict[int, Decision] = {}
        given = {place: list(codes) for place, codes in self.early.items()}
        passed: dict[int, tuple[rounds.Code, ...]] = {}
        now: Decision | None = self if rounds.is_in_round(self.game, self.words) else None
        while now is not None:
            place, raw = now.place, None
            is_new = place > self.place and place not in found
            if codes := given.get(place):
                code = codes.pop(0)
                raw = next((o for o in now.offers if o.code == code), None)
            elif auto and is_new and (forced := now.forced) is not None:
                raw = forced.raw
                passed[place] = (*passed.get(place, ()), raw.code)
            if raw is None and is_new:
                now.passed, found[place] = passed.get(place, ()), now
            now = now.behind(raw)
        return found

    @property
    def place(self) -> int:
        """The place, in a loop `at once`, of the member that is asked."""
        return rounds.place_of(self.words, self.site)

    def behind(self, raw: MachineOption | None) -> Decision | None:
        """The next question of the same round of a loop `at once`, after this answer, or after any if it is not known.
        None: there is none."""
        if rounds.is_last(self.words, self.site) and raw is None or not self.offers:
            return None  # what follows is not asked before it is known
        words = self.words[:]
        try:
            self.game.runner.take(words, raw or self.any_answer)
        except RulesetError:
            return None
        if not rounds.goes_on(self.game, self.words, words):
            return None
        return Decision(self.game, words, auto=self.auto)

    @property
    def any_answer(self) -> MachineOption:
        """An answer that ends the question soon."""
        return next((o for o in self.offers if o.kind in (READY, DECLINE)), self.offers[0])

    @property
    def actor_value(self) -> int:
        if self._actor < 0:
            self._actor = self.game.read(self.words, self.site.actor)
        return self._actor

    @cached_property
    def actor(self) -> str:
        return self.game.names.text(self.actor_value, self.site.actor_type)

    def asks(self, who: str | int) -> bool:
        """True if `who` (id of the actor, id of the seat, or number of the seat) is asked."""
        return str(who) in (self.actor, self.seat_id, str(self.seat))

    @cached_property
    def offers(self) -> list[MachineOption]:
        """The options in the form of the machine."""
        found = self.game.runner.all_options(self.words)
        self.withheld = self.game.runner.undecided
        return found

    @property
    def options(self) -> list[Option]:
        if self._options is None:
            self._options = [Option(raw, self) for raw in self.offers]
        return self._options

    @cached_property
    def later(self) -> list[Option]:
        """The members of an answer that is a set which can come only after others."""
        if self.site.shape != "some" or self.site.by_default:
            return []
        offered, machine = {raw.values for raw in self.offers}, self.game.machine
        machine.words = self.words
        found = sequence.members(machine, self.site, [0] * machine.temps)
        return [Option(raw, self) for raw in found if raw.values not in offered]

    @property
    def undecided(self) -> list[Option]:
        """The options that are not offered only because the limit of tries left them undecided."""
        return [Option(raw, self) for raw in self.withheld] if self.offers else []

    @property
    def forced(self) -> Option | None:
        """The only option, or the default, if it is taken without asking; else None."""
        if self.site.by_default:
            return self.options[0] if "offers" in self.__dict__ else Option(self.default, self)
        if len(self.offers) != 1 or self.offers[0].kind == DECLINE or self.site.always_ask and not self.is_full:
            return None
        return self.options[0]

    @property
    def is_full(self) -> bool:
        """True if the answer has as many members as may be, and everybody knows that: that it is then ready tells
        nothing."""
        if self.offers[0].kind != READY or self.site.answer is None:
            return False
        size = ir.Size("set" if self.site.shape == "some" else "total", ir.FrameVar(*self.site.answer))
        number = self.game.evaluate(self.words, size)
        if not number:
            return False  # nothing to choose from would be asked
        most = [b.amount for b in self.site.bounds if b.known and b.op in ("exactly", "at most")]
        return any(self.game.evaluate(self.words, amount) <= number for amount in most)

    @cached_property
    def default(self) -> MachineOption:
        """The option that is taken unless somebody asks to choose."""
        first = self.game.runner.options(self.words)[0]
        self.withheld = self.game.runner.undecided
        return first

    @cached_property
    def payments(self) -> PaymentList:
        """The payments or gains that this question offers."""
        assert self.site.payment is not None, "a question how to pay or to gain"
        return list_payments(self.game, self.words, self.site.payment, self.site.temps)

    @property
    def cursor(self) -> int:
        """The number of members that a long answer has passed; 0 if it has not begun."""
        return self.words[self.words[hdr.FP] + hdr.FRAME_LINK + self.site.cursor] if self.site.cursor >= 0 else 0

    def audience(self, words: Words) -> tuple[int, ...] | None:
        """The seats that may see the answer; None: all."""
        if self.site.audience is None:
            return None
        return tuple(sorted({*self.game.names.seats_of(self.game.evaluate(words, self.site.audience)), self.seat}))

    def alternative(self, raw: MachineOption) -> ir.Alternative | None:
        return self.answers.alternative(raw)

    def ids(self, raw: MachineOption) -> tuple[str, ...]:
        if self.site.payment is not None:
            return payment_ids(self.game, self.payments, raw.values[-1])
        return self.answers.ids(raw)

    def domains(self, raw: MachineOption) -> tuple[str, ...]:
        return self.answers.domains(raw)

    def case(self, raw: MachineOption) -> str:
        return self.answers.case(raw)

    # ------------------------------------------------------------ texts

    def prompt(self, lang: str = "en") -> str:
        template = self.game.texts.find(lang, f"{self.address}.ask", self.address)
        if not template and (payment := self.site.payment) is not None:
            return self.game.texts.engine(lang, "how_to_gain" if payment.gain else "how_to_pay")
        return self._fill(lang, template) if template else self.address

    def option_text(self, raw: MachineOption, lang: str) -> str:
        texts, at = self.game.texts, self.address
        if raw.kind in (DECLINE, READY):
            return texts.find(lang, f"{at}.{raw.kind}") or texts.engine(lang, raw.kind)
        if self.site.payment is not None:
            return payment_text(self.game, self.payments, raw.values[-1], lang)
        rows = self.answers.values(raw)
        case = self.case(raw)
        template = texts.find(lang, *pick_keys(at, case))
        if template:
            return self._fill(lang, template, raw)
        shown = [texts.value(lang, n.value, n.type) for _, n in rows]
        return " ".join([case, *shown] if case else shown) or raw.kind

    def log_values(self, raw: MachineOption) -> list[LogValue]:
        """The values from the store in the log line of this answer: name, value, and who may see it (None: all). In an
        open plan, which may still be taken back, what is said openly is not told to the one who answers, unless that
        seat sees it anyhow; the others read the line when the plan is certain."""
        wanted = self.answers.log_values(raw)
        found = self._text_values(wanted, raw) if wanted else []
        if not self.site.open_values:
            return found
        openly = self.said_openly()
        others = tuple(s for s in range(1, self.words[hdr.SEATS] + 1) if s != self.seat)

        def told(seats: tuple[int, ...] | None) -> tuple[int, ...] | None:
            return others if self.words[hdr.PLAN] and self._is_unseen(seats) else None

        return [(name, value, told(seats) if name in openly else seats) for name, value, seats in found]

    def tells_asked(self, raw: MachineOption) -> bool:
        """True if the log line of this answer says something openly that the seat which gives it does not see."""
        if not self.site.open_values or self.words[hdr.PLAN]:
            return False
        found = self._text_values(self.answers.log_values(raw), raw)
        return any(name in self.said_openly() and self._is_unseen(seats) for name, _, seats in found)

    def said_openly(self) -> set[str]:
        """The placeholders of the log line that all may read."""
        return {squeeze(name) for name in self.site.open_values}

    def _is_unseen(self, seats: tuple[int, ...] | None) -> bool:
        return seats is not None and self.seat not in seats

    def _fill(self, lang: str, template: str, raw: MachineOption | None = None) -> str:
        named: dict[str, Named | str] = {}
        for name, value, seats in self._text_values(self.answers.text_values(placeholders(template), raw), raw):
            hidden = seats is not None and self.seat not in seats
            named[name] = self.game.texts.engine(lang, "hidden") if hidden else value
        named.update((squeeze(k), v) for k, v in (self.answers.values(raw) if raw else ()))
        named.setdefault("actor", Named(self.actor_value, self.site.actor_type))
        return self.game.texts.fill(lang, template, named)

    def _text_values(self, wanted: TextValues, raw: MachineOption | None) -> list[LogValue]:
        """The values that a text names besides the choice itself, as they are when the answer is carried out."""
        temps = self.answers.temps(raw) if raw else {}
        alternative = self.alternative(raw) if raw and wanted else None
        words = self.words
        if alternative is not None and alternative.probe is not None and alternative.probe.mods:
            words = self.game.store_with_order(words, alternative.probe, temps, self.site.temps)
        found: list[LogValue] = []
        for name, expr, type_ in wanted:
            try:
                value = self.game.evaluate(words, expr, temps, self.site.temps)
            except RulesetError:
                continue  # a value of a name that this option does not bind: the placeholder stays as it is
            seats = readers(self.game, words, expr, temps)
            if self.keeps(expr, 0):
                mine = not self.keeps(expr, self.seat) and (seats is None or self.seat in seats)
                seats = (self.seat,) if mine else ()
            found.append((name, Named(value, type_), told_to(words, seats)))
        return found

    def keeps(self, expr: ir.Expr, seat: int) -> bool:
        """True if an expression reads a variable that holds what `seat` may not know, as far as is known."""
        secrets = self.site.unseen if seat == self.seat else self.site.kept
        return bool(secrets) and any(isinstance(n, FRAMED) and n.slot in secrets for n in walk(expr))
