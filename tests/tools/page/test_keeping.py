"""Games that a page saves as a link or a file and opens again, and its keys."""

from __future__ import annotations

import json
import zlib
from base64 import urlsafe_b64decode, urlsafe_b64encode
from pathlib import Path
from typing import Any

import pytest

from interpreter import load
from tests.tools.page.test_page import begin

pytestmark = pytest.mark.browser


def packed(value: Any) -> str:
    return urlsafe_b64encode(zlib.compress(json.dumps(value).encode())).decode().rstrip("=")


def unpacked(text: str) -> Any:
    return json.loads(zlib.decompress(urlsafe_b64decode(text + "=" * (-len(text) % 4))))


def open_text(page: Any, text: str) -> None:
    page.locator("#setup").evaluate("(e) => { e.open = true; }")
    page.locator("#opening").evaluate("(e) => { e.open = true; }")
    page.fill("#saved-text", text)
    page.click("#open")


def save(page: Any) -> str:
    page.click("#save")
    page.wait_for_selector("#link")
    return str(page.get_attribute("#link", "href"))


def test_number_keys_give_answers(page_of: Any) -> None:
    page = page_of("tic_tac_toe").page
    begin(page, people="12")
    second = page.locator("[data-option]").nth(1).inner_text()
    page.keyboard.press("2")
    assert page.locator("#log li").count() == 1
    assert second not in page.locator("[data-option]").all_inner_texts()
    page.keyboard.press("Control+3")
    page.keyboard.press("9")  # eight are left
    assert page.locator("#log li").count() == 1
    page.locator("#setup").evaluate("(e) => { e.open = true; }")
    page.focus("#new-seed")
    page.keyboard.press("1")
    assert page.locator("#log li").count() == 1


@pytest.mark.parametrize("ruleset", ["love_letter", "goofspiel", "dominant_species"])
def test_a_link_opens_the_game_again(page_of: Any, ruleset: str) -> None:
    page = page_of(ruleset).page
    begin(page, people="1")
    for _ in range(4):
        page.wait_for_selector("[data-option]")
        page.keyboard.press("1")
    page.wait_for_selector("[data-option]")
    digest, log, link = page.inner_text("#digest"), page.inner_text("#log"), save(page)
    again = page_of(ruleset)
    again.page.goto(link)
    again.page.reload()
    again.page.wait_for_selector("#digest")
    assert again.page.inner_text("#digest") == digest and again.page.inner_text("#log") == log
    assert again.page.input_value("#view") == "follow" and again.page.locator("[data-option]").count() > 0
    again.page.keyboard.press("u")
    assert again.page.inner_text("#digest") != digest
    assert again.said == []


def test_a_file_opens_the_game_again(page_of: Any, tmp_path: Path) -> None:
    page = page_of("tic_tac_toe").page
    begin(page, people="12")
    for key in "135":
        page.keyboard.press(key)
    digest = page.inner_text("#digest")
    page.click("#save")
    with page.expect_download() as found:
        page.click("#file")
    target = tmp_path / "saved.txt"
    found.value.save_as(target)
    saved = unpacked(target.read_text())
    assert (saved["id"], saved["seed"], len(saved["answers"])) == ("tic_tac_toe", "5", 3)
    page.keyboard.press("1")
    assert page.locator("#file").count() == 0  # what was saved is another position
    page.locator("#setup").evaluate("(e) => { e.open = true; }")
    page.locator("#opening").evaluate("(e) => { e.open = true; }")
    page.set_input_files("#saved-file", target)
    page.wait_for_selector(f"#digest:has-text('{digest}')")


def good() -> dict[str, Any]:
    program = load("tic_tac_toe").program
    return {
        "rulewright": 2, "id": program.id, "digest": program.digest, "seats": 2, "options": {}, "seed": "3",
        "players": ["person", "person"], "answers": [],
    }  # fmt: skip


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"id": "hex"}, "another ruleset"),
        ({"digest": "0"}, "another ruleset"),
        ({"rulewright": 1}, "another ruleset"),
        ({"rulewright": "x"}, "no saved game"),
        ({"seats": 99}, "no saved game"),
        ({"seats": "2"}, "no saved game"),
        ({"seed": "<b>"}, "no saved game"),
        ({"players": ["person"]}, "no saved game"),
        ({"answers": [["a"]]}, "no saved game"),
        ({"answers": {}}, "no saved game"),
        ({"answers": [[0, 0, 0, 77, 1]]}, "up to its answer 0"),
        ({"answers": [[7, 9, 99, 1]]}, "up to its answer 0"),
        ({"answers": [[-1, 1, 0, 1]]}, "up to its answer 0"),
    ],
)
def test_what_does_not_fit_is_said(page_of: Any, change: dict[str, Any], said: str) -> None:
    opened = page_of("tic_tac_toe")
    open_text(opened.page, packed({**good(), **change}))
    opened.page.wait_for_selector("#notice")
    assert said in opened.page.inner_text("#notice")
    assert opened.said == []


@pytest.mark.parametrize("text", ["", "x", "#game=", packed(None), packed([1]), "é"])
def test_a_text_that_is_no_game_is_said(page_of: Any, text: str) -> None:
    opened = page_of("tic_tac_toe")
    open_text(opened.page, text)
    opened.page.wait_for_selector("#notice")
    assert "no saved game" in opened.page.inner_text("#notice")
    assert opened.said == []


def test_players_that_there_are_not_stay_as_they_are(page_of: Any) -> None:
    page = page_of("tic_tac_toe").page
    open_text(page, packed({**good(), "players": ["wizard", "person"]}))
    page.wait_for_selector("#digest")
    assert page.input_value("#player-1") == "person"
