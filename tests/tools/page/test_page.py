"""A page as people use it: buttons, board, undo, languages, secrets, random games; hostile texts; narrow and dark."""

from __future__ import annotations

import hashlib
import zlib
from pathlib import Path
from typing import Any

import pytest

from interpreter import apply, load
from interpreter.session.state import digest
from tests.concepts.play import start
from tests.tools.picture.games import CARDS, DISPLAY, FIELDS, LOCALE, RULES
from tools.page.folder import POLICY, static
from tools.simulation.bots import make_bot

pytestmark = pytest.mark.browser
HOSTILE = "<script>window.hit = 1</script><img src=x onerror='window.hit = 2'>{0}"


def begin(page: Any, seed: int = 5, people: str = "1", bot: str = "random") -> None:
    """Begin a game in which these seats are played by people, the others by such bots."""
    page.locator("#setup").evaluate("(e) => { e.open = true; }")
    for n in range(page.locator("[id^=player-]").count()):
        page.select_option(f"#player-{n + 1}", "person" if str(n + 1) in people else bot)
    page.fill("#new-seed", str(seed))
    page.click("#begin")


def test_a_game_is_played_by_clicks(page_of: Any) -> None:
    opened = page_of("tic_tac_toe")
    page = opened.page
    begin(page, people="12")
    state = load("tic_tac_toe").new(seed=5)
    assert page.inner_text("#digest") == state.digest()
    for _ in range(9):
        if page.locator("[data-option]").count() == 0:
            break
        page.locator("[data-option]").first.click()
    assert page.locator("#winners").count() == 1
    lines = page.locator("#log li").count()
    page.click("#undo")
    assert page.locator("#winners").count() == 0 and page.locator("#log li").count() == lines - 1
    page.keyboard.press("u")
    assert page.locator("#log li").count() == lines - 2
    assert opened.said == []


def test_a_place_of_the_board_is_an_answer(page_of: Any) -> None:
    page = page_of("hex").page
    begin(page, people="12")
    places = page.locator(".place.choice")
    assert places.count() == 121
    places.nth(60).locator(".touch").click()
    assert page.locator("#log li").count() == 1
    assert page.locator(".place.choice").count() < 121 + 1


def test_bots_answer_until_a_person_is_asked_and_play_alone_if_nobody_does(page_of: Any) -> None:
    page = page_of("tic_tac_toe").page
    begin(page, people="2")
    page.wait_for_selector("[data-option]")
    assert page.locator("#log li").count() == 1
    begin(page, people="")
    assert page.locator("[data-option]").count() == 0
    page.click("#step")
    assert page.locator("#log li").count() == 1
    page.click("#watch")
    page.wait_for_selector("#winners")


def test_the_greedy_bot_plays_as_in_python(page_of: Any) -> None:
    page = page_of("dominant_species").page
    begin(page, people="", bot="greedy")
    state, bot = load("dominant_species").new(seed=5), make_bot("greedy", 5)
    for _ in range(30):
        page.click("#step")
        apply(state, bot.choose(state))
        assert page.inner_text("#digest") == state.digest()


def test_answers_given_at_once_are_secret_again_when_they_are_taken_back(page_of: Any) -> None:
    page = page_of("goofspiel").page
    begin(page, people="12")
    log = "() => { const p = Rulewright.page; return p.game.lines(p.texts, 0).join('|'); }"
    answer = "() => { const p = Rulewright.page; p.game.answer(p.game.options[0]); }"
    page.evaluate(answer)
    before = page.evaluate(log)
    page.evaluate(answer)
    shown = page.evaluate(log)
    page.evaluate("() => Rulewright.page.game.undo()")
    assert page.evaluate(log) == before and not shown.startswith(before)


def test_who_looks_sees_what_that_seat_may_see(page_of: Any) -> None:
    page = page_of("love_letter").page
    begin(page, people="1")
    page.wait_for_selector("[data-option]")
    own = page.locator(".card").count()
    assert own == 2
    page.select_option("#view", "2")
    assert page.locator("[data-option]").count() == 0
    assert page.locator(".card").count() == 1
    page.select_option("#view", "0")
    assert page.locator(".card").count() == 0 and page.locator("[data-option]").count() == 0


def test_two_people_at_one_screen_look_one_after_the_other(page_of: Any) -> None:
    page = page_of("love_letter").page
    begin(page, people="12")
    assert page.locator("#board").count() == 0
    page.click("#curtain")
    page.wait_for_selector("#board")
    while page.locator("#curtain").count() == 0:
        page.locator("[data-option]").first.click()
    assert page.locator(".card").count() == 0 and page.locator("[data-option]").count() == 0


def test_the_language_changes_everything(page_of: Any) -> None:
    page = page_of("love_letter").page
    begin(page, people="1")
    page.select_option("#language", "ja")
    assert page.evaluate("document.documentElement.lang") == "ja"
    assert "問い" in page.inner_text("#question") and "カードを混ぜた" in page.inner_text("#log")
    assert page.inner_text("#tab-games") == "ランダムなゲーム"


def test_random_games_have_results_and_the_digest_of_python(page_of: Any) -> None:
    page = page_of("connect_four").page
    page.click("#tab-games")
    page.fill("#count", "30")
    page.fill("#games-seed", "4")
    page.click("#start")
    page.wait_for_selector("#played:has-text('30 games')")  # what waits for a function needs `eval`
    game = load("connect_four")
    ends = game.engine.playouts(game.engine.new(), 30, 4, keep=True).ends
    whole = hashlib.blake2b("".join(map(digest, ends)).encode(), digest_size=16).hexdigest()
    page.wait_for_selector("#games-digest")
    assert page.inner_text("#games-digest") == whole


FAULTY = RULES.replace("choose n in 1..2 by p1", "choose n in 1..2 by p1\n    set p1.coins to p1.coins - 6 * n")


def test_what_cannot_be_carried_out_is_said_and_the_game_stays(page_of: Any) -> None:
    files = {"display.yaml": DISPLAY, "locale/en.yaml": LOCALE, "data/fields.yaml": FIELDS, "data/cards.yaml": CARDS}
    opened = page_of(start(FAULTY, files).game)
    page = opened.page
    begin(page)
    before = page.inner_text("#digest")
    page.locator("[data-option]").nth(1).click()
    assert "cannot carry out" in page.inner_text("#notice")
    assert page.inner_text("#digest") == before
    page.locator("[data-option]").first.click()
    assert page.locator("#notice").count() == 0 and page.inner_text("#prompt") == "The game is over"
    page.click("#tab-games")
    page.click("#start")
    page.wait_for_selector("#given-up")
    assert opened.said == []


def test_hostile_texts_make_no_element(page_of: Any) -> None:
    names = {"Seat": ("p1", "p2"), "Card": ("apple", "pear", "plum", "fig"), "Ground": ("meadow", "marsh")}
    rows = [f"{kind}: {{{', '.join(f'{id_}: {quoted(kind + id_)}' for id_ in ids)}}}" for kind, ids in names.items()]
    keys = ("Card.apple.text", "display.stores", "game.n.ask", "game.n.pick", "game.n.done", "game.n", "game", "coins",
            "engine.and", "engine.hidden", "game.title", "display.map")  # fmt: skip
    locale = "\n".join([*rows, *(f"{key}: {quoted(key)}" for key in keys)])
    display = DISPLAY.replace('label: "*"', f"label: {quoted('label')}").replace(
        "glyph: Me", f"glyph: {quoted('glyph')}"
    )
    display = display.replace('blank: "{id}"', f"blank: {quoted('blank')}")
    files = {"display.yaml": display, "locale/en.yaml": locale, "data/fields.yaml": FIELDS, "data/cards.yaml": CARDS}
    opened = page_of(start(RULES, files).game)
    page = opened.page
    begin(page)
    assert "<script>" in page.inner_text("body") and "onerror" in page.inner_text("body")
    page.locator("[data-option]").first.click()
    page.click("#tab-games")
    page.click("#start")
    page.wait_for_selector("#games-digest")
    page.click("#tab-play")
    assert page.evaluate("window.hit") is None
    assert page.locator("#page script, #page img, [onerror]").count() == 0
    assert opened.said == []


def quoted(text: str) -> str:
    """A hostile text for a file in YAML, with what it stands for."""
    return '"' + HOSTILE.replace("{0}", text).replace('"', "'") + '"'


@pytest.mark.parametrize(("width", "scheme"), [(390, "light"), (1300, "dark")])
def test_it_fits_a_narrow_and_a_dark_screen(page_of: Any, width: int, scheme: str) -> None:
    looks = {"viewport": {"width": width, "height": 844}, "color_scheme": scheme}
    page = page_of("dominant_species", **looks).page
    begin(page)
    page.wait_for_selector("[data-option]")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    small = "[...document.querySelectorAll('button')].filter((b) => b.offsetParent && b.offsetHeight < 24).length"
    assert page.evaluate(small) == 0
    paper = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert (paper == "rgb(29, 30, 26)") is (scheme == "dark")


def test_a_page_loads_nothing_from_elsewhere(page_of: Any, folder_of: Any) -> None:
    folder: Path = folder_of(load("nim"))
    page = (folder / "index.html").read_text(encoding="utf-8")
    assert "default-src &#x27;none&#x27;" in page and "default-src 'none'" in POLICY
    assert "http" not in page.replace("http-equiv", "")
    for script in folder.glob("*.js"):
        assert "innerHTML" not in script.read_text(encoding="utf-8") and "eval(" not in script.read_text(
            encoding="utf-8"
        )
    assert zlib.crc32(static("page.js").encode()) == zlib.crc32((folder / "page.js").read_bytes())
