"""The extension folder for VS Code: its files are whole, its grammar knows the language and colours a text with it."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from dsl.files.ruleset import RULES
from dsl.syntax.vocabulary import CLASSES, RETIRED_VERBS
from tools.lsp.textmate import PATH, grammar, grammar_text

FOLDER = PATH.parents[1]

SAMPLE = """\
# a comment with value in it
kind Crate from "data/crates.yaml"
    const fruit: set of Fruit
value best(p: Seat): int = sum(c in Crate where c.owner is p: 2 * worth(c)) at least 0   [AB-4.1, AB-5]
procedure pick(a: Helper)
    for every c in crates where c.fruit > 0: do empty(c)
    else if true
    choose number n in 0..3 by a or decline
    move 1 apple from tree to a.basket as picked
    turn: 3
card feast "Feast of from": Dish
    effect: gain 2 coin
"""


def scopes(line: str) -> dict[str, str]:
    """Word -> scope, as an editor colours a line: at each place the pattern that begins first, then the first one."""
    patterns = grammar()["patterns"]
    found: dict[str, str] = {}
    at = 0
    while True:
        hits = [(m.start(), n, m) for n, p in enumerate(patterns) if (m := re.compile(p["match"]).search(line, at))]
        hits = [hit for hit in hits if hit[2].end() > hit[2].start()]
        if not hits:
            return found
        _, number, match = min(hits, key=lambda hit: hit[:2])
        pattern = patterns[number]
        if "name" in pattern:
            found[match.group()] = pattern["name"].removesuffix(".rulewright")
        for group, scope in pattern.get("captures", {}).items():
            found[match.group(int(group))] = scope["name"].removesuffix(".rulewright")
        at = match.end()


def of(part: str) -> dict[str, str]:
    (line,) = (line for line in SAMPLE.split("\n") if part in line)
    return scopes(line)


def test_the_grammar_is_the_one_of_the_language() -> None:
    assert PATH.read_text(encoding="utf-8") == grammar_text(), "run `python -m tools.lsp.textmate`"


@pytest.mark.parametrize("word", sorted(CLASSES.keys() - RETIRED_VERBS.keys()))
def test_every_word_is_coloured(word: str) -> None:
    """Where it stands at the beginning of a line, or behind a name, or before a bracket."""
    ways = (scopes(f"{word} thing"), scopes(f"x {word} thing"), scopes(f"x {word}(thing)"), scopes(word))
    assert any(word in way and not way[word].startswith(("entity", "constant.numeric")) for way in ways)


def test_words_are_coloured_by_what_they_do() -> None:
    assert of("# a comment") == {"# a comment with value in it": "comment.line.number-sign"}
    kind = of("kind Crate")
    assert (kind["kind"], kind["Crate"], kind["from"]) == ("storage.type", "entity.name.function", "keyword.other")
    assert kind['"data/crates.yaml"'] == "string.quoted.double"
    assert of("set of")["set of"] == "storage.type"
    value = of("value best")
    assert value["best"] == "entity.name.function" and value["sum"] == "support.function"
    assert value["where"] == "keyword.other" and value["at least"] == "keyword.other"
    assert value["is"] == "keyword.operator.word" and value["2"] == "constant.numeric"
    assert value["[AB-4.1, AB-5]"] == "markup.underline.link"
    loop = of("for every")
    assert (loop["for every"], loop["do"]) == ("keyword.control", "keyword.control")
    assert of("else if")["else if"] == "keyword.control" and of("else if")["true"] == "constant.language"
    choice = of("choose number")
    assert choice["choose number"] == "keyword.control" and choice["or decline"] == "keyword.other"
    assert of("move 1")["as"] == "keyword.other"
    assert "feast" in of("card feast") and "from" not in of("card feast")  # within the title
    assert of("effect:")["effect"] == "keyword.control"


def test_a_name_is_no_word() -> None:
    assert "owner" not in scopes("x = c.owner")  # a field
    assert "into" not in scopes("x = into") and "to" not in scopes("x = into")


def test_the_files_of_the_extension_fit_together() -> None:
    manifest: Any = json.loads((FOLDER / "package.json").read_text(encoding="utf-8"))
    (language,) = manifest["contributes"]["languages"]
    (colours,) = manifest["contributes"]["grammars"]
    assert set(language["extensions"]) == set(RULES)
    assert colours["language"] == language["id"] == "rulewright"
    assert colours["scopeName"] == grammar()["scopeName"]
    for place in (manifest["main"], language["configuration"], colours["path"]):
        assert (FOLDER / place).is_file(), place
    assert "vscode-languageclient" in manifest["dependencies"]


def test_indentation_follows_the_lines_that_have_a_block() -> None:
    configuration: Any = json.loads((FOLDER / "language-configuration.json").read_text(encoding="utf-8"))
    deeper = re.compile(configuration["indentationRules"]["increaseIndentPattern"])
    assert deeper.match("    for every c in crates") and deeper.match("phase game")
    assert not deeper.match("    for every c in crates: do empty(c)") and not deeper.match("    gain 1 coin")


def test_the_folder_says_how_to_install_it() -> None:
    readme = (FOLDER / "README.md").read_text(encoding="utf-8")
    (page,) = re.findall(r"`(docs/[^`]*\.md)`", readme)
    assert (FOLDER.parents[1] / page).is_file()
    assert "npm install" in readme
