"""A game at the terminal survives whatever ends its process, and the next one says how to go on."""

from __future__ import annotations

import errno
import json
import os
import re
import select
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import interpreter as rw
from interpreter import Game, State, apply, legal
from interpreter.records.save import read_save
from tests.tools.terminal.test_session import Typist
from tools.terminal import autosave
from tools.terminal.autosave import FOLDER, MOST_LEFT, Autosave, left_games
from tools.terminal.session import Session

Capture = pytest.CaptureFixture[str]
FOUR = ["1", "1", "1", "1"]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def kept() -> list[Path]:
    return sorted(FOLDER.glob("*")) if FOLDER.exists() else []


class Killed(BaseException):
    """Ends a session where it stands, as a kill would."""


class Cut(Typist):
    """Types these lines, and looks at the autosave before each; then the process is gone."""

    def __init__(self, lines: list[str]) -> None:
        super().__init__(lines)
        self.logs: list[int | None] = []

    def __call__(self, prompt: str) -> str:
        self.logs.append(len(read_save(kept()[0].read_text())["log"]) if kept() else None)
        try:
            return super().__call__(prompt)
        except EOFError:
            raise Killed from None


def cut_off(
    game: Game, lines: list[str], monkeypatch: pytest.MonkeyPatch, state: State | None = None
) -> tuple[Session, Cut]:
    typist = Cut(lines)
    monkeypatch.setattr("builtins.input", typist)
    session = Session(state or game.new(seats=2, seed=3), frozenset({1, 2}), "en", "random")
    with pytest.raises(Killed):
        session.run()
    return session, typist


def test_every_answer_is_kept_before_the_next_is_asked_for(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    session, typist = cut_off(game, FOUR, monkeypatch)
    assert typist.logs[0] is None and None not in typist.logs[1:]
    (file,) = kept()
    assert rw.restore(game, read_save(file.read_text())).words == session.state.words
    assert typist.logs[-1] == len(session.state.log)


def test_nothing_is_written_where_nothing_was_answered(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    cut_off(game, ["help", "log"], monkeypatch)
    assert not FOLDER.exists()


def test_what_is_taken_back_is_not_kept(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    session, _ = cut_off(game, ["1", "1", "undo"], monkeypatch)
    (file,) = kept()
    assert len(read_save(file.read_text())["log"]) == len(session.state.log)


def test_a_game_that_ends_leaves_no_autosave(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("builtins.input", Typist(["1"] * 200))
    session = Session(game.new(seats=2, seed=3), frozenset({1, 2}), "en", "random")
    session.run()
    assert session.state.over and not kept()


def test_a_game_that_is_left_is_saved_once(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("builtins.input", Typist(["1", "quit"]))
    session = Session(game.new(seats=2, seed=3), frozenset({1, 2}), "en", "random")
    session.run()
    assert not kept() and Path(f"{game.program.id}-3.json").exists()


def test_an_autosave_stays_if_the_game_cannot_be_saved_where_it_is_left(
    game: Game, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    monkeypatch.setattr("builtins.input", Typist(["1", "quit"]))
    session = Session(game.new(seats=2, seed=3), frozenset({1, 2}), "en", "random")
    session.file = Path("nowhere") / "game.json"
    session.run()
    assert "could not be saved" in capsys.readouterr().out and len(kept()) == 1


@pytest.mark.parametrize("name", ["~nobody_of_this_name/x", "/dev/null/x", "x" * 300])
def test_a_name_that_no_file_can_have_is_told(
    game: Game, name: str, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    monkeypatch.setattr("builtins.input", Typist([f"save {name}"]))
    Session(game.new(seats=2, seed=3), frozenset({1}), "en", "random").run()
    assert "could not be saved as" in capsys.readouterr().out


def test_a_game_that_goes_on_replaces_its_autosave(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    session, _ = cut_off(game, ["1"], monkeypatch)
    (file,) = kept()
    other = file.with_stem(file.stem + "0")
    file.rename(other)  # as if another process had played
    monkeypatch.setattr("builtins.input", Cut(["1"]))
    again = Session(rw.restore(game, read_save(other.read_text())), frozenset({1, 2}), "en", "random")
    again.autosave.earlier = other
    with pytest.raises(Killed):
        again.run()
    assert kept() == [file] and len(read_save(file.read_text())["log"]) > len(session.state.log)


def test_a_folder_that_cannot_be_written_is_told_once(
    game: Game, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device", "game.json")

    monkeypatch.setattr(autosave, "write_atomic", full)
    cut_off(game, FOUR, monkeypatch)
    assert capsys.readouterr().out.count("not kept while you play: game.json: No space left on device") == 1


def dead() -> int:
    process = subprocess.Popen([sys.executable, "-c", ""])
    process.wait()
    return process.pid


def test_games_of_processes_that_ended_are_told_of(
    game: Game, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    FOLDER.mkdir(parents=True)
    id_ = game.program.id
    for name in (f"{id_}-5-{os.getpid()}.json", f"other{id_}-5-{dead()}.json", f"{id_}-x.json"):
        (FOLDER / name).write_text("{}")  # of a process that runs, of another ruleset, of nobody
    file = FOLDER / f"{id_}-7-{dead()}.json"
    file.write_text("{}")
    monkeypatch.setattr("builtins.input", Typist([]))
    session = Session(game.new(seats=2, seed=3), frozenset({1, 2}), "en", "random")
    session.tell_of_left_games()
    out = capsys.readouterr().out
    assert f"go on with: rulewright play --load {file} --human 1,2" in out and out.count("--load") == 1


def test_the_rules_are_named_where_a_save_cannot_name_them(game: Game) -> None:
    session = Session(game.new(seats=2, seed=3), frozenset({1}), "en", "random")
    session.given_rules = "my games/night"
    assert session.command_to_continue(Path("a b.json")) == "rulewright play 'my games/night' --load 'a b.json'"


def test_few_games_are_left(game: Game) -> None:
    FOLDER.mkdir(parents=True)
    process = dead()
    for number in range(MOST_LEFT + 5):
        file = FOLDER / f"{game.program.id}-{number}-{process}.json"
        file.write_text("{}")
        os.utime(file, (number, number))
    state = game.new(seats=2, seed=99)
    keeper = Autosave(state, lambda why: None)
    apply(state, legal(state)[0])
    keeper.keep(state)
    left = left_games(game.program.id)
    assert len(left) == MOST_LEFT and left[-1].name.startswith(f"{game.program.id}-5-")
    assert keeper.file.exists()


# ---------------------------------------------------------------- real processes on a terminal


def hear_hangups() -> None:
    """Whoever runs the tests may have told them to ignore the end of a terminal, and children inherit that."""
    signal.signal(signal.SIGHUP, signal.SIG_DFL)


class Terminal:
    """`rulewright play` on a pseudo-terminal of its own."""

    def __init__(self, home: Path, *words: str) -> None:
        import pty

        self.screen, inside = pty.openpty()
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tools", "play", *words],
            stdin=inside, stdout=inside, stderr=inside, cwd=home, start_new_session=True,
            preexec_fn=hear_hangups,
            env={**os.environ, "PYTHONPATH": str(Path(rw.__file__).parents[1]), "TERM": "dumb", "COLUMNS": "200"},
        )  # fmt: skip
        os.close(inside)
        self.seen = ""

    def read_until(self, words: str) -> str:
        """All that is printed up to these words, or to the end of the process; what came before is forgotten."""
        end = time.monotonic() + 60
        while words not in self.seen:
            assert time.monotonic() < end, self.seen
            if select.select([self.screen], [], [], 1)[0]:
                try:
                    self.seen += os.read(self.screen, 65536).decode(errors="replace")
                except OSError:  # the process has ended
                    return self.seen
        before, _, self.seen = self.seen.partition(words)
        return before

    def type(self, line: str) -> None:
        os.write(self.screen, line.encode() + b"\n")


@pytest.mark.skipif(os.name != "posix", reason="there are no such terminals")
@pytest.mark.parametrize("name", ["SIGKILL", "SIGTERM", "SIGHUP"])
def test_a_killed_game_goes_on_where_it_was(apples: Path, name: str) -> None:
    home = apples.parent.parent
    terminal = Terminal(home, "last_apple", "--seed", "3", "--human", "1", "--seats", "2")
    for _ in range(3):
        terminal.read_until("your choice")
        terminal.type("1")
    terminal.read_until("your choice")
    os.kill(terminal.process.pid, getattr(signal, name))
    terminal.process.wait(30)
    os.close(terminal.screen)
    (file,) = (home / FOLDER).iterdir()
    data = json.loads(file.read_text())
    assert sum(entry["kind"] == "choice" and entry["seat"] == 1 for entry in data["log"]) == 3

    again = Terminal(home, "last_apple", "--seed", "4")
    told = again.read_until("your choice")
    command = re.search(r"rulewright play --load (\S+)", told)
    assert command is not None, told
    again.process.kill()
    again.process.wait(30)
    os.close(again.screen)

    on = Terminal(home, "--load", command[1])
    while "Final scores" not in (told := on.read_until("your choice")):
        assert on.process.poll() is None, told
        on.type("1")
    assert on.process.wait(30) == 0
    os.close(on.screen)
    assert not list((home / FOLDER).iterdir()), "a finished game leaves none"
