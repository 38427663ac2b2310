"""Typed answers, turned into the ids of the game.

Display names in the languages of the reader and of the ruleset, in any case, stand for ids; an unknown word stays as it
is, so that it can be explained.
"""

from __future__ import annotations

import re

from dsl.shows.program import NO_SIGN
from interpreter import Decision, Option
from interpreter.rules.names import tokens
from interpreter.rules.rules import Rules

FULL_WIDTH = str.maketrans({chr(0xFF01 + i): chr(0x21 + i) for i in range(94)} | {"　": " ", "、": ","})


def normalise(text: str) -> str:
    """The text with full-width letters and digits as ordinary ones, without control characters and outer spaces."""
    return "".join(character for character in text.translate(FULL_WIDTH) if character.isprintable()).strip()


def fold_case(text: str) -> str:
    return re.sub(r"[\s,()]+", " ", normalise(text)).casefold().strip()


def find_option(decision: Decision, typed: str, lang: str) -> Option | None:
    """The only option with these ids or this text; None if there is none, or more than one."""
    wanted = fold_case(typed)
    options = decision.options
    by_ids = [o for o in options if fold_case(" ".join(o.ids)) == wanted]
    if len(by_ids) == 1:
        return by_ids[0]
    for language in languages_typed(decision.game, lang):
        found = [o for o in options if fold_case(o.text(language)) == wanted]
        if len(found) == 1:
            return found[0]
    return None


def languages_typed(game: Rules, lang: str) -> tuple[str, ...]:
    """The languages whose words a person may type: the own one first."""
    return tuple(dict.fromkeys((lang, *game.program.languages)))


def read_words(decision: Decision, typed: str, lang: str) -> list[str]:
    """The words of an answer, with display names and abbreviations replaced by ids and case corrected."""
    option = find_option(decision, typed, lang)
    if option is not None:
        return list(option.ids)
    known, offered = vocabulary(decision, lang), offered_by_name(decision, lang)
    longest = max((name.count(" ") + 1 for name in known), default=1)
    words, found = tokens(normalise(typed)), []
    while words:
        sizes = range(min(longest, len(words)), 0, -1)  # a name may have several words
        size = next((n for n in sizes if " ".join(words[:n]).casefold() in known), 1)
        name = " ".join(words[:size]).casefold()
        alike = (id_ for id_ in offered.get(name, ()) if id_ not in found)
        found.append(next(alike, known.get(name, words[0])))
        del words[:size]
    return found


def offered_by_name(decision: Decision, lang: str) -> dict[str, list[str]]:
    """Names, in lower case -> ids of the members with this id or name that the answer can have; of things that are
    called alike a person names any."""
    found: dict[str, list[str]] = {}
    if decision.shape != "some":
        return found
    members = [option for option in (*decision.options, *decision.later) if option.kind == "add"]
    for option in members:
        found.setdefault(option.ids[-1].casefold(), []).append(option.ids[-1])
    for option in members:
        for language in languages_typed(decision.game, lang):
            same = found.setdefault(" ".join(tokens(option.text(language))).casefold(), [])
            same += [option.ids[-1]] if option.ids[-1] not in same else []
    return found


def vocabulary(decision: Decision, lang: str) -> dict[str, str]:
    """Words, in lower case -> id, for all members of the types in the question and its actions."""
    game = decision.game
    found: dict[str, str] = {}
    for alternative in decision.site.alternatives:
        for _, _, _, type_ in alternative.binders:
            domain = getattr(type_, "domain", "")
            for id_ in game.names.words_of(type_):
                for written in coordinates(game, domain, id_):
                    found.setdefault(written, id_)
                for language in languages_typed(game, lang):
                    found.setdefault(" ".join(tokens(game.texts.id(language, domain, id_))).casefold(), id_)
    for alternative in decision.site.alternatives:
        for _, _, _, type_ in alternative.binders:
            found.update({id_.casefold(): id_ for id_ in game.names.words_of(type_)})
        if alternative.name:
            found.setdefault(alternative.name.casefold(), alternative.name)
    for alternative in decision.site.alternatives:
        for _, _, _, type_ in alternative.binders:
            for id_ in game.names.words_of(type_):
                if short := abbreviation(game, getattr(type_, "domain", ""), id_):
                    found.setdefault(short.casefold(), id_)
    return found


def coordinates(game: Rules, domain: str, id_: str) -> tuple[str, ...]:
    """The words of a cell of a lattice as rules write it, `spot 1 -2`, and its coordinates alone; empty for others."""
    kind = game.texts.kind_of(domain, id_) if game.names.lattices else ""
    at = game.names.coordinates(kind, id_) if kind in game.names.lattices else None
    numbers = " ".join(map(str, at or ()))
    return (f"{kind.casefold()} {numbers}", numbers) if at else ()


def abbreviation(game: Rules, domain: str, id_: str) -> str:
    """The glyph of a member or thing, as it stands on the map; empty for none."""
    signs = game.program.display.members.get(game.texts.kind_of(domain, id_), {})
    return signs.get(id_, NO_SIGN).glyph
