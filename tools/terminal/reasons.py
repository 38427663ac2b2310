"""Why an answer is not offered: the reasons as lines, leaf by leaf with values and clauses.

Takes a decision and the typed words of an answer.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.console import Console
from rich.text import Text

from interpreter import Decision, Reason, State, explain
from interpreter.rules.messages import message as engine_message
from interpreter.session.matching import best_match
from tools.base.errors import shorten
from tools.display.messages import message
from tools.display.typed_answers import read_words
from tools.terminal.options import list_options

NOTHING_MORE = engine_message("why_nobody")  # says nothing besides a reason of the rules


def print_why(console: Console, state: State, decision: Decision, typed: str, lang: str) -> bool:
    """Print why an answer is not offered; True if it is offered. A number alone means an option of the list."""
    words, offered = read_words(decision, typed, lang), list_options(decision, lang)
    if (option := offered.find(typed)) is not None:
        words = list(option.ids)
    elif typed.isdigit() and words == [typed] and decision.shape != "number":
        low, high = offered.labels[0], offered.labels[-1]
        console.print(Text(message(lang, "number", n=shorten(typed, 12), low=low, high=high), style="yellow"))
        return False
    reasons = explain(state, words, decision.seat)
    if not reasons:
        found, _ = best_match(decision, words)
        shown = option or found
        label = next((label for label, o in offered.rows if o == shown), "?")
        text = shown.text(lang) if shown is not None else " ".join(words)
        console.print(Text(message(lang, "offered", words=text, n=label), style="green"))
        return True
    console.print(Text(message(lang, "not_offered", words=" ".join(words)), style="yellow"))
    for line in reason_lines(decision, reasons, lang):
        console.print(line)
    return False


def reason_lines(decision: Decision, reasons: Sequence[Reason], lang: str) -> Iterator[str]:
    """The lines of all reasons, indented under the answer."""
    for reason in reasons:
        for line in lines_of_reason(decision, reason, lang):
            yield "  " + line


def lines_of_reason(decision: Decision, reason: Reason, lang: str) -> list[str]:
    """One reason in words that people who play say, and the clauses with their titles. A condition without such words
    is shown as the rules have it, with the values seen, unless the rules say why it stands."""
    texts = decision.game.texts
    because = (texts.find(lang, reason.key) if reason.key else None) or reason.because
    says_more = reason.message and not (because and reason.message == NOTHING_MORE)
    words = texts.render(lang, reason.message) if says_more else ""
    seen: tuple[tuple[str, str], ...] = ()
    if reason.hidden:
        lines = [message(lang, "hidden")]
    elif words:
        lines = [message(lang, "in_detail", text=because, words=words) if because else words]
    else:
        lines = [because or reason.text]
        seen = reason.seen if not because else ()
    lines += ["  " + message(lang, "seen", name=name, value=value) for name, value in seen]
    lines += [f"  [{clause}] {texts.clause(lang, clause)}".rstrip() for clause in reason.cites]
    return lines
