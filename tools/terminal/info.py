"""`info`: what a ruleset is before anybody plays it: seats, options, what may be laid over it, what stands in.

Reads the compiled program and the names of the overlays in its folder; plays nothing.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from dsl.driver.reference import RulesetReference
from dsl.files.phrases import phrases_of
from dsl.files.ruleset import errata_of, variants_of
from interpreter import Game
from tools.base.home import followers, read_reference
from tools.base.loading import choose_language, load_game, members_of
from tools.shows.stand_ins import told


def info_command(ruleset: str, lang: str | None, as_json: bool) -> int:
    """Print what is known of a ruleset, in words or as JSON."""
    rules = read_reference(ruleset)
    game = load_game(rules)
    spoken = choose_language(game, lang)
    if as_json:
        print(json.dumps(as_data(rules, game, spoken), ensure_ascii=False, indent=2))
    else:
        print("\n".join(info_lines(rules, game, spoken)))
    return 0


def info_lines(rules: RulesetReference, game: Game, lang: str) -> Iterator[str]:
    say = phrases_of(lang, "info")
    found = as_data(rules, game, lang)
    yield found["title"]
    yield "  " + say("version", id=found["id"], n=found["version"])
    low, high = found["seats"]
    yield f"  {say('seats')}: {low if low == high else f'{low}..{high}'}"
    yield f"  {say('languages')}: {', '.join(found['languages'])}"
    if found["options"]:
        yield f"  {say('options')}:"
        yield from (f"    {name}: {', '.join(answers)}" for name, answers in found["options"].items())
    for key in ("presets", "variants", "errata", "follows", "followers"):
        if found[key]:
            yield f"  {say(key)}: {', '.join(found[key])}"
    if found["stand_ins"]:
        yield f"  {say('stand_ins')}:"
        for stand_in in found["stand_ins"].values():
            yield f"    {stand_in['told']}"
            yield f"      {say('files', files=', '.join(stand_in['files']))}"


def as_data(rules: RulesetReference, game: Game, lang: str) -> dict[str, Any]:
    """The same as plain data."""
    program = game.program
    return {
        "id": program.named,
        "version": program.version,
        "title": game.texts.title(lang),
        "seats": list(program.seats),
        "languages": list(program.languages),
        "options": {option.name: list(members_of(game, option.domain)) for option in program.options},
        "presets": list(program.presets),
        "variants": [path.stem for path in variants_of(rules.path)],
        "errata": [path.stem for path in errata_of(rules.path)],
        "follows": [name for name, _ in program.follows],
        "followers": followers(program.id),
        "stand_ins": {
            s.name: {"told": told(game, s, lang), "files": list(s.files), "left": s.left, "records": s.records}
            for s in program.stand_ins
        },
    }
