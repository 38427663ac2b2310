"""The language server over its protocol, on the largest ruleset of the repository."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.spiel.extras import require
from tests.tools.lsp.client import ROOT, Client, Editor, Failed, applied

require("pygls", "lsp")

GAME = ROOT / "rulesets" / "dominant_species"
CARDS = ROOT / "cards" / "dominant_species"
VALUES = GAME / "values.rules"


@pytest.fixture(scope="module")
def client() -> Iterator[Client]:
    with Client(ROOT) as client:
        values = client.open(VALUES)
        client.warm(values)
        values.close()
        yield client


@pytest.fixture
def values(client: Client) -> Iterator[Editor]:
    editor = client.open(VALUES)
    yield editor
    editor.close()


@pytest.fixture
def cards(client: Client) -> Iterator[Editor]:
    editor = client.open(CARDS / "dominance.cards")
    yield editor
    editor.close()


def places(found: list[dict[str, Any]]) -> set[str]:
    """Locations as file:line, the line counted from 1."""
    return {f"{Path(x['uri']).name}:{x['range']['start']['line'] + 1}" for x in found}


def lines_with(path: Path, word: str) -> set[str]:
    text = path.read_text(encoding="utf-8")
    return {f"{path.name}:{n}" for n, line in enumerate(text.split("\n"), 1) if word in line}


def labels(client: Client, at: dict[str, Any]) -> list[str]:
    return [item["label"] for item in client.ask("textDocument/completion", at)["items"]]


# ---------------------------------------------------------------- messages


def test_messages_come_while_a_text_is_typed(client: Client, values: Editor) -> None:
    offset = values.text.index("need(a, e) * supply")
    values.type(offset, "needs", 4)
    (found,) = values.wait(bool)
    assert values.words(found["range"]) == "needs"
    assert found["severity"] == 1 and found["code"] == "RW0206"
    assert found["message"] == "unknown value `needs`\ndid you mean `need`?"
    values.type(offset, "need", 5)
    values.wait(lambda found: not found)


def test_a_buffer_that_is_not_saved_counts_in_other_files(client: Client, values: Editor, cards: Editor) -> None:
    values.type(values.text.index("shared_tiles(a: "), "common", 6)
    found = cards.wait(bool)
    assert {cards.words(d["range"]) for d in found} == {"shared_tiles"}
    assert "unknown value `shared_tiles`" in found[0]["message"]
    values.close()
    cards.wait(lambda found: not found)


def test_messages_about_rulings_come_when_it_is_quiet(client: Client) -> None:
    ruling = client.open(GAME / "rulings" / "matching.ruling")
    offset = ruling.text.index("given std6")
    ruling.type(offset, "given std7", len("given std6"))
    found = ruling.wait(bool)
    assert "`std7`" in found[0]["message"]
    ruling.close()
    ruling.wait(lambda found: not found)


def test_a_broken_line_leaves_the_rest_to_be_answered(client: Client, values: Editor) -> None:
    values.type(values.text.index("value elements("), "value )broken( = [\n")
    values.wait(bool)
    found = client.ask("textDocument/definition", values.at("need(a, e) * supply", nth=0))
    assert len(places(found)) == 1 and found[0]["uri"] == values.uri


def test_a_file_outside_of_every_ruleset_is_read_on_its_own(client: Client, tmp_path: Path) -> None:
    stray = client.open(tmp_path / "stray.rules", "value one: int = 1\nvalue two: int = (one + 1\n")
    found = stray.wait(bool)
    assert [d["range"]["start"]["line"] for d in found] == [1]
    (place,) = client.ask("textDocument/definition", stray.at("one + 1"))  # in the line that does not read
    assert place["uri"] == stray.uri and stray.words(place["range"]) == "one"
    stray.change("value one: int = 1\n")
    stray.wait(lambda found: not found)


def test_a_text_that_is_no_file_of_rules_is_left_alone(client: Client, tmp_path: Path) -> None:
    note = client.open(tmp_path / "note.txt", "value (((")
    assert client.ask("textDocument/hover", note.at("value")) is None
    assert note.found == []


def test_a_file_of_an_overlay_is_checked_over_its_ruleset(client: Client, cards: Editor) -> None:
    errata = client.open(CARDS / "errata" / "catastrophe_printed" / "catastrophe_printed.errata")
    offset = errata.text.index("catastrophe.adjacent")
    errata.type(offset, "catastrophe.adjacend", len("catastrophe.adjacent"))
    (found,) = errata.wait(bool)
    assert "there is no `catastrophe.adjacend`" in found["message"]
    errata.type(offset, "catastrophe.adjacent", len("catastrophe.adjacend"))
    errata.wait(lambda found: not found)
    cards.type(cards.text.index("near(x) where total(h.cubes) > 0") + len("near(x) where total(h.cubes) > "), "1", 1)
    (found,) = errata.wait(bool)
    assert "is not what this patch was written for" in found["message"]  # a change of the base counts too
    errata.close()
    errata.wait(lambda found: not found)


def test_files_that_change_on_disk_are_read_again(client: Client, tmp_path: Path) -> None:
    home = tmp_path / "rulesets" / "nim"
    shutil.copytree(ROOT / "rulesets" / "nim", home)
    game = client.open(next(home.glob("*.rules")))
    extra = home / "extra.rules"
    extra.write_text("value spare: int = nothing_of_this_name\n", encoding="utf-8")
    client.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": extra.as_uri(), "type": 1}]})
    client.until(lambda: client.diagnostics.get(extra.as_uri()), "messages about a new file")
    assert "nothing_of_this_name" in client.diagnostics[extra.as_uri()][0]["message"]
    extra.unlink()
    client.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": extra.as_uri(), "type": 3}]})
    client.until(lambda: not client.diagnostics[extra.as_uri()], "no messages about a file that is gone")
    game.close()


# ---------------------------------------------------------------- hover


def test_hover_tells_signature_and_clauses(client: Client, values: Editor) -> None:
    answer = client.ask("textDocument/hover", values.at("match(a, h) > 0"))
    assert "value match(a: Animal, h: Hex): int" in answer["contents"]["value"]
    assert "How matching elements are counted" in answer["contents"]["value"]
    assert values.words(answer["range"]) == "match"


@pytest.mark.parametrize(
    "words, answer",
    [
        ("h in earth where h.cubes[a] > 0)", "h: Hex"),  # bound by a fold over a set of tiles' places
        ("a is b else 0", "a: Animal"),  # of a loop
        ("shore where gene_pool", "shore: set of Hex"),  # of a `let`
        ("n cube[you] from gene_pool to h", "n: "),  # of a choice of a number
    ],
)
def test_hover_tells_the_type_of_a_local_name(
    client: Client, values: Editor, cards: Editor, words: str, answer: str
) -> None:
    editor = values if words in values.text else cards
    assert answer in client.ask("textDocument/hover", editor.at(words, 0))["contents"]["value"]


def test_hover_on_a_clause_tells_its_title(client: Client, values: Editor) -> None:
    answer = client.ask("textDocument/hover", values.at("[DS-3.4]", 2))
    title = (GAME / "clauses.yaml").read_text(encoding="utf-8").split("DS-3.4: {title: ")[1].split('"')[1]
    assert title in answer["contents"]["value"]
    assert values.words(answer["range"]) == "DS-3.4"


def test_hover_on_a_card_shows_its_text(client: Client) -> None:
    ruling = client.open(GAME / "rulings" / "cards_a_to_d.ruling")
    answer = client.ask("textDocument/hover", ruling.at("card_row: biodiversity", len("card_row: b")))["contents"][
        "value"
    ]
    assert "**Biodiversity**" in answer and "gain shared_tiles(you) vp as card_effect" in answer
    ruling.close()


def test_titles_come_in_the_chosen_language() -> None:
    with Client(ROOT, lang="ja") as client:
        values = client.open(VALUES)
        client.warm(values)
        answer = client.ask("textDocument/hover", values.at("tundra if h.ice"))
        assert "**ツンドラ**" in answer["contents"]["value"]


# ---------------------------------------------------------------- definitions and uses


@pytest.mark.parametrize(
    "words, inside, file, line",
    [
        ("need(a, e) * supply", 0, "values.rules", "value need("),
        ("h.cubes[a] > 0 and match", 3, "state.rules", "    zone cubes: cube"),
        ("terrain(h) is sea", 0, "values.rules", "value terrain("),
        ("a.printed[e]", 3, "state.rules", "    const printed:"),
        ("tundra if h.ice", 1, "tiles.yaml", "  tundra:"),
        ("dominance_claims is manual", 2, "state.rules", "option dominance_claims"),
        ("[DS-4.8", 3, "clauses.yaml", "DS-4.8:"),
    ],
)
def test_definitions(
    client: Client, values: Editor, cards: Editor, words: str, inside: int, file: str, line: str
) -> None:
    editor = values if words in values.text else cards
    found = client.ask("textDocument/definition", editor.at(words, inside))
    path = next(p for p in GAME.rglob(file))
    assert places(found) == {p for p in lines_with(path, line)} and len(found) == 1


def test_a_parameter_is_defined_in_its_head(client: Client, values: Editor) -> None:
    (found,) = client.ask("textDocument/definition", values.at("need(a, e) * supply(h, e)", 5))
    assert values.words(found["range"]) == "a"
    assert values.text.split("\n")[found["range"]["start"]["line"]].startswith("value match(")


def test_uses_are_found_in_all_files(client: Client, values: Editor) -> None:
    at = {**values.at("value overcrowded(", 8), "context": {"includeDeclaration": False}}
    expected = {
        place
        for path in [*GAME.rglob("*.rul*"), *CARDS.glob("*.cards")]
        for place in lines_with(path, "overcrowded(")
        if not any(place == p for p in lines_with(VALUES, "value overcrowded("))
    }
    assert "dominance.cards" in {p.split(":")[0] for p in expected}
    assert places(client.ask("textDocument/references", at)) == expected


def test_fields_of_one_name_are_told_apart_by_type(client: Client) -> None:
    """`terrain` is a constant of a tile and a value of a hex."""
    state = client.open(GAME / "state.rules")
    at = {**state.at("const terrain: Terrain", 7), "context": {"includeDeclaration": True}}
    found = places(client.ask("textDocument/references", at))
    assert lines_with(VALUES, "h.tile.terrain") <= found
    assert not lines_with(VALUES, "terrain(h) is sea") & found
    state.close()


# ---------------------------------------------------------------- completion


def test_completion_offers_names_in_scope_and_no_others(client: Client, values: Editor) -> None:
    text = "procedure trial(a: Animal)\n    for every h in homes(a)\n        let much = 1\n    \n"
    values.type(0, text)
    offset = values.text.index("    \n") + 4
    values.type(offset, "set a.player to ")
    found = labels(client, values.at("set a.player to ", len("set a.player to ")))
    assert {"a", "earth", "Animal", "grass", "sum"} <= set(found)
    assert "h" not in found and "much" not in found  # they live in the loop above


def test_completion_behind_a_dot_offers_what_the_thing_has(client: Client, values: Editor) -> None:
    values.type(values.text.index("value need("), "value trial(x: Hex): int = x.\n")
    found = labels(client, values.at("int = x.\n", len("int = x.")))
    assert {"cubes", "tile", "ice", "corners", "next", "terrain"} <= set(found)
    assert not {"vp", "player", "animals"} & set(found)


def test_completion_follows_a_chain(client: Client, values: Editor) -> None:
    values.type(values.text.index("value need("), "value trial(x: Hex): int = x.tile.terrain.\n")
    found = labels(client, values.at("x.tile.terrain.\n", len("x.tile.terrain.")))
    assert {"prizes", "most_cubes"} <= set(found) and "cubes" not in found


def test_completion_offers_the_rows_of_a_card(client: Client) -> None:
    folder = ROOT / "cards" / "love_letter"
    cards = client.open(folder / "characters.cards")
    cards.wait(lambda found: True)
    names = [line for line in cards.text.split("\n") if line.startswith("card ")]
    kind = names[0].rsplit(":")[1].split()[0]
    declared = next((ROOT / "rulesets" / "love_letter").rglob("*.rules")).parent
    consts = {
        line.split()[1].rstrip(":")
        for path in declared.glob("*.rules")
        for part in path.read_text(encoding="utf-8").split("\nkind ")
        if part.startswith(kind)
        for line in part.split("\n\n")[0].split("\n")
        if line.startswith("    const")
    }
    assert consts
    offset = len(cards.text)
    cards.type(offset, f"\ncard trial: {kind}\n    \n")
    cards.wait(bool)
    assert consts <= set(labels(client, cards.at("card trial", len(f"card trial: {kind}\n    "))))
    cards.close()


def test_completion_of_routines_causes_and_clauses(client: Client, cards: Editor) -> None:
    cards.type(len(cards.text), "\nprocedure trial(a: Animal)\n    do ca\n    gain 1 vp by a as \n")
    assert "carry_out" in labels(client, cards.at("    do ca", 9))
    causes = labels(client, cards.at("by a as \n", len("by a as ")))
    assert "card_effect" in causes and "carry_out" not in causes
    cards.type(len(cards.text), "value one: int = 1 [DS-4.")
    found = labels(client, cards.at("= 1 [DS-4.", len("= 1 [DS-4.")))
    assert "DS-4.1" in found and "DS-3.1" not in found


# ---------------------------------------------------------------- rename


def changed(reply: dict[str, Any]) -> dict[str, str]:
    """File name -> text after a rename; files of one name are joined."""
    found: dict[str, str] = {}
    for uri, edits in reply["changes"].items():
        path = Path(uri.removeprefix("file://"))
        found[path.name] = found.get(path.name, "") + applied(path.read_text(encoding="utf-8"), edits)
    return found


def test_rename_of_a_value_reaches_rules_cards_hints_and_overlays(client: Client, values: Editor) -> None:
    reply = client.ask("textDocument/rename", {**values.at("value animals:", 6), "newName": "beasts"})
    after = changed(reply)
    assert "value beasts: set of Animal" in after["values.rules"]
    assert "for every a in beasts: do adjust(a)" in after["dominance.cards"]
    assert "data/animals.yaml" not in after.get("state.rules", "")  # a path is no use of it
    assert "every(a in beasts: gene_pool[a] is 0" in after["domination_printed.errata"]
    # the printed Catastrophe replaces a line that names the value, so what it was written for has changed with it
    assert 'was "d53a16"' not in after["catastrophe_printed.errata"]


def test_rename_of_an_id_reaches_data_and_texts(client: Client) -> None:
    tiles = client.open(GAME / "data" / "tiles.yaml")
    after = changed(client.ask("textDocument/rename", {**tiles.at("sea_1:", 1), "newName": "ocean_1"}))
    assert "ocean_1: sea" in after["ja.yaml"] or "ocean_1: 海" in after["ja.yaml"]
    assert "start_tile: ocean_1" in after["board.yaml"]
    assert "ocean_1" in after["tiles.yaml"] and "sea_1:" not in after["tiles.yaml"]
    tiles.close()


def test_rename_of_a_choice_reaches_the_keys_of_its_texts(client: Client) -> None:
    adaptation = client.open(GAME / "actions" / "adaptation.rules")
    reply = client.ask("textDocument/rename", {**adaptation.at("choose e in", 7), "newName": "sort"})
    after = changed(reply)
    assert "choose sort in adaptation_box" in after["adaptation.rules"]
    assert "move 1 disc[sort] from" in after["adaptation.rules"]
    assert "{actor} adapt to {sort}" in after["en.yaml"]
    adaptation.close()


@pytest.mark.parametrize(
    "words, new, reason",
    [
        ("value animals:", "earth", "`earth` is taken"),
        ("value animals:", "where", "a word of the language"),
        ("value animals:", "two words", "is no name"),
        ("value terrain(h: Hex)", "a-b", "is no name"),
    ],
)
def test_rename_refuses_what_would_clash(client: Client, values: Editor, words: str, new: str, reason: str) -> None:
    with pytest.raises(Failed, match=reason):
        client.ask("textDocument/rename", {**values.at(words, 6), "newName": new})


def test_rename_refuses_to_capture(client: Client, values: Editor) -> None:
    """A value that is read where `h` is bound would be hidden by it."""
    with pytest.raises(Failed, match="`h` is taken"):
        client.ask("textDocument/rename", {**values.at("value animals:", 6), "newName": "h"})


def test_rename_refuses_while_there_are_errors(client: Client, values: Editor) -> None:
    values.type(0, "value wrong: int = missing\n")
    with pytest.raises(Failed, match="fix the errors first"):
        client.ask("textDocument/rename", {**values.at("value animals:", 6), "newName": "beasts"})


def test_what_no_text_declares_is_not_renamed(client: Client) -> None:
    ruling = client.open(GAME / "rulings" / "initiative.ruling")
    with pytest.raises(Failed, match="nothing that this ruleset declares"):
        client.ask("textDocument/prepareRename", ruling.at("    expect", 5))
    ruling.close()


# ---------------------------------------------------------------- format and fixes


def test_format_sets_the_text_in_its_layout(client: Client, values: Editor) -> None:
    before = values.text
    values.change(before.replace("value need(a: Animal, e: Element): int", "value  need( a:Animal,e : Element ):  int"))
    document = {"textDocument": {"uri": values.uri}, "options": {"tabSize": 4, "insertSpaces": True}}
    edits = client.ask("textDocument/formatting", document)
    assert len(edits) == 1  # only the line that was set otherwise
    assert applied(values.text, edits) == before
    values.change(before + "value (\n")
    assert client.ask("textDocument/formatting", document) == []


def test_a_message_with_a_fix_offers_it(client: Client, values: Editor) -> None:
    values.type(values.text.index("shared_tiles(a: "), "shared_tile(a: Animal): int = 0\nvalue ")
    values.type(len(values.text), "\nvalue trial: int = size(animalz)\n")
    found = values.wait(lambda found: any("animalz" in d["message"] for d in found))
    message = next(d for d in found if "animalz" in d["message"])
    asked = {"textDocument": {"uri": values.uri}, "range": message["range"], "context": {"diagnostics": [message]}}
    (action,) = client.ask("textDocument/codeAction", asked)
    assert action["title"] == "Replace `animalz` by `animals`" and action["diagnostics"] == [message]
    after = applied(values.text, action["edit"]["changes"][values.uri])
    assert "size(animals)" in after and "animalz" not in after


# ---------------------------------------------------------------- the protocol


def test_columns_are_counted_in_utf_16(client: Client, cards: Editor) -> None:
    """Signs of one unit (魚) and of two (🐟) stand before the names on their line."""
    start = cards.text.index("card biodiversity")
    cards.type(start, 'card trial "魚🐟が住む": DominanceKard\n    effect: gain 1 vp as card_effect\n\n')
    found = cards.wait(lambda found: any("DominanceKard" in d["message"] for d in found))
    message = next(d for d in found if "DominanceKard" in d["message"])
    assert cards.words(message["range"]) == "DominanceKard"
    asked = {"textDocument": {"uri": cards.uri}, "range": message["range"], "context": {"diagnostics": [message]}}
    (action,) = client.ask("textDocument/codeAction", asked)
    (edit,) = action["edit"]["changes"][cards.uri]
    line = applied(cards.text, [edit]).split("\n")[cards.text[:start].count("\n")]
    assert line == 'card trial "魚🐟が住む": DominanceCard'
    cards.type(cards.text.index("DominanceKard"), "DominanceCard", len("DominanceKard"))
    answer = client.ask("textDocument/hover", cards.at('む": DominanceCard', 6))
    assert cards.words(answer["range"]) == "DominanceCard" and "kind DominanceCard" in answer["contents"]["value"]


def test_a_cancelled_request_is_answered_and_others_go_on(client: Client, values: Editor) -> None:
    slow = client.begin("textDocument/rename", {**values.at("value match(", 6), "newName": "fitness"})
    client.notify("$/cancelRequest", {"id": slow})
    answer = client.ask("textDocument/hover", values.at("value need(", 6))
    assert "value need(" in answer["contents"]["value"]
    reply = client.reply(slow)
    assert "error" in reply or "changes" in reply["result"]


def test_requests_about_nothing_are_answered(client: Client, values: Editor) -> None:
    nowhere = {"textDocument": {"uri": values.uri}, "position": {"line": 100_000, "character": 99}}
    assert client.ask("textDocument/hover", nowhere) is None
    assert client.ask("textDocument/definition", nowhere) == []
    with pytest.raises(Failed, match="not found|[Mm]ethod"):
        client.ask("textDocument/nonsense", {})


def test_the_server_ends_when_it_is_told_to() -> None:
    with Client(ROOT) as client:
        client.open(VALUES)
        assert client.ask("shutdown", None) is None
        client.notify("exit", None)
        assert client.process.wait(20) == 0
        assert not [line for line in client.logged if "rror" in line]


# ---------------------------------------------------------------- speed


def worked(client: Client) -> float:
    """Seconds that the processor has worked for the server, where the system tells it."""
    stat = Path(f"/proc/{client.process.pid}/stat")
    parts = stat.read_text().rpartition(")")[2].split() if stat.is_file() else ["0"] * 13
    return (int(parts[11]) + int(parts[12])) / os.sysconf("SC_CLK_TCK")


@pytest.mark.soak
def test_speed(capsys: pytest.CaptureFixture[str]) -> None:
    """Figures, printed: from a keystroke to an answer, and to the message that it leads to."""
    with Client(ROOT) as client:
        values = client.open(VALUES)
        client.warm(values)
        answers, messages, before = [], [], worked(client)
        for _ in range(20):
            offset = values.text.index("value need(")
            begun = time.perf_counter()
            values.type(offset, "value trial: int = nothin\n")
            client.ask("textDocument/hover", values.at("match(a, h) > 0"))
            answers.append(time.perf_counter() - begun)
            values.wait(lambda found: any("nothin" in d["message"] for d in found))
            messages.append(time.perf_counter() - begun)
            values.type(offset, "", len("value trial: int = nothin\n"))
            values.wait(lambda found: not found)
        per_key = 1000 * (worked(client) - before) / (2 * len(messages))
        with capsys.disabled():
            print(f"\nlanguage server, work for a keystroke, checks of rulings included: {per_key:.0f} ms", end="")
            for what, times in (("answer", answers), ("message", messages)):
                times.sort()
                middle, late = (round(1000 * times[n]) for n in (len(times) // 2, -2))
                print(f"\nlanguage server, keystroke to {what}: median {middle} ms, 95 % {late} ms", end="")
    assert len(messages) == 20
