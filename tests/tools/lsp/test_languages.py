"""Titles in an editor: in the language of the settings or of the editor, be it a third one or one of the ruleset."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.spiel.extras import require
from tests.tools.conftest import CLAUSES, MANIFEST, RULES, lay_out
from tests.tools.lsp.client import ROOT, Client, Editor

require("pygls", "lsp")

NIM = ROOT / "rulesets" / "nim" / "game.rules"
ESPERANTO = """\
turn.title: La vico
Cause: {picked: plukitaj}
clause.LA-1: Oni prenas unu ĝis tri pomojn
clause.LA-2: Kiu prenas la lastan pomon, gajnas
"""
CARD = """
kind Tool
card ladder "Ladder": Tool
value ladders(): int = count(t in Tool: t is ladder)
"""


def hovered(client: Client, editor: Editor, words: str, inside: int = 1) -> str:
    answer: str = client.ask("textDocument/hover", editor.at(words, inside))["contents"]["value"]
    return answer


def clauses(client: Client, editor: Editor, prefix: str) -> dict[str, str]:
    """The clauses offered behind the beginning of one, with their titles."""
    editor.type(len(editor.text), f"\nvalue trial: int = 1  [{prefix}")
    at = editor.at(f"[{prefix}", 1 + len(prefix), editor.text.count(f"[{prefix}") - 1)
    return {item["label"]: item["detail"] for item in client.ask("textDocument/completion", at)["items"]}


def opened(client: Client, path: Path) -> Editor:
    editor = client.open(path)
    client.warm(editor)
    return editor


@pytest.mark.parametrize("lang, locale", [("fr", "ja"), ("", "fr-CA")], ids=["settings", "editor"])
def test_an_editor_speaks_a_third_language(lang: str, locale: str) -> None:
    """What the settings say goes before the language of the editor, of which a region is no obstacle."""
    with Client(ROOT, lang, locale) as client:
        rules = opened(client, NIM)
        assert "**NIM-5** Jeu normal : qui prend la dernière pierre gagne" in hovered(client, rules, "[NIM-4, NIM-5", 9)
        assert "**Pierres du tas 2**" in hovered(client, rules, "second_heap")
        assert "**pierres**" in hovered(client, rules, "heap_2.stones", 9)
        assert "**tas**" in hovered(client, rules, "kind Heap", 6)
        assert clauses(client, rules, "NIM-2")["NIM-2"] == "Deux joueurs jouent tour à tour jusqu'à la dernière pierre"


@pytest.fixture
def apples(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A ruleset with a language of its own that the tool does not speak; a card has no text in it."""
    files = {"ruleset.yaml": MANIFEST, "clauses.yaml": CLAUSES, "game.rules": RULES + CARD}
    texts = {"locale/eo.yaml": ESPERANTO, "locale/en.yaml": "Tool.ladder: a ladder\nturn.title: the turn\n"}
    lay_out({f"rulesets/last_apple/{name}": text for name, text in (files | texts).items()}, tmp_path, monkeypatch)
    return tmp_path / "rulesets" / "last_apple"


@pytest.fixture
def client(apples: Path) -> Iterator[Client]:
    with Client(apples.parents[1], "eo") as client:
        yield client


def test_a_language_of_the_ruleset_alone_is_spoken_text_by_text(client: Client, apples: Path) -> None:
    rules = opened(client, apples / "game.rules")
    assert "**La vico**" in hovered(client, rules, "do turn(p)", 3)
    assert "**plukitaj**" in hovered(client, rules, "as picked", 3)
    assert "**LA-2** Kiu prenas la lastan pomon, gajnas" in hovered(client, rules, "[LA-2]", 2)
    assert "**a ladder**" in hovered(client, rules, "t is ladder", 5), "which has no text in it"
    assert clauses(client, rules, "LA-") == {
        "LA-1": "Oni prenas unu ĝis tri pomojn",
        "LA-2": "Kiu prenas la lastan pomon, gajnas",
        "LA-3": "The loser eats the basket",
    }
