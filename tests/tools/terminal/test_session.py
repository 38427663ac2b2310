"""A person at the terminal: what may be typed, what it does, and the messages for what makes no sense."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from dsl.shows.reading import show_program
from interpreter import Game, Option, State, apply, legal, restore, save
from tools.base.loading import load_game
from tools.terminal.session import Session, free_file, is_earlier_save

PlaySession = Callable[..., tuple[Session, str]]


class Typist:
    """Types these lines, then leaves as Ctrl-D does."""

    def __init__(self, lines: list[str]) -> None:
        self.lines: Iterator[str] = iter(lines)

    def __call__(self, prompt: str) -> str:
        try:
            return next(self.lines)
        except StopIteration:
            raise EOFError from None


@pytest.fixture
def play_session(
    game: Game, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> PlaySession:
    """`play_session(lines, people, lang)` plays and gives the session and what was printed."""
    monkeypatch.chdir(tmp_path)

    def play(lines: list[str], people: frozenset[int] = frozenset({1}), lang: str = "en") -> tuple[Session, str]:
        monkeypatch.setattr("builtins.input", Typist(lines))
        session = Session(game.new(seats=2, seed=3), people, lang, "random")
        assert session.run() == 0
        return session, capsys.readouterr().out

    return play


def answers(session: Session) -> list[str]:
    return [" ".join(e.ids) for e in session.state.log if e.kind == "choice" and e.seat == 1]


def test_the_question_is_shown_with_numbered_options(play_session: PlaySession) -> None:
    _, out = play_session([])
    assert "Anna, your move" in out
    assert "1 Take 1 apple, leaving 15" in out
    assert "5 rest" in out


def test_several_are_named_by_their_numbers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from tests.concepts.play import cell, start

    rules = """
    kind Seat
        zone hand: Card
        zone pile: Card
    kind Card: 3
    phase game
        for every c in Card: move c to p1.hand
        choose some cs in p1.hand by p1
        for every c in cs: move c to p1.pile
    """
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("builtins.input", Typist(["1, 9", "1 3"]))
    state = start(rules, seats=(2, 2))
    session = Session(state, frozenset({1}), "en", "random")
    session.run()
    out = capsys.readouterr().out
    assert "(several at once are possible: 1, 2)" in out and "there is no option 9: choose from 1 to" in out
    assert cell(session.state, "p1.pile") == ["card_1", "card_3"]


FOUR_CARDS = """
kind Seat
    zone hand: Card
    zone pile: Card
kind Card: 4
phase game
    for every c in Card: move c to p1.hand
    choose some cs in p1.hand at least 3 by p1
    for every c in cs: move c to p1.pile
"""


@pytest.mark.parametrize(
    ("typed", "chosen"),
    [
        ("1 3 4", ["card_1", "card_3", "card_4"]),  # numbers of cards that cannot come first
        ("salt, iron, salt", ["card_1", "card_2", "card_3"]),  # alike: any of that name, each once
        ("Salt card_3 Iron", ["card_1", "card_2", "card_3"]),
        ("salt, salt, salt", ["card_1", "card_3", "card_4"]),
    ],
)
def test_members_are_named_that_come_after_others_or_are_called_alike(
    typed: str, chosen: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from tests.concepts.play import cell, start

    texts = "Card: {card_1: Salt, card_2: Iron, card_3: Salt, card_4: Salt}\n"
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("builtins.input", Typist(["3", "1 5 4", typed]))
    state = start(FOUR_CARDS, {"locale/en.yaml": texts}, seats=(2, 2))
    session = Session(state, frozenset({1}), "en", "random")
    session.run()
    out = capsys.readouterr().out
    assert "(only with others before them: 3 Salt, 4 Salt)" in out and "as in 1, 3." in out
    assert "there is no option 5: choose from 1 to 4." in out
    assert cell(session.state, "p1.pile") == chosen


def test_what_was_taken_back_can_be_given_again(play_session: PlaySession) -> None:
    session, out = play_session(["take 2", "undo", "redo", "redo"])
    assert "there is nothing that was taken back" in out and "taken back." in out
    assert answers(session)[0] == "take 2"


def test_an_action_may_have_to_be_confirmed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from tests.concepts.play import cell, start

    rules = """
    kind Seat
        field out: bool
    phase game
        repeat: offer doing by p1 or decline
        stop game
    action give_up(p: Seat) of doing
        require not p.out
        set p.out to true
    """
    monkeypatch.chdir(tmp_path)
    state = start(rules, {"display.yaml": "confirm: [give_up]\n"}, seats=(2, 2))
    monkeypatch.setattr("builtins.input", Typist(["1", "n", "why 1"]))
    session = Session(state, frozenset({1}), "en", "random")
    session.run()
    assert cell(session.state, "p1.out") is False
    monkeypatch.setattr("builtins.input", Typist(["1", "Y"]))
    session = Session(state, frozenset({1}), "en", "random")
    session.run()
    assert cell(session.state, "p1.out") is True


def test_a_number_chooses(play_session: PlaySession) -> None:
    session, _ = play_session(["2"])
    assert answers(session) == ["take 2"]


@pytest.mark.parametrize("typed", ["take 2", "TAKE 2", "take(2)", "Take 2 apples, leaving 14", "ｔａｋｅ　２"])
def test_words_choose(play_session: PlaySession, typed: str) -> None:
    session, _ = play_session([typed])
    assert answers(session) == ["take 2"]


def test_words_of_the_readers_language_choose(play_session: PlaySession) -> None:
    session, out = play_session(["りんごを2個取る"], lang="ja")
    assert "りんごを2個取る" in out
    assert answers(session) == ["take 2"]


def test_a_whole_answer_in_words(play_session: PlaySession) -> None:
    session, _ = play_session(["rest", "p1 1, p2 1"])
    assert answers(session)[:3] == ["rest", "p1 1", "p2 1"]


ROADS = """
kind Seat
kind Town: 3
action go(p: Seat, a: Town, b: Town) of roads
    require a is not b because "it is the same"
    choose number k in 1..5 by p
phase game: offer roads by p1
"""


@pytest.mark.parametrize("typed", ["go town_1 town_3 4", "go old harbour new mill 4", "GO Hb (New Mill), 4"])
def test_names_of_several_words_and_abbreviations_may_be_typed(
    typed: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from tests.concepts.play import start

    texts = "Town: {town_1: Old Harbour, town_3: New Mill}\n"
    display = "members: {Town: {town_1: {glyph: Hb}, town_3: {glyph: Mi}}}\n"
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("builtins.input", Typist([typed]))
    state = start(ROADS, {"locale/en.yaml": texts, "display.yaml": display}, seats=(2, 2))
    session = Session(state, frozenset({1}), "en", "random")
    session.run()
    assert answers(session) == ["go town_1 town_3", "4"]


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("99", "there is no option 99: choose from 1 to 5."),
        ("9" * 400, "there is no option 9999999999..: choose from 1 to 5."),
        ("xyzzy", "'xyzzy' is not an answer here."),
        ("これは何", "'これは何' is not an answer here."),
        ("hepl", "did you mean 'help'?"),
        ("take 7", "that is not possible:"),
        ("why", "why what?"),
        ("undo", "nothing to take back"),
        ("info", "about what?"),
        ("info rde", "did you mean 'red'?"),
        ("-1", "is not an answer here"),
        ("\x00\x1b[31m", "is not an answer here"),
    ],
)
def test_what_makes_no_sense_gets_one_sentence_and_changes_nothing(
    play_session: PlaySession, typed: str, expected: str
) -> None:
    session, out = play_session([typed])
    assert expected in out
    assert "Traceback" not in out
    assert answers(session) == []


def test_why_says_the_false_leaf_with_values_and_clause(play_session: PlaySession, game: Game) -> None:
    _, out = play_session(["why play green", "why take 1"])
    assert "Play green is not offered:" in out
    assert "Take 1 apple, leaving 15 is offered as number 1." in out


def test_what_is_refused_is_told_in_the_language_of_the_screen(play_session: PlaySession) -> None:
    _, en = play_session(["take 9"])
    _, ja = play_session(["take 9"], lang="ja")
    assert "9 is outside 1..3" in en
    assert "9は1..3の範囲外" in ja and "outside" not in ja


def test_why_with_a_number_is_about_that_option(play_session: PlaySession) -> None:
    _, out = play_session(["why 1", "why 9"])
    assert "Take 1 apple, leaving 15 is offered as number 1." in out
    assert "there is no option 9: choose from 1 to 5." in out


def test_undo_takes_back_until_something_is_revealed(play_session: PlaySession) -> None:
    session, out = play_session(["take 2", "undo"])
    assert "taken back." in out
    assert answers(session) == []
    # a die was rolled after the last answer of the turn
    session, out = play_session(["rest", "decline", "0", "undo"])
    assert "something has been revealed since" in out


def test_save_and_continue(play_session: PlaySession, game: Game, tmp_path: Path) -> None:
    session, out = play_session(["take 2", "save mine.json", "quit"])
    assert "saved as mine.json" in out
    data = json.loads((tmp_path / "mine.json").read_text(encoding="utf-8"))
    assert restore(game, data).digest() == session.state.digest()


def test_a_file_that_is_no_save_is_not_overwritten(play_session: PlaySession, tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("keep me", encoding="utf-8")
    _, out = play_session(["save notes.txt"])
    assert "is not this game" in out
    assert (tmp_path / "notes.txt").read_text(encoding="utf-8") == "keep me"


def test_saving_into_nowhere_is_a_sentence(play_session: PlaySession) -> None:
    _, out = play_session(["save no/such/folder/x.json"])
    assert "could not be saved as no/such/folder/x.json" in out


def test_leaving_saves_and_names_the_file(play_session: PlaySession, game: Game, tmp_path: Path) -> None:
    session, out = play_session(["take 2"])
    assert f"saved as {game.program.id}-3.json" in out
    assert (tmp_path / f"{game.program.id}-3.json").exists()


def test_a_hand_is_shown_to_its_seat_alone(play_session: PlaySession) -> None:
    _, out = play_session(["hand"])
    assert "Anna hand: the red card" in out
    assert "blue" not in out


def test_an_option_is_explained_by_what_it_names(play_session: PlaySession) -> None:
    session, out = play_session(["info 4", "? 4"])
    assert sum(line.endswith("the red card  Card red") for line in out.splitlines()) == 2
    assert answers(session) == []


def test_the_game_goes_to_its_end(play_session: PlaySession) -> None:
    session, _ = play_session(["rest", "decline", "0"] * 2)
    assert session.state.over


def test_try_shows_what_would_change_and_changes_nothing(play_session: PlaySession, game: Game) -> None:
    game.program.display = show_program({"preview": ["apples", "basket"]})
    session, out = play_session(["try 2", "try", "try secret"])
    assert "Anna apples: 2 -> 4" in out and "basket: 16 -> 14" in out
    assert "try what?" in out
    assert answers(session) == []


def test_try_does_not_tell_what_chance_will_bring(play_session: PlaySession, game: Game) -> None:
    game.program.display = show_program({"preview": ["coins"]})
    _, out = play_session(["rest", "decline", "try 0"])
    assert "chance or something hidden decides" in out
    assert "coins: 1 ->" not in out


def test_an_action_out_of_turn_is_listed_and_taken(
    apples: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    rules = apples / "game.rules"
    boast = "\nkind Seat\n    field proud: bool\n\naction boast(p: Seat) at any moment\n    require not p.proud\n"
    rules.write_text(rules.read_text(encoding="utf-8") + boast + "    set p.proud to true\n", encoding="utf-8")
    state = load_game("last_apple").new(seats=2, seed=1)
    monkeypatch.setattr("builtins.input", Typist(["now", "now 7", "now 1", "boast", "quit"]))
    session = Session(state, frozenset({1}), "en", "random")
    assert session.run() == 0
    out = capsys.readouterr().out
    assert "(1 more can be done out of turn: 'now' lists them)" in out
    assert "now 1  boast" in out
    assert [e.ids[0] for e in session.state.log] == ["boast"]


OPEN = """
phase game
    open to p in seats where tree > 0: offer picks by p or decline

action pick(p: Seat, n: 1..3) of picks
    move n apple from tree to p.basket as picked
"""


def test_an_open_question_may_be_answered_first_or_left_to_others(
    apples: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    rules = apples / "game.rules"
    text = rules.read_text(encoding="utf-8")
    start, end = text.index("phase game"), text.index("value score")
    rules.write_text(text[:start] + OPEN.lstrip() + "\n" + text[end:].replace("[LA-2]", ""), encoding="utf-8")
    (apples / "rulings" / "apples.ruling").unlink()
    (apples / "clauses.yaml").unlink()
    state = load_game("last_apple").new(seats=2, seed=1)
    assert state.decision is not None and state.decision.open_seats == (1, 2)
    monkeypatch.setattr("builtins.input", Typist(["why pick 3", "pick 3", "wait", "wait"]))
    session = Session(state, frozenset({2}), "en", "random")
    assert session.run() == 0
    out = capsys.readouterr().out
    assert "(others may answer too: 'wait' lets them go first)" in out
    assert "pick 3 is offered" in out
    entries = [(e.seat, e.ids) for e in session.state.log]
    assert entries[0] == (2, ("pick", "3"))
    assert entries[1][0] == 1


def test_whoever_has_used_up_a_bounded_session_is_asked_no_more(
    apples: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    rules = apples / "game.rules"
    text = rules.read_text(encoding="utf-8")
    start, end = text.index("phase game"), text.index("value score")
    bounded = OPEN.lstrip().replace("where tree > 0:", "where tree > 0 at most 1 per p:")
    assert bounded != OPEN.lstrip()
    rules.write_text(text[:start] + bounded + "\n" + text[end:].replace("[LA-2]", ""), encoding="utf-8")
    (apples / "rulings" / "apples.ruling").unlink()
    (apples / "clauses.yaml").unlink()
    monkeypatch.setattr("builtins.input", Typist(["pick 3"]))  # one answer; a second question would find no input
    session = Session(load_game("last_apple").new(seats=2, seed=1), frozenset({2}), "en", "random")
    assert session.run() == 0 and session.state.over
    capsys.readouterr()
    picked = [e.seat for e in session.state.log if e.ids[0] == "pick"]
    assert picked.count(2) == 1 and picked.count(1) <= 1


def test_ctrl_c_in_the_middle_of_an_answer_saves_the_position_before_it(
    game: Game, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(state: State, option: Option, paying: bool = False) -> State:
        state.log.append(state.log[-1])
        raise KeyboardInterrupt

    monkeypatch.chdir(tmp_path)
    (tmp_path / f"{game.program.id}-3.json").write_text("not a save", encoding="utf-8")
    monkeypatch.setattr("builtins.input", Typist(["2"]))
    monkeypatch.setattr("tools.table.table.apply", interrupted)
    session = Session(game.new(seats=2, seed=3), frozenset({1}), "en", "random")
    entries = len(session.state.log)
    assert session.run() == 0
    data = json.loads((tmp_path / f"{game.program.id}-3-2.json").read_text(encoding="utf-8"))
    assert len(data["log"]) == entries
    assert (tmp_path / f"{game.program.id}-3.json").read_text(encoding="utf-8") == "not a save"
    assert restore(game, data).digest() == session.state.digest()


def test_a_save_is_never_written_over_by_another_game(tmp_path: Path, game: Game) -> None:
    state = game.new(seats=2, seed=3)
    file = tmp_path / "game.json"
    assert free_file(file, state) == file
    file.write_text(json.dumps(save(state)), encoding="utf-8")
    assert is_earlier_save(file, state) and free_file(file, state) == file
    apply(state, legal(state)[0])
    assert free_file(file, state) == file  # it went on from there
    other = game.new(seats=2, seed=4)
    assert free_file(file, other) == tmp_path / "game-2.json"
    file.write_text(json.dumps(save(state)), encoding="utf-8")
    assert free_file(file, game.new(seats=2, seed=3)) == tmp_path / "game-2.json"  # it would lose a decision
    file.write_text("{}", encoding="utf-8")
    assert free_file(file, state) == tmp_path / "game-2.json"


def test_enter_shows_the_other_pages_and_parts_of_the_board_have_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from tests.tools.terminal.test_pages import state

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("builtins.input", Typist(["", "board map", "options", "board legend", "board nothing", "4"]))
    session = Session(state(), frozenset({1}), "en", "random")
    session.run()
    out = capsys.readouterr().out
    first, second, again, *_ = out.split("Ann (seat 1): Which fruit where?")
    assert "---1---" in first and "---4---" in second and "---4---" not in first
    assert "4 pear on spot_1" in again and again.count("---4---") == 1, "`board map` has the numbers of the page"
    assert out.count("nothing on the board is called") == 2, "there is nothing to explain, and nothing called `nothing`"
    assert session.state.over
