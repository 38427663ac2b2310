"""The entries of a log: decisions and outcomes of chance.

An entry holds ids (for replay under another build of the ruleset), the machine's code (for exact replay) and the values
that its sentence names, so that narration needs no store. Most entries are never read, so that a new one is *pending*:
it has only what its fields are worked out from, with the store of its moment, which is never changed. The first who
reads a field has all of them worked out, and the store is let go. It is also let go far back in a log (`add_entry`), of
an answer for the numbers that it names, whose texts wait on. To whom an answer names a hidden thing is a matter of the
same moment: those who knew it before, or do behind what the answer has led to.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from dsl import ir
from dsl.base.types import MemberType, SetType
from dsl.ir.sites import OWN
from dsl.ir.walk import walk
from interpreter.core.question import RawOption as MachineOption
from interpreter.core.run import ChanceOutcome
from interpreter.core.words import Words
from interpreter.rules.rules import Rules
from interpreter.rules.site_texts import Answers
from interpreter.rules.texts import squeeze
from interpreter.session.decision import Decision, LogValue, Option
from interpreter.visibility import audiences

CHOICE, AUTO, CHANCE = "choice", "auto", "chance"
MOST_STORES = 256  # that one log keeps


@dataclass(frozen=True, slots=True)
class LogEntry:
    """One line of a log. kind: `choice`, `auto` (taken because it was the only possibility) or `chance`; `form`: the
    option's kind or the chance operation; `named`: (placeholder, domain or empty, text); `audience`: the seats that may
    see it, None for everybody; `known`: the things that it names and not everybody knows, with the seats that may read
    them by name, `about` the placeholders that name them or are read off them; `undecided`: the answers withheld
    because the limit of tries left them undecided; `pending`: what the other fields are worked out from when one is
    first read, None once they are."""

    kind: str
    address: str
    form: str
    ids: tuple[str, ...]
    code: tuple[int, ...] = ()
    case: str = ""  # the name of the alternative
    seat: int = 0
    actor: str = ""
    actor_domain: str = ""
    domains: tuple[str, ...] = ()
    named: tuple[tuple[str, str, str], ...] = ()
    secret: tuple[tuple[str, tuple[int, ...]], ...] = ()  # placeholders that only these seats may read
    known: tuple[tuple[str, tuple[int, ...]], ...] = ()
    about: tuple[tuple[str, tuple[str, ...]], ...] = ()
    audience: tuple[int, ...] | None = None
    waits: bool = False  # a simultaneous answer, revealed to everybody when all have answered
    undecided: tuple[str, ...] = ()
    pending: PendingAnswer | ChoiceEntry | PendingDraw | None = field(default=None, repr=False, compare=False)

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            """A field that has not been worked out yet."""
            if name not in _FIELDS:
                raise AttributeError(name)
            self.work_out()
            return getattr(self, name)

    def work_out(self) -> None:
        """Work out the fields, if that is still to be done."""
        self.let_go()
        if isinstance(self.pending, ChoiceEntry):
            self._become(self.pending.entry())

    def let_go(self) -> None:
        """Let go of the store, if there is one: what is read of it is worked out. A machine that is running does not
        notice."""
        if not isinstance(self.pending, PendingAnswer | PendingDraw):
            return
        machine = self.pending.rules.machine
        running = machine.words
        try:
            found = self.pending.without_store()
        finally:
            machine.words = running
        if isinstance(found, LogEntry):
            self._become(found)
        else:
            object.__setattr__(self, "pending", found)

    def _become(self, whole: LogEntry) -> None:
        for name in (*_FIELDS, "pending"):
            object.__setattr__(self, name, getattr(whole, name))

    def to_json(self) -> dict[str, Any]:
        """The entry as JSON data, without what is empty."""
        shown = {name: v for name in _FIELDS if (v := getattr(self, name)) not in ((), "", None, 0)}
        return shown | ({"audience": self.audience} if self.audience is not None else {})

    @classmethod
    def from_json(cls, row: Any) -> LogEntry:
        """The entry of a save; raises TypeError, ValueError or KeyError for anything else."""
        fields = dict(row)
        entry = cls(
            kind=_typed(str, fields.pop("kind")),
            address=_typed(str, fields.pop("address")),
            form=_typed(str, fields.pop("form")),
            ids=tuple(_typed(str, i) for i in fields.pop("ids", ())),
            code=tuple(_typed(int, c) for c in fields.pop("code", ())),
            case=_typed(str, fields.pop("case", "")),
            seat=_typed(int, fields.pop("seat", 0)),
            actor=_typed(str, fields.pop("actor", "")),
            actor_domain=_typed(str, fields.pop("actor_domain", "")),
            domains=tuple(_typed(str, d) for d in fields.pop("domains", ())),
            named=tuple(_named_value(n) for n in fields.pop("named", ())),
            secret=tuple((_typed(str, n), _seats(seats)) for n, seats in fields.pop("secret", ())),
            known=tuple((_typed(str, n), _seats(seats)) for n, seats in fields.pop("known", ())),
            about=tuple((_typed(str, n), tuple(_typed(str, i) for i in ids)) for n, ids in fields.pop("about", ())),
            audience=_seats(fields.pop("audience")) if "audience" in fields else None,
            waits=_typed(bool, fields.pop("waits", False)),
            undecided=tuple(_typed(str, u) for u in fields.pop("undecided", ())),
        )
        if fields or entry.kind not in (CHOICE, AUTO, CHANCE):
            raise ValueError(row)
        return entry

    def decider(self) -> tuple[str, str, int]:
        """The one who decided: id of the actor, its domain (empty for chance), number of the seat. A pending answer
        stays pending."""
        if isinstance(self.pending, PendingAnswer | ChoiceEntry):
            return self.pending.decider()
        return self.actor, self.actor_domain, self.seat

    def is_waiting(self) -> bool:
        """True if others have to answer before this entry is revealed."""
        return self.waits if self.pending is None else self.pending.waits

    def revealed(self) -> LogEntry:
        """The entry once all have answered."""
        if isinstance(self.pending, PendingAnswer | ChoiceEntry):
            return _unread(self.pending._replace(audience=None, waits=False))
        return replace(self, audience=None, waits=False)

    def at(self, rules: Rules, words: Words) -> LogEntry:
        """The entry with what it has led to: whoever knows in this store a thing that it names reads it by name."""
        if isinstance(self.pending, PendingAnswer):
            return _unread(self.pending._replace(after=words))
        if isinstance(self.pending, PendingDraw):
            return _unread(self.pending._replace(words=words))
        if isinstance(self.pending, ChoiceEntry):
            known = audiences.learnt(rules, self.pending.known, words)
            return self if known == self.pending.known else _unread(self.pending._replace(known=known))
        if self.pending is not None:
            return self
        known = audiences.learnt(rules, self.known, words)
        return self if known == self.known else replace(self, known=known)

    def seen_by(self, seat: int | None) -> bool:
        return self.audience is None or seat in self.audience

    def unnamed_to(self, seat: int | None) -> frozenset[str]:
        """The things that it names, but not to this seat: kinds and ids, `Town.york`."""
        return frozenset(name for name, seats in self.known if seat not in seats)

    def reopened(self) -> LogEntry:
        """The entry without what its answer has led to, since chance is asked on the way."""
        return _unread(self.pending._replace(after=None)) if isinstance(self.pending, PendingAnswer) else self

    def is_open(self) -> bool:
        """True if nobody has read yet what it names, and no store says what it has led to."""
        return isinstance(self.pending, PendingDraw) or (
            isinstance(self.pending, PendingAnswer) and self.pending.after is None
        )


_FIELDS = tuple(f.name for f in fields(LogEntry) if f.name != "pending")

T = TypeVar("T")


def _typed(type_: type[T], value: Any) -> T:
    if type(value) is not type_:
        raise TypeError(value)
    return value


def _seats(row: Any) -> tuple[int, ...]:
    return tuple(_typed(int, seat) for seat in row)


def _named_value(row: Any) -> tuple[str, str, str]:
    name, domain, text = row
    return _typed(str, name), _typed(str, domain), _typed(str, text)


class ChoiceEntry(NamedTuple):
    """An answer in numbers: what its entry is worked out from without a store."""

    answers: Answers
    option: MachineOption
    automatic: bool
    seat: int
    actor: int
    named: list[LogValue]
    audience: tuple[int, ...] | None
    waits: bool
    ids: tuple[str, ...] | None  # if they depend on the store
    undecided: tuple[str, ...]
    known: tuple[tuple[str, tuple[int, ...]], ...] = ()
    about: tuple[tuple[str, tuple[str, ...]], ...] = ()

    def decider(self) -> tuple[str, str, int]:
        """As `LogEntry.decider`."""
        type_ = self.answers.site.actor_type
        domain = type_.domain if isinstance(type_, MemberType) else ""
        return self.answers.names.text(self.actor, type_), domain, self.seat

    def entry(self) -> LogEntry:
        """The entry with its fields."""
        answers, raw = self.answers, self.option
        wanted = answers.log_names(raw)
        own: list[LogValue] = [(squeeze(k), v, None) for k, v in answers.values(raw)]
        named, secret = [], []
        for name, value, seats in sorted(self.named + [row for row in own if row[0] in wanted], key=lambda row: row[0]):
            if seats is not None:
                secret.append((name, seats))
            elem = value.type.elem if isinstance(value.type, SetType) else value.type
            domain = elem.domain if isinstance(elem, MemberType) else ""
            named.append((name, domain, answers.names.text(value.value, value.type)))
        actor, actor_domain, seat = self.decider()
        return LogEntry(
            kind=AUTO if self.automatic else CHOICE,
            address=answers.site.address,
            form=raw.kind,
            ids=answers.ids(raw) if self.ids is None else self.ids,
            code=raw.code,
            case=answers.case(raw),
            seat=seat,
            actor=actor,
            actor_domain=actor_domain,
            domains=answers.domains(raw) if self.ids is None else (),
            named=tuple(named),
            secret=tuple(secret),
            known=self.known,
            about=self.about if self.known else (),
            audience=self.audience,
            waits=self.waits,
            undecided=self.undecided,
        )


class PendingAnswer(NamedTuple):
    """An answer with its decision, whose store says the rest."""

    decision: Decision
    option: MachineOption
    automatic: bool
    audience: tuple[int, ...] | None
    waits: bool
    withheld: tuple[MachineOption, ...]
    after: Words | None = None  # the store that it has led to

    @property
    def rules(self) -> Rules:
        return self.decision.game

    def decider(self) -> tuple[str, str, int]:
        """As `LogEntry.decider`."""
        type_ = self.decision.site.actor_type
        return self.decision.actor, type_.domain if isinstance(type_, MemberType) else "", self.decision.seat

    def without_store(self) -> ChoiceEntry:
        decision, raw = self.decision, self.option
        ids = decision.ids(raw) if decision.site.payment is not None else None
        undecided = tuple(" ".join(decision.ids(o)) for o in self.withheld) if self.withheld else ()
        named = decision.log_values(raw)
        things = named_things(decision, raw)
        stores = (decision.words,) if self.after is None else (decision.words, self.after)
        known = audiences.knowers(self.rules, (thing for _, found in things for thing in found), *stores)
        about = tuple(
            (name, tuple(audiences.thing_name(self.rules, thing) for thing in found))
            for name, found in things
            if name and found
        )
        return ChoiceEntry(
            decision.answers, raw, self.automatic, decision.seat, decision.actor_value, named,
            self.audience, self.waits, ids, undecided, known, about,
        )  # fmt: skip


def named_things(decision: Decision, raw: MachineOption) -> list[tuple[str, tuple[int, ...]]]:
    """The placeholders of the log line of this answer that name, or are read off, what was chosen openly among hidden
    things, each with these things; an empty one for those of the option itself."""
    site, rules = decision.site, decision.game
    if not site.named:
        return []
    found: list[tuple[str, tuple[int, ...]]] = []
    temps: dict[int, tuple[int, ...]] = {}
    if OWN in site.named:
        values = decision.answers.values(raw)
        found += [(squeeze(name), audiences.things_of(rules, value.value, value.type)) for name, value in values]
        temps = dict(zip(decision.answers.temps(raw), (things for _, things in found), strict=False))
        found.append(("", tuple(thing for _, things in found for thing in things)))
    for name, expr, _ in decision.answers.log_values(raw):
        if name not in decision.said_openly() and (things := things_read(decision, expr, temps)):
            found.append((name, things))
    return found


def things_read(decision: Decision, expr: ir.Expr, temps: Mapping[int, tuple[int, ...]]) -> tuple[int, ...]:
    """The things that an expression reads from variables with what was chosen openly among hidden things; `temps`:
    those of the option itself."""
    found: list[int] = []
    for node in walk(expr):
        if isinstance(node, ir.Temp):
            found += temps.get(node.slot, ())
        elif isinstance(node, ir.FrameVar) and node.slot in decision.site.named:
            value = decision.game.evaluate(decision.words, node)
            found += audiences.things_of(decision.game, value, node.type)
    return tuple(found)


class PendingDraw(NamedTuple):
    """The draw of a hidden thing from which its entry is worked out once it is read: its audience are those who know
    the thing in the store afterwards."""

    rules: Rules
    words: Words
    outcome: ChanceOutcome
    waits: bool = False

    def without_store(self) -> LogEntry:
        audience = audiences.seats_that_know(self.rules, self.words, self.outcome.values[0])
        return _chance_entry(self.outcome, audience)


def choice_entry(decision: Decision, option: Option, automatic: bool) -> LogEntry:
    """The entry of an answer, pending. Who may see it is fixed here, where it is given."""
    site = decision.site
    automatic = automatic and not (site.always_ask and decision.cursor)  # the end of an answer that was given
    audience = audiences.told_to(decision.words, decision.audience(decision.words))
    kept = decision if site.payment is not None else decision.without_options()
    return _unread(PendingAnswer(kept, option.raw, automatic, audience, site.waits, decision.withheld))


def chance_entry(rules: Rules, words: Words, draw: ChanceOutcome) -> LogEntry:
    """The entry of an outcome of chance; the rules may name its audience. Nobody sees the order of a shuffle, and a
    hidden thing without an audience is seen by those who know where it is afterwards: such an entry is pending."""
    if draw.op == "shuffle":
        return _chance_entry(draw, ())
    if draw.audience is None and draw.op == "member" and draw.values and audiences.is_thing(rules, draw.ids[0]):
        return _unread(PendingDraw(rules, words, draw))
    return _chance_entry(draw, audiences.told_to(words, draw.audience))


def _chance_entry(draw: ChanceOutcome, audience: tuple[int, ...] | None) -> LogEntry:
    return LogEntry(CHANCE, draw.address, draw.op, tuple(draw.ids), tuple(draw.values), audience=audience)


def _unread(pending: PendingAnswer | ChoiceEntry | PendingDraw) -> LogEntry:
    entry = object.__new__(LogEntry)
    object.__setattr__(entry, "pending", pending)
    return entry


def add_entry(log: list[LogEntry], entry: LogEntry) -> None:
    """Add an entry to a log, of which no more than the last `MOST_STORES` keep their stores."""
    log.append(entry)
    if len(log) > MOST_STORES:
        log[-MOST_STORES - 1].let_go()
