"""Candidates for typed words in a question, offered or not: texts of answers, names of things, kinds of answers.

Takes a question and words as a person types them; gives answers as the machine lists them, whether they are offered or
not. A thing stands for the place where it lies, as far as the reader knows that. Nothing is judged here.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from math import prod

from dsl import ir
from dsl.base.types import IntType, MemberType, Type
from interpreter import Decision, Option, RulesetError, State
from interpreter.core.question import RawOption as MachineOption
from interpreter.rules.names import nearest
from interpreter.rules.texts import squeeze
from interpreter.visibility.audiences import knows, place_of
from tools.display.typed_answers import fold_case, languages_typed
from tools.shows.presenter import Presenter
from tools.shows.words import name_text
from tools.table.info import enum_members, folded_text, names_of, only_content

MOST_ANSWERS = 3000  # answers of one kind whose texts are compared
MOST_TOLD = 4  # answers of which the things are told
MOST_NUMBERS = 20  # of an answer that is a number

Named = set[tuple[str, int]]  # members of domains: (domain, value)


@dataclass
class Candidates:
    """The answers that typed words may mean; `exact`: the words are the whole text of one of them, or name a thing."""

    state: State
    decision: Decision
    typed: str
    lang: str

    @cached_property
    def presenter(self) -> Presenter:
        return Presenter(self.state, self.decision.seat, self.lang)

    @cached_property
    def wanted(self) -> str:
        return fold_case(self.typed)

    @cached_property
    def squeezed(self) -> str:
        return squeeze(self.wanted)

    def found(self) -> list[Option]:
        """The answers, of each kind those that fit best; empty if the words mean nothing here."""
        for fits in (self.is_text, self.names_a_thing, self.begins_with, self.is_kind, self.has_words):
            answers = [Option(raw, self.decision) for raw in self.answers() if fits(raw)]
            if answers:
                return answers
        return []

    def naming(self, members: Named) -> list[Option]:
        """The answers that name one of these members, without a look at their texts."""
        return [Option(raw, self.decision) for raw in self.answers() if not members.isdisjoint(self.members(raw))]

    def about_an_answer(self) -> list[Option]:
        """The answers whose text the words are or begin; none if the words name a thing."""
        return [] if self.things else self.found()[:MOST_TOLD]

    def answers(self) -> Iterator[MachineOption]:
        """All answers that the question could have by its types."""
        for index, alternative in enumerate(self.decision.site.alternatives):
            domains = [self.values(type_) for _, _, _, type_ in alternative.binders]
            if prod(map(len, domains)) > MOST_ANSWERS:
                continue
            for values in product(*domains):
                kind = "number" if self.decision.site.shape == "number" else "pick"
                yield MachineOption(kind, (index + 1, *values), index, values)

    def values(self, type_: Type) -> list[int]:
        match type_:
            case MemberType(domain=domain, low=low, high=high):
                values = self.state.game.program.domains[domain].values
                return [value for value in values if low <= value <= high]
            case IntType(low=low, high=high):
                return list(range(max(low, 0), min(high, max(low, 0) + MOST_NUMBERS) + 1))
        return [0, 1]

    # ------------------------------------------------------------ ways to fit

    def is_text(self, raw: MachineOption) -> bool:
        return self.wanted in self.texts(raw) or self.squeezed in {squeeze(text) for text in self.texts(raw)}

    def begins_with(self, raw: MachineOption) -> bool:
        return any(text.startswith(f"{self.wanted} ") for text in self.texts(raw))

    def has_words(self, raw: MachineOption) -> bool:
        return any(f" {self.wanted} " in f" {text} " for text in self.texts(raw))

    def names_a_thing(self, raw: MachineOption) -> bool:
        """True for an answer that names the thing which was typed, or the place where it lies."""
        return bool(self.things) and not self.things.isdisjoint(self.members(raw))

    def is_kind(self, raw: MachineOption) -> bool:
        """True if the words are the name or the title of this kind of answer, with a thing behind it or without."""
        for name in self.kind_names(raw.alt):
            if self.wanted == name:
                return True
            rest = self.wanted.removeprefix(f"{name} ")
            if rest != self.wanted:
                return not self.named(rest).isdisjoint(self.members(raw))
        return False

    # ------------------------------------------------------------ names

    def members(self, raw: MachineOption) -> Named:
        binders = self.decision.site.alternatives[raw.alt].binders
        rows = zip(binders, raw.values, strict=False)
        return {(self.own_domain(t.domain, value), value) for (_, _, _, t), value in rows if isinstance(t, MemberType)}

    def own_domain(self, domain: str, value: int) -> str:
        """An enum, or empty for a thing, whose number says it all."""
        return domain if self.state.game.program.domains[domain].sort == "enum" else ""

    @cached_property
    def things(self) -> Named:
        return self.named(self.wanted)

    @cached_property
    def names_of_rest(self) -> Named:
        """The members that are named behind the name of a kind of answer."""
        kinds = [name for index in range(len(self.decision.site.alternatives)) for name in self.kind_names(index)]
        rests = {self.wanted.removeprefix(f"{name} ") for name in kinds} - {self.wanted}
        return {member for rest in rests for member in self.named(rest)}

    def named(self, words: str) -> Named:
        """The members with this name, and the places of things with it."""
        program = self.state.game.program
        found: Named = {
            (domain, program.domains[domain].values[program.domains[domain].ids.index(id_)])
            for domain, id_ in enum_members(self.presenter)
            if words in {fold_case(id_), folded_text(self.presenter, domain, id_)}
        }
        for thing in range(1, len(program.thing_ids)):
            if words in names_of(self.presenter, thing):
                found.add(("", thing))
                if knows(self.state.game, self.presenter.words, thing, self.decision.seat):
                    found |= {("", holder) for holder in self.holders(thing)}
        return found

    def holders(self, thing: int) -> Iterator[int]:
        """The thing that holds another, if it holds nothing else."""
        place = place_of(self.state.game, self.presenter.words, thing)
        holder = self.state.game.program.zones[place].holder if place else 0
        if holder and only_content(self.presenter, holder) == [thing]:
            yield holder

    def kind_names(self, index: int) -> set[str]:
        return names_of_kind(self.decision, self.decision.site.alternatives[index], self.lang)

    def texts(self, raw: MachineOption) -> set[str]:
        return self.all_texts.setdefault(raw, set(self.make_texts(raw)))

    @cached_property
    def all_texts(self) -> dict[MachineOption, set[str]]:
        return {}

    def make_texts(self, raw: MachineOption) -> Iterator[str]:
        option = Option(raw, self.decision)
        yield fold_case(" ".join(option.ids))
        for language in languages_typed(self.state.game, self.lang):
            try:
                yield fold_case(option.text(language))
            except RulesetError:  # a value that its text names has none, since the answer is not possible
                continue


def nearest_name(candidates: Candidates) -> str | None:
    """The id or name of a thing, or the id of an enum, that is most like the words."""
    presenter = candidates.presenter
    known = {id_: id_ for _, id_ in enum_members(presenter)}
    for thing in range(1, len(presenter.program.thing_ids)):
        known.update((name, name_text(presenter, thing).plain) for name in names_of(presenter, thing))
    near = nearest(candidates.wanted, known)
    return known[near] if near is not None else None


def names_of_kind(decision: Decision, alternative: ir.Alternative, lang: str) -> set[str]:
    """The name of an alternative, and its titles in the languages that may be typed."""
    texts, name = decision.game.texts, alternative.name
    if not name:
        return set()
    titles = (texts.find(language, f"{name}.title") for language in languages_typed(decision.game, lang))
    return {fold_case(title) for title in (name.replace("_", " "), name, *titles) if title}


def is_asked_elsewhere(decision: Decision, typed: str, lang: str) -> bool:
    """True if the words begin with the name of an answer that only other questions have."""
    wanted = f"{fold_case(typed)} "
    alternatives = (a for site in decision.game.program.sites for a in site.alternatives)
    return any(wanted.startswith(f"{name} ") for a in alternatives for name in names_of_kind(decision, a, lang))
