"""Outline, symbols, folding and the meaning of names, over the protocol on the largest ruleset."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.spiel.extras import require
from tests.tools.lsp.client import ROOT, Client, Editor

require("pygls", "lsp")

GAME = ROOT / "rulesets" / "dominant_species"
STATE = GAME / "state.rules"
CARDS = ROOT / "cards" / "dominant_species" / "dominance.cards"


@pytest.fixture(scope="module")
def client() -> Iterator[Client]:
    with Client(ROOT) as client:
        state = client.open(STATE)
        client.warm(state)
        yield client


@pytest.fixture
def cards(client: Client) -> Iterator[Editor]:
    editor = client.open(CARDS)
    yield editor
    editor.close()


def document(editor: Editor) -> dict[str, Any]:
    return {"textDocument": {"uri": editor.uri}}


@pytest.mark.parametrize("line", ["gain you.", "gain 2 * you.", "if you.", "set you.", "gain size(you."])
def test_completion_behind_you_offers_what_the_actor_has(client: Client, cards: Editor, line: str) -> None:
    row = f"\ncard trial: DominanceCard\n    effect\n        {line}\n"
    cards.type(len(cards.text), row)
    at = cards.at(line, len(line), cards.text.count(line) - 1)
    found = {item["label"] for item in client.ask("textDocument/completion", at)["items"]}
    assert {"player", "elements"} <= found and "terrain" not in found


def test_completion_behind_given_offers_the_positions(client: Client) -> None:
    rulings = next(
        path for path in sorted((GAME / "rulings").glob("*.ruling")) if "position " in path.read_text("utf-8")
    )
    editor = client.open(rulings)
    editor.type(len(editor.text), "\nruling trial\n    given \n")
    at = editor.at("    given \n", 10, editor.text.count("    given \n") - 1)
    found = {item["label"] for item in client.ask("textDocument/completion", at)["items"]}
    position = editor.text.partition("position ")[2].split()[0].rstrip(":")
    assert position in found and not {"sum", "cube", "A1"} & found
    editor.close()


def test_the_outline_has_declarations_and_what_stands_below_them(client: Client, cards: Editor) -> None:
    found = client.ask("textDocument/documentSymbol", document(cards))
    first = next(symbol for symbol in found if symbol["name"] == "biodiversity")
    assert first["detail"] == "card Biodiversity" and cards.words(first["selectionRange"]) == "biodiversity"
    state = client.open(STATE)
    found = {s["name"]: s for s in client.ask("textDocument/documentSymbol", document(state))}
    animal = found["Animal"]
    assert "printed" in {part["name"] for part in animal["children"]}
    assert state.words(animal["range"]).startswith("kind Animal")


def test_symbols_are_found_by_some_of_their_letters(client: Client) -> None:
    found = client.ask("workspace/symbol", {"query": "bdvrsty"})
    (one,) = [s for s in found if s["name"] == "biodiversity"]
    assert one["location"]["uri"] == CARDS.as_uri()
    assert client.ask("workspace/symbol", {"query": "zzzz"}) == []
    assert len(client.ask("workspace/symbol", {"query": ""})) == 500


def test_blocks_and_comments_fold(client: Client) -> None:
    editor = client.open(STATE, "# one\n# two\nkind A: 3\n    field b: int\n\n    field c: int\nkind D: 2\n")
    found = client.ask("textDocument/foldingRange", document(editor))
    assert [(f["startLine"], f["endLine"], f.get("kind")) for f in found] == [(0, 1, "comment"), (2, 5, None)]
    client.open(STATE)


def test_names_are_coloured_by_what_they_are(client: Client, cards: Editor) -> None:
    from tools.lsp.overview import TYPES

    found = client.ask("textDocument/semanticTokens/full", document(cards))["data"]
    lines, line, column, kinds = cards.text.split("\n"), 0, 0, {}
    for down, right, length, kind, declared in zip(*(iter(found),) * 5, strict=True):
        line, column = line + down, right + (column if down == 0 else 0)
        kinds[lines[line][column : column + length], declared] = TYPES[kind]
    assert kinds["biodiversity", 1] == "enumMember"
    assert kinds["shared_tiles", 0] == "function"
    assert kinds["vp", 0] == "struct" and kinds["DominanceCard", 0] == "class"
    assert not {"gain", "effect", "you"} & {word for word, _ in kinds}
