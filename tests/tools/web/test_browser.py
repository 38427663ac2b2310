"""The page in a browser: two seats, mouse, keys, touch, reload, a lost line, texts that want to be markup, Japanese,
a phone, the curtain, the slider."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.tools.web.browser import Browser, Page
from tests.tools.web.site import Site

pytestmark = pytest.mark.browser
TARGET = 24  # pixels that a target has at least


def test_two_seats_by_mouse(browser: Browser) -> None:
    _, links = browser.open("tic_tac_toe", "person", "person")
    one, two = browser.page().go(links["1"]), browser.page().go(links["2"])
    assert one.page.title().startswith("● Your turn") and not two.page.title().startswith("●")
    assert one.page.url.count("#") == 0  # the secret is gone from the address
    place = one.page.query_selector("#map .can")
    assert place is not None and two.page.query_selector(".can") is None
    one.act(place.click)
    two.until("mine")
    assert two.page.title().startswith("● Your turn") and two.options == 8
    two.act(lambda: two.page.click("#ask [data-do='0']"))
    one.until("mine")
    assert one.options == 7 and "Take back" not in one.text("#ask")


def test_keys_play_everything(browser: Browser) -> None:
    page, _ = browser.open("tic_tac_toe", "here", "here")
    page.ready()
    page.act(lambda: page.page.keyboard.press("5"))
    assert page.options == 8
    page.act(lambda: page.page.keyboard.press("u"))
    assert page.options == 9 and page.page.query_selector("#rows del") is not None
    for _ in range(30):
        page.page.keyboard.press("Tab")
        if page.ask("document.activeElement.dataset.do") == "0":
            break
    page.act(lambda: page.page.keyboard.press("Enter"))
    assert page.options == 8
    assert page.ask("document.activeElement.id") == "prompt"  # from where Tab leads to the next answers


def test_pointing_never_hides_the_answers(browser: Browser) -> None:
    page, _ = browser.open("tic_tac_toe", "here", "here")
    page.page.set_viewport_size({"width": 800, "height": 700})
    page.ready()
    before = page.text("#about")
    for place in ("#ask [data-do='4']", "#map .can"):
        page.page.hover(place)
        page.page.wait_for_timeout(800)  # longer than pointing waits
        assert page.page.is_visible("#ask [data-do='4']") and page.text("#about") == before
    page.page.hover("#ask [data-do='4']")
    page.act(lambda: page.page.click("#ask [data-do='4']"))
    assert page.options == 8


def test_what_a_click_tells_stays(browser: Browser) -> None:
    page, _ = browser.open("tic_tac_toe", "here", "here")
    page.ready()
    page.page.click("[data-mode='try']")
    page.page.hover("#ask [data-do='4']")
    page.page.click("#ask [data-do='4']")
    page.until("document.getElementById('about').innerText !== ''")
    told = page.text("#about")
    page.page.wait_for_timeout(800)  # longer than pointing waits
    assert page.text("#about") == told


def test_numbers_of_two_digits(browser: Browser) -> None:
    page, _ = browser.open("hex", "here", "here")
    page.ready()
    label = page.ask("document.querySelectorAll('#ask [data-label]')[11].dataset.label")
    assert label == "12"
    page.act(lambda: page.page.keyboard.type("12"))
    assert page.site_log(browser) == 1


def test_reload_and_a_lost_line(browser: Browser, site: Site) -> None:
    page, _ = browser.open("tic_tac_toe", "here", "here")
    page.ready()
    page.act(lambda: page.page.keyboard.press("1"))
    before = page.text("#board")
    page.page.reload()
    page.ready()
    assert page.text("#board") == before and page.options == 8
    page.ask("void (globalThis.lost = line)")
    site.hang_up()
    page.until("line !== lost && document.getElementById('net').className === 'online' && line.readyState === 1")
    page.act(lambda: page.page.keyboard.press("1"))
    assert page.options == 7


def test_two_pages_of_one_seat_and_a_late_answer(browser: Browser) -> None:
    page, _ = browser.open("tic_tac_toe", "here", "here")
    page.ready()
    other = Page(page.page.context.new_page())
    other.page.goto(page.page.url)
    other.ready()
    page.ask("send({do: 0}); send({do: 1})")
    other.until("v >= 1")
    assert page.site_log(browser) == 1
    other.until("document.querySelectorAll('#ask [data-do]').length === 8")


def test_what_is_told_of_a_thing_and_why_not(browser: Browser) -> None:
    page, _ = browser.open("tic_tac_toe", "here", "here")
    page.ready()
    page.act(lambda: page.page.click("#map .can >> nth=0"))
    page.page.hover("#map [data-thing] >> nth=0")
    page.until("document.querySelector('#about .why') !== null")
    assert "not offered" in page.text("#about .why")


def test_a_thing_with_several_options_opens_a_list(browser: Browser) -> None:
    page, _ = browser.open("breakthrough", "here", "here")
    page.ready()
    key = page.ask(
        "Object.keys(marks).find(key => marks[key].length > 1 && document.querySelector(`#map [data-thing='${key}']`))"
    )
    page.page.click(f"#map [data-thing='{key}']")
    page.until("document.querySelectorAll('#about button').length > 1")
    assert page.site_log(browser) == 0
    page.act(lambda: page.page.click("#about button >> nth=1"))
    assert page.site_log(browser) == 1


def test_the_first_tap_tells_and_the_second_takes(browser: Browser) -> None:
    _, links = browser.open("tic_tac_toe", "person", "person")
    phone = browser.page(390, 844, has_touch=True, is_mobile=True).go(links["1"])
    phone.page.tap("#map .can >> nth=0")
    phone.until("document.querySelectorAll('#about button').length === 1")
    assert phone.version == 0
    phone.act(lambda: phone.page.tap("#about button"))


def test_a_phone_in_japanese(browser: Browser) -> None:
    _, links = browser.open("dominant_species", "person", "person")
    phone = browser.page(390, 844, has_touch=True, is_mobile=True).go(links["1"], "ja")
    assert phone.ask("document.documentElement.lang") == "ja" and "接続済み" in phone.text("#net")
    assert phone.ask("document.documentElement.scrollWidth") == 390
    box = phone.page.query_selector("#question").bounding_box()
    assert box["y"] + box["height"] >= 840 and box["height"] < 400
    small = phone.ask(
        f"[...document.querySelectorAll('button, a, select, input')].filter(el => el.offsetParent && "
        f"el.getBoundingClientRect().height < {TARGET} && !el.classList.contains('hidden')).map(el => el.outerHTML)"
    )
    assert small == []
    english = browser.page().go(links["2"], "en")
    assert "Waiting for" in english.text("#ask") and "Dominant Species" in english.text("#head")


def test_panels_stand_beside_a_map_that_leaves_room_for_them(browser: Browser) -> None:
    _, links = browser.open("dominant_species", "person", "person")
    page = browser.page().go(links["1"])
    page.until("document.querySelectorAll('#beside > section').length > 1")
    map_, beside = (page.page.query_selector(one).bounding_box() for one in ("#map", "#beside"))
    assert map_["x"] + map_["width"] <= beside["x"] and beside["y"] < map_["y"] + 20
    assert beside["height"] <= map_["height"] + 41 and beside["x"] + beside["width"] <= 1400
    page.act(lambda: page.page.click("#ask [data-do='0']"))
    shown = page.ask("[...document.querySelectorAll('#board section')].map(one => one.id).sort()")
    assert page.ask("document.querySelectorAll('#beside > section').length") > 1
    page.page.set_viewport_size({"width": 800, "height": 900})
    page.until("!document.getElementById('beside')?.children.length")
    assert page.ask("[...document.querySelectorAll('#board section')].map(one => one.id).sort()") == shown


@pytest.mark.parametrize("game", ["bios_origins", "civilization"])
def test_a_wide_map_can_be_read_on_a_phone(browser: Browser, game: str) -> None:
    _, links = browser.open(game, "person", "person")
    phone = browser.page(390, 844, has_touch=True, is_mobile=True).go(links["1"])
    assert phone.ask("document.documentElement.scrollWidth") == 390
    assert phone.ask("document.querySelector('#map svg').getScreenCTM().a") > 0.6
    assert phone.ask("document.getElementById('map').scrollWidth") > 390  # it is moved by itself, by keys as well
    assert phone.ask("document.getElementById('map').tabIndex") == 0


def test_a_curtain_hides_the_cards_of_the_last_one(browser: Browser) -> None:
    page, _ = browser.open("love_letter", "here", "here")
    page.ready()
    open_cards = "document.querySelectorAll('#board .card').length"
    before = page.ask(open_cards)
    assert "as an onlooker sees it" in page.text("#head") and page.text("#board").count("hidden") == 2  # two hands
    page.page.click("[data-send=up]")
    page.until(f"{open_cards} > {before}")  # two, or one that is there twice
    page.act(lambda: page.page.click("#ask [data-do]"))
    for _ in range(4):
        if page.page.query_selector("#ask [data-do]") is None:
            break
        page.act(lambda: page.page.click("#ask [data-do]"))
    assert "as an onlooker sees it" in page.text("#head") and page.text("#board").count("hidden") >= 1


def test_looking_back(browser: Browser) -> None:
    page, _ = browser.open("tic_tac_toe", "here", "here")
    page.ready()
    empty = page.ask("document.getElementById('map').innerHTML")
    for _ in range(3):
        page.act(lambda: page.page.keyboard.press("1"))
    full = page.ask("document.getElementById('map').innerHTML")
    page.page.fill("#slider", "0")
    page.until("document.body.classList.contains('past')")
    assert "0 of 3" in page.text("#slid") and page.page.query_selector(".can") is None
    assert tokens(page) == 0 and empty != full
    page.page.click("#now")
    assert tokens(page) == 3 and page.page.query_selector(".can") is not None


def test_what_happens_meanwhile_leaves_a_position_before_as_it_is(browser: Browser) -> None:
    _, links = browser.open("love_letter", "person", "person")
    pages = [browser.page().go(links[seat]) for seat in ("1", "2")]
    mover = next(page for page in pages if page.page.query_selector("#ask [data-do]"))
    reader = next(page for page in pages if page is not mover)
    reader.page.fill("#slider", "0")
    reader.until("document.body.classList.contains('past')")
    before, version = parts_of(reader), reader.ask("v")
    mover.act(lambda: mover.page.click("#ask [data-do]"))
    reader.until(f"v > {version}")
    assert parts_of(reader) == before
    reader.page.click("#now")
    now = parts_of(reader)
    reader.page.reload()
    assert parts_of(reader.ready()) == now


def parts_of(page: Page) -> list[str]:
    """What stands on the board, from the top."""
    found: list[str] = page.ask("[...document.querySelectorAll('#board [id]')].map(part => part.id)")
    return found


def tokens(page: Page) -> int:
    return int(page.ask("document.querySelectorAll('#map circle.edge').length"))


def test_dark_and_calm(browser: Browser) -> None:
    _, links = browser.open("love_letter", "person", "person")
    page = browser.page(color_scheme="dark", reduced_motion="reduce").go(links["1"])
    red = page.ask("parseInt(getComputedStyle(document.body).backgroundColor.match(/\\d+/)[0])")
    assert red < 60
    page.act(lambda: page.page.click("#ask [data-do]"))
    assert page.ask("document.getAnimations().length") == 0


HOSTILE = "<script>pwned=1</script><img src=x onerror=pwned=1>&amp;\"'"


@pytest.fixture
def hostile(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A ruleset whose every text wants to be markup."""
    folder = tmp_path / "rulesets" / "hostile"
    (folder / "data").mkdir(parents=True)
    (folder / "locale").mkdir()
    quoted = "'" + HOSTILE.replace("'", "''") + "'"
    (folder / "ruleset.yaml").write_text(
        f"id: hostile\nversion: 1\ntitle: {{en: {quoted}}}\nseats: 2\nload: [game.rules]\n", encoding="utf-8"
    )
    (folder / "game.rules").write_text(
        'kind Spot from "data/spots.yaml"\n    field taken: Seat or none\nkind Seat\n    field coins: 0..9\n'
        "phase game\n    for every s in Seat\n        choose x in Spot by s\n        set x.taken to s\n"
        "    choose n in 1..9 by p1\n", encoding="utf-8")  # fmt: skip
    (folder / "data" / "spots.yaml").write_text("Spot: {a1: {}, a2: {}, a3: {}}\n", encoding="utf-8")
    names = "\n".join(f"  {id_}: {quoted}" for id_ in ("a1", "a2", "a3"))
    (folder / "locale" / "en.yaml").write_text(
        f"Spot:\n{names}\nSeat:\n  p1: {quoted}\n  p2: {quoted}\ngame.x: {{ask: {quoted}, done: {quoted}}}\n"
        f"kind.Spot: {quoted}\n", encoding="utf-8")  # fmt: skip
    (folder / "display.yaml").write_text(
        "map:\n  layers:\n    - kind: Spot\n      at: {a1: [1, 1], a2: [3, 1], a3: [5, 1]}\n"
        "panels:\n  - {id: seats, per: Seat, columns: [coins]}\n", encoding="utf-8")  # fmt: skip
    monkeypatch.setenv("RULEWRIGHT_HOME", str(tmp_path))
    return "hostile"


def test_texts_that_want_to_be_markup_are_shown(browser: Browser, hostile: str) -> None:
    page, _ = browser.open(hostile, "here", "here")
    page.ready()
    page.page.hover("#ask [data-do] >> nth=0")
    page.until("document.querySelector('#about p') !== null")
    for _ in range(3):
        page.act(lambda: page.page.click("#ask [data-do] >> nth=0"))
    assert "<script>" in page.text("#rows") and "<img" in page.text("#head")
    assert page.ask("window.pwned") is None
    assert page.ask("document.querySelectorAll('#table img, #table script, header img').length") == 0


@pytest.mark.parametrize("game", ["tic_tac_toe", "dominant_species", "through_the_ages", "love_letter"])
@pytest.mark.parametrize("dark, width", [(False, 1400), (True, 1400), (False, 390)])
def test_axe_finds_nothing(browser: Browser, game: str, dark: bool, width: int) -> None:
    axe = pytest.importorskip("axe_playwright_python", reason="axe is not installed")
    _, links = browser.open(game, "person", "person")
    page = browser.page(width, bypass_csp=True, color_scheme="dark" if dark else "light").go(links["1"])
    page.page.add_script_tag(path=Path(axe.__file__).with_name("axe.min.js"))
    tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
    found = page.page.evaluate(f"axe.run({{runOnly: {tags}}})")["violations"]
    assert [(v["id"], [n["html"][:120] for n in v["nodes"][:3]]) for v in found] == []
