"""A reason against an answer, and the error that carries reasons.

A `Reason` is data: what stands in the way, its clauses, and the same in words that wait for the language of the reader.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from interpreter.core.errors import IllegalAnswer
from interpreter.rules.messages import Message, in_english, message
from interpreter.session.decision import Decision
from interpreter.session.state import State


@dataclass(frozen=True, slots=True)
class Reason:
    """A reason why an answer is not offered. `seen` are (operand, value) pairs; `key` names the guard's text in the
    locale; `hidden`: the reader may not see what it reads, so there are no values. `message` says what stands in the
    way as people who play say it, if it can be said so; `text` is the condition as the rules have it, or the message.

    kind    `guard`, `such that`, `domain`, `bound`, `plan`, `order`; `offer`: the question has no such alternative;
            `type`: the alternative takes other words; `way`: no way to pay or gain; `word`: no answer to this question;
            `turn`: another seat is asked; `over`: nothing is asked
    """

    kind: str
    text: str
    cites: tuple[str, ...] = ()
    seen: tuple[tuple[str, str], ...] = ()
    because: str = ""
    key: str = ""
    hidden: bool = False
    message: Message = ()

    def line(self) -> str:
        """The reason as one sentence, for designers: in the words of the rules."""
        text = "hidden" if self.hidden else self.because or self.text
        if self.because and not self.hidden:
            text += f" (`{self.text}` is false)"
        values = "; ".join(f"{name} is {value}" for name, value in self.seen)
        clauses = f" [{', '.join(self.cites)}]" if self.cites else ""
        return text + (f": {values}" if values else "") + clauses


class Refused(IllegalAnswer):
    """An answer that is not offered, with all its reasons."""

    def __init__(self, message: str, reasons: Sequence[Reason]) -> None:
        first = reasons[0]
        super().__init__(message, first.text, first.seen, first.cites)
        self.reasons = tuple(reasons)


def engine_reason(kind: str, sentences: Message, cites: tuple[str, ...] = ()) -> Reason:
    """A reason whose text is a message of the engine."""
    return Reason(kind, in_english(sentences), cites, message=sentences)


def nothing_asked(state: State) -> Reason:
    """The reason that no question is open: the game is over, or waits for chance, or the routine that was started has
    run out."""
    if state.over:
        return engine_reason("over", message("why_over"))
    return engine_reason("over", message("why_chance" if state.chance else "why_run_out"))


def turn_reason(decision: Decision, who: str | int) -> Reason:
    return engine_reason("turn", message("why_turn", actor=decision.actor, address=decision.address, who=str(who)))
