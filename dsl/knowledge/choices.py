"""Choices may depend only on what the seat that is asked can see (docs/manual/16-knowledge.md).

Takes what is known of the questions. What was read through the one who acts, or the seat that is asked, is seen by
them; whom a predicate lets see is known only in play, where it is asked each time, but only for what the question
itself reads, and it is an error where that seat never sees it. What not all see makes a question that is always put.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from dsl import ir
from dsl.base.span import Span
from dsl.diagnostics.diagnostic import Label as Mark
from dsl.diagnostics.diagnostic import Severity
from dsl.ir.sites import OWN
from dsl.knowledge.callers import calls_that_bring, who_answers
from dsl.knowledge.identity import Env, identify
from dsl.knowledge.labels import EVERYBODY, SAID, Fact, Label, Secret, Seer, Who
from dsl.knowledge.ruleset import Knowledge, callers_of, leading_to
from dsl.knowledge.run import AskedQuestion, EffectTarget
from dsl.program import PREDICATE
from dsl.symbols.symbols import Model


def sees(know: Knowledge, secret: Secret, actor: Who | None, seat: Who | None) -> bool:
    """True if the one who acts, or the seat that decides for it, is certain to see a secret."""
    return any(is_seer(know, secret, seer, actor, seat) for seer in secret.seers if seer.who is not None)


def is_seer(know: Knowledge, secret: Secret, seer: Seer, actor: Who | None, seat: Who | None) -> bool:
    assert seer.who is not None
    mine = {who.key for who in (actor, seat) if who is not None}
    if seer.sort == "owner":
        return seer.who.key in mine or seat is not None and owning_seat(know, secret, seer.who) == seat.key
    if seer.sort == EVERYBODY:
        return True
    if seer.sort == "seats":
        return contains(seer.who.key, mine)
    return False


def contains(seats: Any, mine: set[Any]) -> bool:
    """True if a set of seats, or a seat, is certain to hold one of `mine`."""
    if seats in mine:
        return True
    match seats:
        case ("set", *items):
            return any(item in mine for item in items)
        case ("|", left, right):
            return contains(left, mine) or contains(right, mine)
    return False


def routines_that_ask(know: Knowledge) -> dict[int, int]:
    """The routine that asks each question, by number."""
    return {number: n for n, run in know.runs.items() for number, _ in run.questions}


def owning_seat(know: Knowledge, secret: Secret, thing: Who) -> Any:
    """The name of the seat that a thing belongs to; None if it has none."""
    v = know.world.values
    entry = v.entries.get(secret.source)
    function = v.functions[entry.owner_fn] if entry is not None and entry.owner_fn >= 0 else None
    if function is None:
        return None
    found = identify(function.body, {("temp", 0): Fact(who=thing)}, v.reading)
    return found.key if found is not None else None


def is_predicate(secret: Secret) -> bool:
    """True for a secret whose seers only play can tell: a predicate names them, and the question itself reads it."""
    return not secret.copied and any(seer.sort.startswith(PREDICATE) for seer in secret.seers)


# ------------------------------------------------------------ the check


def check_choices(m: Model, know: Knowledge) -> set[Span]:
    """Report every choice that depends on what the one who is asked may not see; gives the places that were reported.
    Where something hidden decides who may answer, that line is at fault, and what reads the name is shown besides."""
    reported: set[Any] = set()
    shown: set[Span] = set()
    routine = routines_that_ask(know)
    for number, question in questions(know):
        site = know.world.sites[number]
        for told, span in question.parts:
            for secret in sorted(know.resolved(told), key=repr):
                if sees(know, secret, question.actor, question.seat):
                    continue
                if is_predicate(secret):
                    if never_sees(know, secret, question.seat) and (site.span, span) not in reported:
                        reported.add((site.span, span))
                        note_failing(m, know, secret, span)
                    continue
                if (site.span, span) not in reported:
                    reported.add((site.span, span))
                    shown.add(span)
                    message, help = refusal(know, secret)
                    cause = who_answers(know, question, site, secret)
                    marks = (Mark(span, "this reads who may answer"),) if cause.file and span != cause else ()
                    brought = marks or marks_of_calls(know, routine[number], secret)
                    m.error("RW1210", cause if cause.file else span, message, help, brought)
                break
            else:
                continue
            break
    return shown


def marks_of_calls(know: Knowledge, number: int, secret: Secret) -> tuple[Mark, ...]:
    """The calls that bring a secret into a routine, for a message about a line in it."""
    if not secret.copied:
        return ()
    return tuple(Mark(span, f"{named(know, secret)} comes in here") for span in calls_that_bring(know, number, secret))


def note_failing(m: Model, know: Knowledge, secret: Secret, span: Span) -> None:
    """Note a question that play can only refuse."""
    message = f"the one who is asked never sees {named(know, secret)}: this question ends the game with a fault"
    help = "ask somebody who sees it, let a number of a place be chosen, or say that all may learn it: `openly(...)`"
    m.report(Severity.NOTE, "RW1217", span, message, help)


def check_demands(m: Model, know: Knowledge, shown: set[Span]) -> None:
    """Report every demand inside a plan that depends on what the one who plans may not see: what is offered would tell
    whether it fails. Those in `shown` have been reported with the choice."""
    for number, run in know.runs.items():
        for d in run.demands.values():
            unseen = [s for s in know.resolved(d.label) if not sees(know, s, d.planner, d.planner)]
            if unseen and d.planned and d.span.file and not any(overlap(d.span, span) for span in shown):
                secret = min(unseen, key=repr)
                message, help = refusal(know, secret)
                m.error("RW1210", d.span, message, help, marks_of_calls(know, number, secret))


def overlap(one: Span, other: Span) -> bool:
    """True if two places have text in common."""
    return one.file == other.file and one.start < other.end and other.start < one.end


def questions(know: Knowledge) -> list[tuple[int, AskedQuestion]]:
    """All questions, in the order of the text; one that is asked at two places comes twice."""
    found = sorted((item for run in know.runs.values() for item in run.questions.items()), key=lambda item: item[0])
    return [(number, question) for (number, _), question in found]


def refusal(know: Knowledge, secret: Secret) -> tuple[str, str]:
    """The message about a choice that is decided by this secret, and the way out."""
    message = f"a choice is decided by {described(know, secret)}"
    if any(seer.sort.startswith(PREDICATE) for seer in secret.seers):
        return message, "choose from it directly, so that who sees it can be asked in play"
    return message, "decide it by what the one who is asked can see, or let the owner choose"


def described(know: Knowledge, secret: Secret) -> str:
    """A secret in words: what it is, and who sees it."""
    return f"{named(know, secret)}, which {seen_by(know, secret)}"


def named(know: Knowledge, secret: Secret) -> str:
    if secret.source in know.world.values.entries:
        return f"`{secret.source}`"
    return f"what `{secret.source}` has given"


def seen_by(know: Knowledge, secret: Secret) -> str:
    """The seers of a secret, in words: "only its owner sees"."""
    audience = know.world.values.hidden.get(secret.source)
    if audience is None:
        return "not everybody sees"
    if audience.startswith(PREDICATE):
        function = know.world.values.functions[int(audience.removeprefix(PREDICATE))]
        return f"only those see whom `{function.name if function else ''}` lets see"
    return "only its owner sees" if audience == "owner" else "nobody sees"


# ------------------------------------------------------------ questions that are always put


def finish_questions(know: Knowledge | None, sites: list[ir.Site]) -> list[ir.Site]:
    """The questions with what play has to know: those that hidden things decide are always put, and those that read
    what a predicate lets see are tested."""
    result = list(sites)
    if know is None:
        return result
    unknown: set[tuple[int, int]] = set()  # bounds whose amounts hidden things decide
    demanding = secret_demands(know)
    routine = routines_that_ask(know)
    for number, question in questions(know):
        told = [s for part, _ in question.parts for s in know.resolved(part)]
        site = result[number]
        tried = site.filter and routine[number] in demanding
        tried = tried or any(a.probe is not None and a.probe.proc in demanding for a in site.alternatives)
        kept = {slot: know.resolved(part) for slot, part in question.variables.items()}
        kept = {slot: secrets for slot, secrets in kept.items() if secrets}
        unknown |= {(number, n) for n, part in enumerate(question.bounds) if know.resolved(part)}
        own = [slot for slot, _ in site.answer_slots()]
        named = {slot for slot, part in question.variables.items() if any(s.source == SAID for s in know.whole(part))}
        named.update((OWN,) if any(know.whole(part) for part, _ in question.parts) else ())
        result[number] = replace(
            site,
            always_ask=site.always_ask or bool(told) or tried,
            bounds=tuple(
                replace(b, known=(number, n) not in unknown and b.weight is None and b.per is None)
                for n, b in enumerate(site.bounds)
            ),
            kept=site.kept.union(kept, own if site.audience is not None else ()),
            unseen=site.unseen.union(n for n, s in kept.items() if not all_seen(know, s, question)),
            named=site.named.union(named),
            sighted=site.sighted or any(is_predicate(s) for s in told),
        )
    return result


def secret_demands(know: Knowledge) -> set[int]:
    """The routines that lead to demands which hidden things decide: options that are tried there tell of them."""
    first = {n for n, run in know.runs.items() if any(know.resolved(d.label) for d in run.demands.values())}
    return set(leading_to(first, callers_of(know.world.inside))) if first else set()


def all_seen(know: Knowledge, label: Label, question: AskedQuestion) -> bool:
    """True if the one who is asked is certain to see every secret of this label."""
    return all(sees(know, secret, question.actor, question.seat) for secret in label)


# ------------------------------------------------------------ what comes to where others see it


def is_kept(know: Knowledge, secret: Secret, target: EffectTarget) -> bool:
    """True for a secret that is kept from somebody who sees the target."""
    audience = know.world.values.hidden.get(target.symbol, "all")
    if audience == "nobody":
        return False
    if audience == "all" or target.who is None:
        return True
    if audience.startswith(PREDICATE):
        return Seer(audience, target.who) not in secret.seers
    entry = know.world.values.entries[target.symbol]
    owner = owning_seat(know, Secret(target.symbol), target.who) if entry.owner_fn >= 0 else target.who.key
    return not sees(know, secret, target.who, Who(owner) if owner is not None else None)


# ------------------------------------------------------------ what is never seen


def never_sees(know: Knowledge, secret: Secret, seat: Who | None) -> bool:
    """True if a predicate says who sees a secret, and says no of this seat whatever happens."""
    if len(secret.seers) != 1 or seat is None:
        return False
    (seer,) = secret.seers
    if not seer.sort.startswith(PREDICATE) or seer.who is None:
        return False
    function = know.world.values.functions[int(seer.sort.removeprefix(PREDICATE))]
    if function is None:
        return False
    given = [Fact(who=seer.who), Fact(who=seat)][2 - len(function.params) :]
    env: Env = {("temp", n): fact for n, fact in enumerate(given)}
    return truth(know, function.body, env) is False


def truth(know: Knowledge, e: Any, env: Env) -> bool | None:
    """The truth of a test, where the names of its values alone decide it; else None."""
    match e:
        case ir.Const(value=value):
            return bool(value)
        case ir.Not(operand):
            found = truth(know, operand, env)
            return None if found is None else not found
        case ir.And(items):
            return joined([truth(know, item, env) for item in items], False)
        case ir.Or(items):
            return joined([truth(know, item, env) for item in items], True)
        case ir.Compare("==" | "!=" as op, left, right):
            same = equal(*(identify(side, env, know.world.values.reading) for side in (left, right)))
            return same if same is None or op == "==" else not same
        case ir.InSet(member, ir.Const(value=int() as members)):
            found_member = identify(member, env, know.world.values.reading)
            match found_member:
                case Who(key=("const", int() as value)):
                    return bool(members >> value & 1)
    return None


def joined(found: list[bool | None], decisive: bool) -> bool | None:
    """The truth of tests joined together: one that comes out as `decisive` decides; else all must be known, or it is
    None."""
    if decisive in found:
        return decisive
    return None if None in found else not decisive


def equal(left: Who | None, right: Who | None) -> bool | None:
    """True if two names are of one value, False for two constants that differ; None where the names do not tell."""
    if left is None or right is None:
        return None
    if left.key == right.key:
        return True
    return False if left.key[0] == right.key[0] == "const" else None
