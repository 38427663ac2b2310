"""The use of questions and answers in many games: which were asked, which were offered, and which were taken.

An answer is one of the alternatives of a question: a case, an action, an icon; an action that several questions offer
is one answer. What was asked and taken is known of every game. Random play does not list what it does not draw: so some
games are gone through once more, with their answers, and now and then all options are listed. What is never asked,
offered or taken points to a slip in the rules.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from typing import Any

from dsl import program as hdr
from dsl.base.types import MemberType
from dsl.program import Program
from interpreter.core.question import RawOption
from interpreter.core.words import Words
from interpreter.rules.rules import Rules
from interpreter.rules.site_texts import DECLINE, READY
from interpreter.session.chance import Outcome as ChanceOutcome
from interpreter.session.interrupts import moments
from tools.simulation.card_usage import first_copies, named_cards
from tools.simulation.walk import Walk

LOOKED_AT = 5  # games of a run that are gone through again
LOOKS = 300  # questions of each of them whose options are listed
ROUTINES = ("action", "icon")  # what is one answer, whichever question offers it


@dataclass(frozen=True, slots=True)
class KnownAnswers:
    """What a program may ask and be answered. `names`: (question, alternative) -> the name of the answer, that of a
    case behind the address of its question; `places`: name -> addresses; `with_cards`: the alternatives that name
    cards."""

    questions: tuple[str, ...]
    names: dict[tuple[int, int], str]
    places: dict[str, set[str]]
    routines: frozenset[str]
    with_cards: frozenset[tuple[int, int]]


def known_answers(program: Program) -> KnownAnswers:
    """Ways to pay or to gain are no answers, and neither is the only alternative of a question, if it is no action."""
    names: dict[tuple[int, int], str] = {}
    places: dict[str, set[str]] = {}
    routines, with_cards = set(), set()
    words = {proc.name: proc.word for proc in program.procs}
    card_kinds = {name for name, domain in program.domains.items() if any(id_ in program.cards for id_ in domain.ids)}
    asked = [(number, site) for number, site in enumerate(program.sites) if site.payment is None]
    for number, site in asked:
        for k, alternative in enumerate(site.alternatives):
            if any(isinstance(b[3], MemberType) and b[3].domain in card_kinds for b in alternative.binders):
                with_cards.add((number, k))
            own = words.get(alternative.name) in ROUTINES
            if own or (alternative.name and len(site.alternatives) > 1):
                name = alternative.name if own else f"{site.address}: {alternative.name}"
                names[number, k] = name
                places.setdefault(name, set()).add(site.address)
                routines |= {name} if own else set()
    questions = tuple(dict.fromkeys(site.address for _, site in asked))
    return KnownAnswers(questions, names, places, frozenset(routines), frozenset(with_cards))


def known(rules: Rules) -> KnownAnswers:
    return known_answers(rules.program)


WITHOUT_ALTERNATIVE = (DECLINE, READY)  # kinds of options that are none of the alternatives of their question


@dataclass(slots=True)
class AnswerUsage:
    """Questions by their addresses, answers by their names, and the cards that options named, by id. `looks`: how many
    questions were looked at with all their options, in so many `games`."""

    asked: set[str] = field(default_factory=set)
    taken: Counter[str] = field(default_factory=Counter)
    offered: set[str] = field(default_factory=set)
    cards: set[str] = field(default_factory=set)
    looks: int = 0
    games: int = 0

    def add(self, other: AnswerUsage) -> None:
        self.asked |= other.asked
        self.taken.update(other.taken)
        self.offered |= other.offered
        self.cards |= other.cards
        self.looks += other.looks
        self.games += other.games

    def unused(self, program: Program) -> Unused:
        every = known_answers(program)
        left = [
            name
            for name, places in every.places.items()
            if name not in self.taken and (name in every.routines or places & self.asked)
        ]
        return Unused(
            len(every.questions),
            [address for address in every.questions if address not in self.asked],
            len(every.places),
            [name for name in left if name not in self.offered],
            [name for name in left if name in self.offered],
            self.looks,
            self.games,
        )


@dataclass(frozen=True, slots=True)
class Unused:
    """`questions` and `answers`: how many there are. `never_offered`: as far as was looked, at so many questions
    (`looks`) of so many games (`looked_at`), the first ones of the run. `never_taken`: although offered. A case of a
    question that was never asked is not told beside it; an action is."""

    questions: int
    never_asked: list[str]
    answers: int
    never_offered: list[str]
    never_taken: list[str]
    looks: int
    looked_at: int

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


def usage_of(walk: Walk, looking: bool) -> AnswerUsage:
    """The usage in one game, also in one that did not end. `looking`: go through it again and list options."""
    found, every = AnswerUsage(), walk.game.cached(known)
    sites = walk.game.program.sites
    for number, answer in walk.plain_answers():
        found.asked.add(sites[number].address)
        if answer.kind not in WITHOUT_ALTERNATIVE and (name := every.names.get((number, answer.alt))):
            found.taken[name] += 1
    found.offered |= found.taken.keys()
    if looking:
        found.add(offers_of(walk))
    return found


def offers_of(walk: Walk) -> AnswerUsage:
    """What was offered in a game, which is gone through again."""
    found = AnswerUsage(games=1)
    for words in looks(walk):
        look_at(walk, found, words)
    return found


def look_at(walk: Walk, found: AnswerUsage, words: Words) -> None:
    """Note all that a question of the game offers, and what may be taken out of turn there."""
    every = walk.game.cached(known)
    found.looks += 1
    note_offers(found, walk.game, every, words[hdr.SITE] - 1, walk.game.machine.all_options(words[:]))
    if walk.game.program.moment_proc >= 0:
        state = walk.state(words)
        assert state.decision is not None, "a question is asked as it was"
        for option in moments(state, state.decision.seat):
            found.looks += 1
            note_offers(found, walk.game, every, option.decision.number, [option.raw])


def looked_at(walk: Walk) -> list[int]:
    """The numbers of answers in front of which a game is looked at: evenly over the game, but for actions at any
    moment."""
    stride = -(-len(walk.answers) // LOOKS)
    found = range(0, len(walk.answers), stride) if walk.answers else ()
    return [i for i in found if i not in walk.moments and not isinstance(walk.answers[i], ChanceOutcome)]


def note_offers(found: AnswerUsage, rules: Rules, every: KnownAnswers, number: int, options: list[RawOption]) -> None:
    answers, firsts = rules.answers[number], first_copies(rules.program)
    for option in options:
        at = number, option.alt
        if option.kind not in WITHOUT_ALTERNATIVE and at in every.names:
            found.offered.add(every.names[at])
        if at in every.with_cards:
            found.cards.update(named_cards(answers, option, firsts))


def looks(walk: Walk) -> Iterator[Words]:
    """Take the answers of a game once more: its stores at questions, evenly over the game."""
    program, machine = walk.game.program, walk.game.machine
    machine.checked = False
    words = walk.blank()
    machine.start(words, program.entry)
    machine.run(words)
    stops = set(looked_at(walk))
    for i, answer in enumerate(walk.answers):
        if isinstance(answer, ChanceOutcome):
            machine.draw(words, answer.code)
            continue
        seat = walk.moments.get(i, 0)
        if seat:
            machine.interrupt(words, program.moment_proc, [walk.game.names.seat_thing(seat)])
        elif i in stops:
            yield words
        machine.take(words, answer)
