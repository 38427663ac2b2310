"""What a person types as an answer, turned into the ids that the game knows.

Display names of any language, names without their capitals and numbers of the list all stand for the ids; what is not
known stays as it is, so that it can be explained.
"""

from __future__ import annotations

import re

from interpreter import Decision, Option
from interpreter.rules.names import tokens

FULL_WIDTH = str.maketrans({chr(0xFF01 + i): chr(0x21 + i) for i in range(94)} | {"　": " ", "、": ","})


def normalise(text: str) -> str:
    """Full-width letters and digits as ordinary ones; no signs that steer a terminal, no spaces around."""
    return "".join(character for character in text.translate(FULL_WIDTH) if character.isprintable()).strip()


def fold_case(text: str) -> str:
    return re.sub(r"[\s,()]+", " ", normalise(text)).casefold().strip()


def find_option(decision: Decision, typed: str, lang: str) -> Option | None:
    """The one option that is named by its ids or its text; None if none is, or several are."""
    wanted = fold_case(typed)
    options = decision.options
    for form in (lambda o: " ".join(o.ids), lambda o: o.text(lang), lambda o: o.text("en")):
        found = [o for o in options if fold_case(form(o)) == wanted]
        if len(found) == 1:
            return found[0]
    return None


def read_words(decision: Decision, typed: str, lang: str) -> list[str]:
    """The words of an answer with display names and capitals put right."""
    option = find_option(decision, typed, lang)
    if option is not None:
        return list(option.ids)
    known = vocabulary(decision, lang)
    return [known.get(word.casefold(), word) for word in tokens(normalise(typed))]


def vocabulary(decision: Decision, lang: str) -> dict[str, str]:
    """Every single word by which a member of the question's types may be called -> its id."""
    game = decision.game
    found: dict[str, str] = {}
    for alternative in decision.site.alternatives:
        for _, _, _, type_ in alternative.binders:
            domain = getattr(type_, "domain", "")
            for id_ in game.names.words_of(type_):
                for language in ("en", lang):
                    found.setdefault(game.texts.id(language, domain, id_).casefold(), id_)
    for alternative in decision.site.alternatives:
        for _, _, _, type_ in alternative.binders:
            found.update({id_.casefold(): id_ for id_ in game.names.words_of(type_)})
        if alternative.name:
            found.setdefault(alternative.name.casefold(), alternative.name)
    return found
