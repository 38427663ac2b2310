"""A game at the terminal: one question after the other, with help, reasons, undo and saves.

Takes a state and the seats that people play; bots answer for the others. The session changes the state only by
answers that the game accepts.
"""

from __future__ import annotations

import contextlib
import json
import os
import shlex
import time
from collections.abc import Callable
from pathlib import Path

from rich.text import Text

from dsl.base.spelling import nearest
from interpreter import (
    IllegalAnswer,
    Option,
    RulesetError,
    State,
    save,
    write_atomic,
)
from interpreter.explaining.reason import Refused
from interpreter.records.save import read_save
from tools.base.errors import CommandEnd, shorten
from tools.base.terminal import ask
from tools.display.typed_answers import find_option, normalise, read_words
from tools.shows.messages import message
from tools.simulation.bots import make_player
from tools.table.candidates import Candidates
from tools.table.info import hand_lines, info_lines, option_names
from tools.table.preview import preview
from tools.table.reasons import reason_lines, why, words_were_understood
from tools.table.table import Table
from tools.terminal.autosave import Autosave, left_games
from tools.terminal.handing_on import keep_end
from tools.terminal.narrate import print_result
from tools.terminal.screen import Screen

ABBREVIATIONS = {
    "?": "help",
    "h": "help",
    "q": "quit",
    "exit": "quit",
    "b": "board",
    "card": "info",
    "o": "options",
    "u": "undo",
    "l": "log",
}
LOG_LINES = 20
HELP_INDENT = 15  # columns before the explanation of a command


class LeaveGame(Exception):
    """Raised when the person leaves the game."""


class Session(Screen):
    def __init__(self, state: State, people: frozenset[int], lang: str, bot: str) -> None:
        super().__init__(Table(state, people, bot, make=make_player), lang)
        self.file = Path(f"{state.game.program.id}-{state.seed}.json")
        self.given_rules = ""  # how the person named the rules, if a save cannot
        self.autosave = Autosave(state, lambda why: self.print(message(lang, "not_kept", why=why), style="yellow"))
        self.commands: dict[str, Callable[[str], None]] = {
            "board": self.board,
            "hand": lambda _: self.hand(),
            "help": lambda _: self.print_wrapped(map(Text, message(lang, "help").splitlines()), HELP_INDENT),
            "info": self.info,
            "log": self.log,
            "now": self.now,
            "options": lambda _: self.show_question(),
            "pay": self.pay,
            "quit": lambda _: self.leave(),
            "redo": lambda _: self.redo(),
            "save": self.save,
            "try": self.attempt,
            "wait": lambda _: self.wait(),
            "undo": lambda _: self.undo(),
            "why": self.why,
        }

    def run(self) -> int:
        with contextlib.suppress(ImportError):
            import readline  # noqa: F401  (line editing and history)
        title = self.state.game.texts.title(self.lang)
        head = message(self.lang, "seed", title=title, seats=self.state.seats, seed=self.state.seed)
        self.console.print(Text(head, style="bold"))
        try:
            self.narrator.skip(self.state)
            self.narrator.report(self.state)
            while self.state.decision is not None:
                if seat := self.table.person_to_ask():
                    self.ask(seat)
                else:
                    self.advance(self.table.bot_turn)
                    self.narrator.report(self.state)
        except (KeyboardInterrupt, EOFError, LeaveGame):
            self.print("\n" + message(self.lang, "left"))
            if self.write(free_file(self.file, self.state)):
                self.autosave.drop()
            return 0
        self.autosave.drop()
        self.draw()
        print_result(self.console, self.state, self.lang)
        keep_end(self.console, self.state, free_file(self.file, self.state), self.lang)
        return 0

    # ------------------------------------------------------------ one question

    def ask(self, seat: int) -> None:
        """Ask until the position has changed, or the person lets others answer first."""
        self.autosave.keep(self.state)
        self.current_question = self.table.asked(seat)
        before, waiting = self.state.digest(), len(self.table.waiting)
        self.hand_over(seat)
        self.show_question(self.needs_drawing())
        while self.state.digest() == before and len(self.table.waiting) == waiting:
            typed = normalise(ask(message(self.lang, "choice")))
            self.read(typed)
        self.current_question = None

    def read(self, typed: str) -> None:
        """A command, a number or the words of an answer."""
        if not typed:
            return self.show_more()
        word, _, rest = typed.partition(" ")
        word = "info" if word == "?" and rest else word
        name = ABBREVIATIONS.get(word.casefold(), word.casefold())
        if name in self.commands and (option := find_option(self.decision, typed, self.lang)) is None:
            self.commands[name](rest.strip())
        elif (option := self.chosen_option(typed)) is not None:
            if self.is_confirmed(option):
                self.take(option)
        elif self.listing().find_member(typed) is not None:
            together = f"{self.listing().labels[0]}, {typed}"
            self.print(message(self.lang, "later_alone", example=together), style="yellow")
        elif (number := self.unknown_number(typed)) is not None:
            self.print_option_range(number)
        else:
            self.answer_in_words(typed)

    def is_confirmed(self, option: Option) -> bool:
        """True if the person confirms an option; asks only for actions under `confirm` in `display.yaml`."""
        if self.decision.case(option.raw) not in self.state.game.program.display.confirm:
            return True
        typed = ask(message(self.lang, "sure", option=option.text(self.lang)))
        return normalise(typed).casefold() in ("y", "yes", "はい", "ok")

    def chosen_option(self, typed: str) -> Option | None:
        return self.listing().find(typed) or find_option(self.decision, typed, self.lang)

    def print_option_range(self, typed: str) -> None:
        """Print which numbers can be chosen."""
        labels = self.listing().labels
        self.print(message(self.lang, "number", n=shorten(typed, 12), low=labels[0], high=labels[-1]), style="yellow")

    def unknown_number(self, typed: str) -> str | None:
        """The first typed number that no option has; None if words were typed, or all numbers are known."""
        numbers = typed.replace(",", " ").split()
        if not all(number.isdecimal() for number in numbers):
            return None
        if len(numbers) > 1 and self.decision.shape not in ("some", "amounts"):
            return None
        find = self.listing().find_member
        return next((number for number in numbers if find(number) is None), None)

    def words_of_numbers(self, typed: str) -> list[str]:
        """The words of several options given by their numbers; empty if something else was typed."""
        labels = typed.replace(",", " ").split()
        options = [self.listing().find_member(label) for label in labels]
        if self.decision.shape not in ("some", "amounts") or len(labels) < 2:
            return []
        found = [option for option in options if option is not None and option.kind in ("add", "amount")]
        return [word for option in found for word in option.ids] if len(found) == len(labels) else []

    def answer_in_words(self, typed: str) -> None:
        """Take an answer in words, or explain why it is refused."""
        words = self.words_of_numbers(typed) or read_words(self.decision, typed, self.lang)
        try:
            self.answer(lambda: self.table.answer_in_words(self.decision.seat, words))
        except IllegalAnswer as refusal:
            guess = nearest(typed.split()[0], self.commands)
            if guess is not None and not self.is_known_word(words):
                self.print(message(self.lang, "command", typed=shorten(typed), guess=guess), style="yellow")
            elif not words_were_understood(getattr(refusal, "reasons", ())) and self.candidates(typed).found():
                self.print_why(typed)
            elif len(words) > 1 and not self.is_known_word(words[:1]) or not self.is_known_word(words):
                self.print(message(self.lang, "unknown", typed=shorten(typed)), style="yellow")
            else:
                self.print(message(self.lang, "refused"), style="yellow")
                reasons = (
                    reason_lines(self.decision, refusal.reasons, self.lang) if isinstance(refusal, Refused) else ()
                )
                for line in reasons or ("  " + refusal.message,):
                    self.print(line)

    def is_known_word(self, words: list[str]) -> bool:
        """True if the first word is a possible word of this question."""
        known = {
            w for a in self.decision.site.alternatives for b in a.binders for w in self.state.game.names.words_of(b[3])
        }
        known |= {a.name for a in self.decision.site.alternatives} | {"ready", "decline"}
        return bool(words) and (words[0] in known or words[0].isdecimal())

    def take(self, option: Option, paying: bool = False) -> None:
        self.answer(lambda: self.table.answer(option.decision.seat, option, paying))

    def answer(self, act: Callable[[], object]) -> None:
        self.advance(act)
        self.autosave.keep(self.state)
        self.narrator.report(self.state)

    def advance(self, act: Callable[[], object]) -> None:
        """Let `act` change the game; a fault of the ruleset saves it and ends the session."""
        try:
            act()
        except RulesetError as fault:
            if self.write(self.file):
                self.autosave.drop()
            raise CommandEnd(1, f"the game stops because of a fault in its ruleset: {fault}") from None

    def candidates(self, typed: str) -> Candidates:
        return Candidates(self.state, self.decision, typed, self.lang)

    # ------------------------------------------------------------ commands

    def why(self, rest: str) -> None:
        if not rest:
            self.print(message(self.lang, "why_what", example=" ".join(self.decision.options[0].ids)))
        else:
            self.print_why(rest)

    def print_why(self, typed: str) -> None:
        """Print why an answer is not offered."""
        for line in why(self.state, self.decision, typed, self.lang).lines:
            self.console.print(line)

    def attempt(self, rest: str) -> None:
        """Show what an option would change, unless chance or something hidden decides."""
        option = self.chosen_option(rest)
        if option is None and rest:
            self.print_why(rest)
            return
        if option is None:
            self.print(message(self.lang, "try_what", example=self.listing().labels[0]))
            return
        try:
            found = preview(self.state, option, self.lang)
        except RulesetError as fault:
            self.print(str(fault), style="yellow")
            return
        for line in found.lines or ([Text(message(self.lang, "try_nothing"))] if found.whole else []):
            self.console.print(line)
        if not found.whole:
            self.print(message(self.lang, "try_then" if found.lines else "try_chance"))

    def pay(self, rest: str) -> None:
        """Take an option, and choose how to pay for it."""
        option = self.chosen_option(rest)
        if option is None:
            self.print(message(self.lang, "pay_what", example=self.listing().labels[0]))
        else:
            self.take(option, paying=True)

    def now(self, rest: str) -> None:
        """List the actions out of turn, or take one by its number."""
        interrupts = self.interrupts()
        if rest.isdecimal() and 1 <= int(rest[:9]) <= len(interrupts):
            self.take(interrupts[int(rest) - 1][1])
            return
        if not interrupts:
            self.print(message(self.lang, "now_none"))
        for number, (seat, option) in enumerate(interrupts, 1):
            seat_note = f" ({message(self.lang, 'seat', seat=seat)})" if len(self.people) > 1 else ""
            self.print(f"  now {number}  {option.text(self.lang)}{seat_note}")

    def info(self, rest: str) -> None:
        game = self.state.game
        if not rest:
            example = next(iter(game.program.cards), None) or game.program.thing_ids[-1]
            self.print(message(self.lang, "info_what", example=example))
            return
        option = self.chosen_option(rest)
        if option is None and rest.isdecimal():
            return self.print_option_range(rest)
        options = [option] if option is not None else self.candidates(rest).about_an_answer()
        found = [option_names(self.state, self.decision.seat, o) for o in options]
        names = dict.fromkeys(name for names in found for name in names) if found else [rest]
        for name in names:
            self.print_wrapped(info_lines(self.state, self.decision.seat, self.lang, name, by_id=bool(found)), 4)

    def hand(self) -> None:
        found = hand_lines(self.state, self.decision.seat, self.lang)
        for line in found or [Text(message(self.lang, "no_hand"))]:
            self.console.print(line)

    def log(self, rest: str) -> None:
        limit = int(rest) if rest.isdecimal() and len(rest) < 8 else LOG_LINES
        found = self.narrator.history(self.state)
        for line in found[-limit:] if limit else []:
            self.print("  " + line)
        if not found:
            self.print(message(self.lang, "no_log"))

    def wait(self) -> None:
        """Let others answer first, if the question is open to several."""
        if not self.table.wait(self.decision.seat):
            self.print(message(self.lang, "wait_none"))

    def undo(self) -> None:
        if why_not := self.table.why_no_undo(self.decision.seat):
            self.print(message(self.lang, why_not))
            return
        self.table.undo(self.decision.seat)
        self.narrator.take_back(self.state)
        self.print(message(self.lang, "undone"))
        self.drawn_at = -1

    def redo(self) -> None:
        if not self.table.redo(self.decision.seat):
            self.print(message(self.lang, "redo_none"))
            return
        self.narrator.report(self.state)
        self.drawn_at = -1

    def save(self, rest: str) -> None:
        file = Path(os.path.expanduser(rest)) if rest else self.file
        if not rest:
            file = free_file(file, self.state)
        if os.path.exists(file) and not is_earlier_save(file, self.state):
            self.print(message(self.lang, "foreign", file=file), style="yellow")
        elif self.write(file):
            self.file = file

    def write(self, file: Path) -> bool:
        try:
            write_atomic(file, json.dumps(save(self.state), ensure_ascii=False))
        except (OSError, ValueError) as fault:  # ValueError: a name that no file can have
            why = fault.strerror if isinstance(fault, OSError) and fault.strerror else fault
            self.print(message(self.lang, "not_saved", file=file, why=why), style="yellow")
            return False
        told = message(self.lang, "saved", file=file, command=self.command_to_continue(file))
        self.console.print(Text(told), soft_wrap=True)  # whole, to be copied
        return True

    def command_to_continue(self, file: Path) -> str:
        seats = "" if self.people == {1} else f" --human {','.join(map(str, sorted(self.people)))}"
        rules = f"{shlex.quote(self.given_rules)} " if self.given_rules else ""
        return f"rulewright play {rules}--load {shlex.quote(str(file))}{seats}"

    def tell_of_left_games(self) -> None:
        """Say how to go on with the last game of this ruleset that nobody saved."""
        for file in left_games(self.state.game.program.id)[:1]:
            when = time.strftime("%Y-%m-%d %H:%M", time.localtime(file.stat().st_mtime))
            told = message(self.lang, "left_before", when=when, command=self.command_to_continue(file))
            self.console.print(Text(told, style="yellow"), soft_wrap=True)

    def leave(self) -> None:
        raise LeaveGame


def is_earlier_save(file: Path, state: State) -> bool:
    """True for a file that holds this game at an earlier point, so that overwriting it loses nothing."""
    try:
        data = read_save(file.read_text(encoding="utf-8")) if file.is_file() else {}
        log = data["log"]
        now = json.loads(json.dumps(save(state)))
        return all(data[key] == now[key] for key in ("digest", "seed", "options")) and log == now["log"][: len(log)]
    except (OSError, ValueError, KeyError, TypeError):
        return False


def free_file(file: Path, state: State) -> Path:
    """This file, or one with a number added to its name, that does not hold something else."""
    number, name = 1, file
    while os.path.exists(name) and not is_earlier_save(name, state):
        number += 1
        name = file.with_stem(f"{file.stem}-{number}")
    return name
