"""The check of hand-overs: what one game hands on is what another one takes over, names and types, compared as for a
call.

Takes what the game that begins declares, and the programs from whose end it may; each was compiled for itself, since
neither needs the other. Members of enums and kinds cross by their ids: what counts is that each has a counterpart.
Numbers that may lie outside of their bounds are tested when a game begins; those that must are an error here.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from dsl import ir
from dsl.base.record import dataclass
from dsl.base.span import Span
from dsl.base.spelling import nearest
from dsl.base.types import BoolType, IntType, ListType, MemberType, SetType, Type, with_own_keys
from dsl.diagnostics.diagnostic import Diagnostic, Severity
from dsl.files.schema import did_you_mean
from dsl.program import Program

SHOWN = 3  # members without a counterpart that a message names
SEAT = "Seat"


@dataclass(frozen=True, slots=True)
class Taker:
    """The game that begins, as far as it is compared: its given fields, what it follows, its enums and kinds, and the
    options that it wishes for in the game before, each with its place."""

    given: tuple[ir.GivenField, ...]
    follows: tuple[tuple[str, Span], ...]
    domains: Mapping[str, ir.DomainInfo]
    options: tuple[tuple[str, str, Span], ...] = ()


def taker_of(program: Program) -> Taker:
    return Taker(program.given, program.follows, program.domains, program.options_before)


def check_hand_over(taker: Taker, givers: Sequence[Program]) -> list[Diagnostic]:
    """Messages about what does not fit between a game and the end of those that it `follows`, as far as these could be
    read."""
    found = [d for giver in givers for d in (*_from_one(taker, giver), *_options(taker, giver))]
    handed = {fact.name for giver in givers for fact in giver.hands_on}
    left = handed - {field.name for field in taker.given}
    for field in taker.given:
        if field.optional and field.name not in handed and (near := _near(field.name, left)):
            names = " or ".join(f"`{giver.named}`" for giver in givers)
            message = f"the field `{field.name}` is given, but {names} hands no fact of this name on"
            found.append(Diagnostic("RW1302", Severity.WARNING, field.span, message, near))
    return found


def hands_nothing_on(name: str, span: Span) -> Diagnostic:
    message = f"`{name}` hands nothing on: no line of its rules says `hands on`"
    return Diagnostic(
        "RW1301", Severity.ERROR, span, message, "write `hands on VALUE` there, or take the name out here"
    )


def not_found(what: str, name: str, span: Span, known: Sequence[str]) -> Diagnostic:
    near = nearest(name, known)
    help = f"did you mean `{near}`?" if near else f"known: {', '.join(known) or 'none'}"
    return Diagnostic("RW1301", Severity.ERROR, span, f"there is no {what} `{name}` that could be followed", help)


def with_errors(name: str, span: Span, errors: int) -> Diagnostic:
    message = f"`{name}` has {errors} error{'' if errors == 1 else 's'}, so what it hands on is not compared"
    return Diagnostic("RW1301", Severity.WARNING, span, message, f"`rulewright check {name}` shows them")


def _from_one(taker: Taker, giver: Program) -> Iterator[Diagnostic]:
    handed = {fact.name: giver.functions[fact.fn] for fact in giver.hands_on}
    for field in taker.given:
        fact = handed.get(field.name)
        if fact is None and not field.optional:
            message = f"`{giver.named}` hands no fact `{field.name}` on, which this game needs with any other"
            help = _near(field.name, handed) or "hand it on there, or say by `= v` how the field begins without it"
            yield Diagnostic("RW1302", Severity.ERROR, field.span, message, help)
        elif fact is not None and (fault := _Comparison(taker, giver).fault(field, fact)):
            why, help = fault
            message = f"`{field.name}` of `{giver.named}` does not fit: {why}"
            yield Diagnostic("RW1303", Severity.ERROR, field.span, message, help)


def _options(taker: Taker, giver: Program) -> Iterator[Diagnostic]:
    known = {option.name: option.domain for option in giver.options}
    for name, answer, span in taker.options:
        if name not in known:
            message, help = f"`{giver.named}` has no option `{name}`", did_you_mean(name, list(known))
            yield Diagnostic("RW0324", Severity.ERROR, span, message, help)
            continue
        answers = giver.domains[known[name]].ids if known[name] in giver.domains else ("false", "true")
        if answer not in answers:
            message = f"the option `{name}` of `{giver.named}` has no answer `{answer}`"
            yield Diagnostic("RW0325", Severity.ERROR, span, message, did_you_mean(answer, list(answers)))


def _near(name: str, known: Mapping[str, object] | set[str]) -> str | None:
    near = nearest(name, sorted(known))
    return f"did you mean `{near}`?" if near else None


class _Comparison:
    """The types of one fact on both sides. A fault is what is wrong and the way out."""

    def __init__(self, taker: Taker, giver: Program) -> None:
        self.taker = taker
        self.giver = giver

    def fault(self, field: ir.GivenField, fact: ir.Function) -> tuple[str, str] | None:
        there, t = with_own_keys([t for _, t in fact.params], fact.result)
        here, wanted = with_own_keys(field.keys, field.type)
        if len(there) != len(here):
            what = f"it hands on {_shape(there, t)}, and here it is {_shape(here, wanted)}"
            return what, "declare the field `by` what the value has parameters for, or hand on another value"
        for a, b in zip(there, here, strict=True):
            if fault := self._pair(a, b, "its rows are for each"):
                return fault
        return self._pair(t, wanted, "it is")

    def _pair(self, there: Type, here: Type, saying: str) -> tuple[str, str] | None:
        match there, here:
            case (BoolType(), BoolType()):
                return None
            case (IntType(), IntType()):
                if max(there.low, here.low) <= min(there.high, here.high):
                    return None
                return f"{saying} {there} there, and {here} here", "give the field bounds that can hold its numbers"
            case (MemberType(), MemberType()):
                return self._members(there, here, saying)
            case (SetType(a), SetType(b)) | (ListType(a), ListType(b)):
                return self._pair(a, b, f"{saying} a {'set' if isinstance(there, SetType) else 'list'} of")
        return f"{saying} `{there}` there, and `{here}` here", "declare the field with the type of the value"

    def _members(self, there: MemberType, here: MemberType, saying: str) -> tuple[str, str] | None:
        if there.optional and not here.optional:
            return f"{saying} `{there}` there, and `{here}` here", f"write `{here} or none`"
        if there.domain == here.domain == SEAT:
            return None  # how many play is known when a game begins
        theirs, ours = self.giver.domains[there.domain], self.taker.domains[here.domain]
        known = {*ours.ids, *ours.aliases}
        lost = [id_ for id_ in theirs.ids if id_ not in known]
        if not lost:
            return None
        listed = ", ".join(f"`{id_}`" for id_ in lost[:SHOWN]) + (
            f" and {len(lost) - SHOWN} more" if lost[SHOWN:] else ""
        )
        near = nearest(lost[0], ours.ids)
        help = (
            f"did you mean `{lost[0]}` where `{here.domain}` has `{near}`?"
            if near
            else f"add what is missing to `{here.domain}`"
        )
        return f"{saying} `{there.domain}` there, and `{here.domain}` here has no {listed}", help


def _shape(keys: Sequence[Type], t: Type) -> str:
    return f"`{t}` by {', '.join(map(str, keys))}" if keys else f"one `{t}`"
