"""The texts of a game in each of its languages, with the phrases of the tool that a page needs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from dsl.files.phrases import Worded, pick_form, sections, template
from interpreter.rules.rules import Rules
from tools.page.things import about_in, backs_in, names_in, printed_in
from tools.shows.labels import LEGEND, MAP, part_title
from tools.shows.presenter import Presenter
from tools.shows.signs import signs_of

SPOKEN = ("and", "none", "hidden", "hidden_choice", "choice", "automatic", "ready", "decline", "true", "false",
          "how_to_pay", "how_to_gain", "shuffle", "chance", "hidden_value", "pays", "gains", "pieces",
          "change")  # phrases of the engine  # fmt: skip
FORMS, ROUND = 200, 100  # numbers whose forms are written out; greater ones have that of one that ends alike


def texts_as_json(presenter: Presenter) -> dict[str, Any]:
    """Everything in the language of the presenter."""
    rules, lang = presenter.game, presenter.lang
    return {
        "name": rules.texts.language_name(lang),
        "title": rules.texts.title(lang),
        "own": dict(own_texts(rules, lang)),
        "names": names_in(rules, lang),
        "about": about_in(presenter),
        "printed": printed_in(presenter),
        "backs": backs_in(rules, lang),
        "engine": {key: rules.texts.engine(lang, key) for key in SPOKEN},
        "picture": sections_in(lang, "picture"),
        "page": sections_in(lang, "page"),
        "hidden": template(lang, "terminal", "hidden"),
        "forms": [pick_form([str(n) for n in range(8)], n, rules.texts.plural(lang)) for n in range(FORMS)],
        "map_title": part_title(presenter, MAP),
        "legend_title": part_title(presenter, LEGEND),
        "signs": [list(pair) for pair in signs_of(presenter, everywhere=True).items()],
    }


def own_texts(rules: Rules, lang: str) -> Iterator[tuple[str, str]]:
    """The texts of the ruleset in a language, but for what is told elsewhere: clauses and printed texts of things."""
    program = rules.program
    printed = {f"{kind}.{id_}.text" for kind, id_ in zip(program.thing_kinds, program.thing_ids, strict=True)}
    for key, text in program.texts.get(lang, {}).items():
        if key not in printed and not key.startswith("clause."):
            yield key, text


def sections_in(lang: str, section: str) -> dict[str, str]:
    """The phrases of a section in a language."""
    return {key: plain(template(lang, section, key)) for key in sections("en")[section]}


def plain(text: str) -> str:
    return str(text) if isinstance(text, Worded) else text
