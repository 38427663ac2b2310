"""Texts for players that the checker does not ask for: what a card does, in both languages, and titles of actions."""

from __future__ import annotations

import pytest

from dsl.syntax import nodes as sx
from dsl.syntax.parser import parse_file
from interpreter.rules.rules import Rules
from tests.conformance.tables import ROOT, RULESETS, Table, for_each, load

GAME = "through_the_ages"


def cards_with_rules() -> list[sx.Decl]:
    """Cards that say more than rows of figures."""
    found = []
    for file in sorted((ROOT / "cards" / GAME).glob("*.cards")):
        tree, wrong = parse_file(str(file), file.read_text(encoding="utf-8"))
        assert not wrong
        cards = [line for line in tree.lines if isinstance(line, sx.Decl) and line.word == "card"]
        found += [card for card in cards if any(not isinstance(line, sx.Row) for line in card.block)]
    return found


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_every_card_with_rules_has_a_text(lang: str) -> None:
    program = load(f"rulesets/{GAME}").program
    cards = cards_with_rules()
    assert len(cards) > 100
    kinds = {card.name: program.cards[card.name] for card in cards}
    bare = [name for name, kind in kinds.items() if f"{kind}.{name}.text" not in program.texts[lang]]
    assert bare == []


def test_no_text_is_left_in_english() -> None:
    """A Japanese text has Japanese letters, unless it is a figure, a letter, what was chosen or nothing."""
    texts = load(f"rulesets/{GAME}").program.texts["ja"]
    foreign = {k: v for k, v in texts.items() if v.isascii() and len(v) > 3 and not v.startswith("{")}
    assert foreign == {}


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_every_action_of_a_menu_has_a_title(lang: str) -> None:
    """Without it the options of the menu would stand in one long list."""
    program = load(f"rulesets/{GAME}").program
    menus = [s for s in program.sites if s.address in ("work.doing", "politics.first_action.political")]
    assert len(menus) == 2
    names = {a.name for site in menus for a in site.alternatives}
    assert {n for n in names if f"{n}.title" not in program.texts[lang]} == set()


def test_clauses_have_japanese_titles() -> None:
    texts = load(f"rulesets/{GAME}").texts
    clauses = load(f"rulesets/{GAME}").program.clauses
    assert [c for c in clauses if texts.clause("ja", c) == texts.clause("en", c)] == []
    assert texts.clause("en", "TTA-14.4") == "Corruption" and texts.clause("ja", "TTA-14.4") == "腐敗"
    assert texts.clause("ja", "TTA-99.9") == ""


def parts_of(game: Rules, kind: str) -> dict[str, str]:
    """The constants, fields and zones of a kind, which `info` shows: symbol -> name."""
    names = [const.partition(".")[2] for const in game.program.consts if const.startswith(f"{kind}.")]
    shapes = game.shapes.get(kind, {})
    names += [name for name, entry in shapes.items() if entry.sort != "place"]
    return {shapes[name].symbol if name in shapes else f"{kind}.{name}": name for name in names}


# The others are small on purpose: test games, and that of the tutorial.
@for_each(t for t in RULESETS if not t.small and t.game.program.id != "tic_tac_toe")
def test_what_is_shown_of_a_thing_has_a_name_in_every_language(table: Table) -> None:
    program = table.game.program
    for lang, texts in program.texts.items():
        kinds = list(dict.fromkeys(program.thing_kinds[1:]))
        assert [kind for kind in kinds if not texts.keys() & {f"kind.{kind}", kind}] == [], lang
        parts = {symbol: name for kind in kinds for symbol, name in parts_of(table.game, kind).items()}
        assert [symbol for symbol, name in parts.items() if not texts.keys() & {symbol, name}] == [], lang
