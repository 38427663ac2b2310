"""A game at a table: who may answer now, answers, undo, bots, waiting and chance.

Takes a state, the seats of people and the bots of the others. It knows no screen and no network: the terminal and the
server ask it. A state that it has shown is never changed, only replaced, so what fails in the middle leaves the game
as it was.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping

from interpreter import Decision, IllegalAnswer, Option, State, apply, moments
from interpreter import answer as answer_in_words
from interpreter.session.chance import ChanceEvent, Outcome
from interpreter.session.interrupts import open_decision
from interpreter.session.state import successor
from tools.simulation.bots import Bot, make_bot
from tools.table.history import AnswerHistory, Requests
from tools.table.rule_lines import record
from tools.table.undone import TakenBack, after_redo, after_undo


class Table:
    """A game in progress, with the people and bots who play it. `people`: the seats of people; `bots`: seat -> name of
    the bot that plays it, or one name for all other seats; `together`: whether all people sit at one screen; `chance`:
    the generator that settles what chance decides, where the game asks for it; `make`: makes a bot by its name and a
    seed. `changes`: for each change of the game, the length of the log before it or after it, whichever is less;
    `taken_back`: what readers see struck out; `requests`: whether somebody asks to take back what nobody may take back
    alone."""

    def __init__(
        self,
        state: State,
        people: frozenset[int],
        bots: Mapping[int, str] | str = "random",
        together: bool = True,
        chance: random.Random | None = None,
        make: Callable[[str, int], Bot] = make_bot,
    ) -> None:
        self.state, self.people, self.random = state, people, chance
        record(state)
        seats = range(1, state.seats + 1)
        names = dict.fromkeys(seats, bots) if isinstance(bots, str) else dict(bots)
        made = {name: make(name, state.seed) for name in names.values()}
        self.bots = {seat: made[name] for seat, name in names.items()}
        self.history = AnswerHistory(together)
        self.requests = Requests()
        self.changes: list[int] = []
        self.taken_back: list[TakenBack] = []
        self.waiting: set[tuple[int, int]] = set()  # seats that let others answer first, with the length of the log
        if chance is not None:
            self._settle(state)

    # ------------------------------------------------------------ who may answer

    @property
    def version(self) -> int:
        """The number of times that the game has changed at this table."""
        return len(self.changes)

    @property
    def over(self) -> bool:
        return self.state.over

    def asked(self, seat: int) -> Decision | None:
        """The decision that this seat may answer now: it is asked, or the question is open to it as well; else None."""
        decision = self.state.decision
        if decision is None or decision.seat == seat:
            return decision
        return open_decision(self.state, seat) if seat in decision.open_seats else None

    def moments(self, seat: int) -> list[Option]:
        """The actions that this seat may take out of turn."""
        return moments(self.state, seat)

    def lets_others_answer(self, seat: int) -> bool:
        """True if this seat has said that others may answer first, and none has since."""
        return (seat, len(self.state.log)) in self.waiting

    def person_to_ask(self) -> int:
        """The seat of a person who is asked, or who may answer before the seat that is asked; 0 if a bot answers."""
        decision = self.state.decision
        if decision is None:
            return 0
        if decision.seat in self.people:
            return decision.seat
        open_to = (seat for seat in decision.open_seats if seat in self.people)
        return next((seat for seat in open_to if not self.lets_others_answer(seat)), 0)

    # ------------------------------------------------------------ answers

    def answer(self, seat: int, option: Option, paying: bool = False) -> None:
        """Take an option of this seat, in turn or out of it; with `paying`, how it pays is asked. IllegalAnswer, and
        faults of the rules, leave the game as it was."""
        if option.decision.seat != seat:
            raise IllegalAnswer(f"seat {seat} is not asked this")
        self._take(seat, lambda state: apply(state, option, paying=paying))

    def answer_in_words(self, seat: int, words: list[str]) -> None:
        """Take a whole answer in words. IllegalAnswer has the reasons."""
        self._take(seat, lambda state: answer_in_words(state, words, seat))

    def wait(self, seat: int) -> bool:
        """Let others answer first; False if nobody else is asked."""
        if self.state.decision is None or self.state.decision.seat == seat:
            return False
        self.waiting.add((seat, len(self.state.log)))
        return True

    def bot_turn(self) -> bool:
        """Let a bot give one answer; False if a person is awaited or the game is over."""
        decision = self.state.decision
        if decision is None or self.person_to_ask():
            return False
        option = self.bots[decision.seat].choose(self.state)
        self._go_on(lambda state: apply(state, option))
        self.history.settle()
        return True

    def _take(self, seat: int, act: Callable[[State], object]) -> None:
        before = self.state
        self._go_on(act)
        self.history.add(before, seat)

    def _go_on(self, act: Callable[[State], object]) -> None:
        """Let `act` change a copy of the state, which then takes its place."""
        state = successor(self.state)
        act(state)
        self._settle(state)
        self._replace(state)

    def _settle(self, state: State) -> None:
        """Draw what chance decides, where the game asks for it."""
        while self.random is not None and state.chance is not None:
            apply(state, drawn(state.chance, self.random))

    def _replace(self, state: State) -> None:
        self.changes.append(min(len(self.state.log), len(state.log)))
        self.state = state
        self.requests.clear()

    # ------------------------------------------------------------ undo

    def why_no_undo(self, seat: int) -> str:
        """The reason why this seat cannot take back the last answer, as the name of a message; empty if it can."""
        return self.history.why_not(self.state, seat)

    def undo(self, seat: int) -> bool:
        """Take back the last answer; False, and nothing changes, where that cannot be."""
        if self.why_no_undo(seat):
            return False
        self._go_back(self.history.undo(self.state))
        return True

    def _go_back(self, state: State) -> None:
        before = self.state
        self._replace(state)
        self.taken_back = after_undo(self.taken_back, before, state)
        self.waiting = {one for one in self.waiting if one[1] <= len(state.log)}

    def may_redo(self, seat: int) -> bool:
        return self.history.may_redo(seat)

    def redo(self, seat: int) -> bool:
        """Give again the answer that was taken back last; False where there is none of this seat."""
        if not self.may_redo(seat):
            return False
        before = self.state
        self._replace(self.history.redo())
        self.taken_back = after_redo(self.taken_back, before, self.state)
        return True

    # ------------------------------------------------------------ undo by leave of all

    def may_ask_back(self, seat: int) -> bool:
        """True if this seat may ask all people to go back before its last answer, since it may not do so alone."""
        asks = seat in self.people and self.requests.may_ask(seat) and self.history.last_of(seat) >= 0
        return asks and bool(self.why_no_undo(seat))

    def ask_back(self, seat: int) -> bool:
        """Ask all people to go back before one's last answer; False where that may not be asked. Where nobody else is
        to agree, it is taken back at once."""
        if not self.may_ask_back(seat):
            return False
        self.requests.ask(seat)
        self._grant()
        return True

    def awaits_reply(self, seat: int) -> bool:
        """True if this seat is to agree to an open request, or to refuse it."""
        return self.requests.awaits(seat, self.people)

    def reply(self, seat: int, agrees: bool) -> bool:
        """Agree to the open request, or refuse it; False where this seat is not awaited."""
        if not self.awaits_reply(seat):
            return False
        self.requests.reply(seat, agrees)
        self._grant()
        return True

    def _grant(self) -> None:
        """Go back where all have agreed."""
        if (one := self.requests.open) is not None and self.requests.granted(self.people):
            self._go_back(self.history.back_to(self.history.last_of(one.seat)))


def drawn(event: ChanceEvent, chance: random.Random) -> Outcome:
    """An outcome by its weight."""
    number = chance.randrange(sum(outcome.weight for outcome in event.outcomes))
    for outcome in event.outcomes:
        number -= outcome.weight
        if number < 0:
            return outcome
    raise AssertionError("the weights add up to the total")
