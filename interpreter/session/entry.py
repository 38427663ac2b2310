"""The entries of a log: decisions and outcomes of chance.

An entry holds ids (for replay under another build of the ruleset), the machine's code (for exact replay) and the values
that its sentence names, so that narration needs no store. The audience of an answer is fixed when it is given.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields, replace
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from dsl.base.types import MemberType, SetType
from interpreter.core.question import Option as MachineOption
from interpreter.core.run import ChanceOutcome
from interpreter.rules.rules import Rules
from interpreter.rules.site_texts import Answers
from interpreter.rules.texts import squeeze
from interpreter.session.decision import Decision, LogValue, Option
from interpreter.visibility import audiences

CHOICE, AUTO, CHANCE = "choice", "auto", "chance"


@dataclass(frozen=True, slots=True)
class LogEntry:
    """One line of a log. kind: `choice`, `auto` (taken because it was the only possibility) or `chance`; `form`: the
    option's kind or the chance operation; `named`: (placeholder, domain or empty, text); `audience`: the seats that may
    see it, None for everybody; `undecided`: the answers withheld because the limit of tries left them undecided. With a
    `choice`, the other fields are filled from it when they are first read."""

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
    audience: tuple[int, ...] | None = None
    waits: bool = False  # a simultaneous answer, revealed to everybody when all have answered
    undecided: tuple[str, ...] = ()
    choice: Choice | None = field(default=None, repr=False, compare=False)

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            """Fill the fields of an entry that so far has only its `choice`."""
            if name not in _FIELDS:
                raise AttributeError(name)
            _write_out(self, self.choice)
            return getattr(self, name)

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
            audience=_seats(fields.pop("audience")) if "audience" in fields else None,
            waits=_typed(bool, fields.pop("waits", False)),
            undecided=tuple(_typed(str, u) for u in fields.pop("undecided", ())),
        )
        if fields or entry.kind not in (CHOICE, AUTO, CHANCE):
            raise ValueError(row)
        return entry

    def decider(self) -> tuple[str, str, int]:
        """Who decided: id of the actor, its domain (empty for chance), number of the seat. This does not fill the
        fields of the entry."""
        choice = self.choice
        if choice is None:
            return self.actor, self.actor_domain, self.seat
        type_ = choice.answers.site.actor_type
        domain = type_.domain if isinstance(type_, MemberType) else ""
        return choice.answers.names.text(choice.actor, type_), domain, choice.seat

    def is_waiting(self) -> bool:
        """Whether others have to answer before this entry is revealed."""
        return self.waits if self.choice is None else self.choice.waits

    def revealed(self) -> LogEntry:
        """The entry once all have answered."""
        if self.choice is None:
            return replace(self, audience=None, waits=False)
        return _unwritten(self.choice._replace(audience=None, waits=False))

    def seen_by(self, seat: int | None) -> bool:
        return self.audience is None or seat in self.audience


_FIELDS = tuple(f.name for f in fields(LogEntry) if f.name != "choice")

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


class Choice(NamedTuple):
    """An answer in numbers: everything that its log entry is made from."""

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


def choice_entry(decision: Decision, option: Option, automatic: bool) -> LogEntry:
    """The entry of an answer. Ids and texts are made when they are first read, since most entries never are."""
    raw = option.raw
    automatic = automatic and not (decision.site.always_ask and decision.cursor)  # the end of an answer that was given
    ids = option.ids if decision.site.payment is not None else None
    seat, actor, audience = decision.seat, decision.actor_value, decision.audience(decision.words)
    named, waits = decision.log_values(raw), decision.site.waits
    undecided = tuple(" ".join(decision.ids(o)) for o in decision.withheld) if decision.withheld else ()
    return _unwritten(Choice(decision.answers, raw, automatic, seat, actor, named, audience, waits, ids, undecided))


def _unwritten(choice: Choice) -> LogEntry:
    entry = object.__new__(LogEntry)
    object.__setattr__(entry, "choice", choice)
    return entry


def _write_out(entry: LogEntry, choice: Choice) -> None:
    answers, raw = choice.answers, choice.option
    names, actor_type = answers.names, answers.site.actor_type
    wanted = answers.log_names(raw)
    own: list[LogValue] = [(squeeze(k), v, None) for k, v in answers.values(raw)]
    named, secret = [], []
    for name, value, seats in sorted(choice.named + [row for row in own if row[0] in wanted], key=lambda row: row[0]):
        if seats is not None:
            secret.append((name, seats))
        elem = value.type.elem if isinstance(value.type, SetType) else value.type
        domain = elem.domain if isinstance(elem, MemberType) else ""
        named.append((name, domain, names.text(value.value, value.type)))
    whole = LogEntry(
        kind=AUTO if choice.automatic else CHOICE,
        address=answers.site.address,
        form=raw.kind,
        ids=answers.ids(raw) if choice.ids is None else choice.ids,
        code=raw.code,
        case=answers.case(raw),
        seat=choice.seat,
        actor=names.text(choice.actor, actor_type),
        actor_domain=actor_type.domain if isinstance(actor_type, MemberType) else "",
        domains=answers.domains(raw) if choice.ids is None else (),
        named=tuple(named),
        secret=tuple(secret),
        audience=choice.audience,
        waits=choice.waits,
        undecided=choice.undecided,
    )
    for name in (*_FIELDS, "choice"):
        object.__setattr__(entry, name, getattr(whole, name))


def chance_entry(rules: Rules, words: list[int], draw: ChanceOutcome) -> LogEntry:
    """The entry of an outcome of chance; the rules may name its audience. Nobody sees the order of a shuffle, and a
    hidden thing without an audience is seen by those who know where it is afterwards."""
    audience = draw.audience
    if draw.op == "shuffle":
        audience = ()
    elif audience is None and draw.op == "member" and draw.values:
        thing = draw.values[0] if audiences.is_thing(rules, draw.ids[0]) else 0
        audience = audiences.seats_that_know(rules, words, thing) if thing else None
    return LogEntry(CHANCE, draw.address, draw.op, tuple(draw.ids), tuple(draw.values), audience=audience)
