"""A question with its options as plain data, and the option that an answer means.

An answer is the number of an option in the list (from 0), or its words. Actions `at any moment` stand behind the
options of the question itself, marked as `out_of_turn`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from interpreter import Decision, Option, State, moments
from interpreter.session.interrupts import open_decision
from tools.wire.lines import WireError


def asked(state: State, seat: int) -> Decision | None:
    """The decision that this seat may answer now: it is asked, or the question is open to it as well; else None."""
    decision = state.decision
    if decision is None or decision.seat == seat:
        return decision
    return open_decision(state, seat) if seat in decision.open_seats else None


def options_for(state: State, decision: Decision | None, seat: int) -> list[Option]:
    """All that a seat may answer now: the options of its question, then its actions `at any moment`."""
    own = list(decision.options) if decision is not None else []
    return own + moments(state, seat) if state.game.program.moment_proc >= 0 else own


def question_of(
    decision: Decision | None,
    options: Sequence[Option],
    lang: str | None,
    actions: Mapping[Option, int] | None = None,
) -> dict[str, Any]:
    """A question as data, for the seat that may answer it. `lang`: the language of its texts, None: none; `actions`:
    fixed numbers of the options, to be told as well. `decision`: None where there are only actions out of turn."""
    shown: dict[str, Any] = {}
    if decision is not None:
        shown = {"seat": decision.seat, "actor": decision.actor, "address": decision.address, "shape": decision.shape}
        shown["open_seats"] = list(decision.open_seats)
        if lang is not None:
            shown["prompt"] = decision.prompt(lang)
    rows = shown["options"] = []
    for number, option in enumerate(options):
        row: dict[str, Any] = {"number": number, "kind": option.kind, "ids": words_of(option)}
        if option.decision is not decision:
            row["out_of_turn"] = True
        elif actions is not None:
            row["action"] = actions[option]
        if lang is not None:
            row["text"] = option.text(lang)
        rows.append(row)
    if decision is not None and decision.undecided:
        shown["undecided"] = [words_of(option) for option in decision.undecided]
    return shown


def words_of(option: Option) -> list[str]:
    """The words of an option; its kind where it has none (`ready`, `decline`)."""
    return list(option.ids) or [option.kind]


def chosen(options: Sequence[Option], answer: Mapping[str, Any]) -> Option | None:
    """The option with the `number` or exactly the `ids` of an answer; None if no option has these words. Raises
    WireError for a number that is not in the list, or an answer that is none."""
    number, ids = answer.get("number"), answer.get("ids")
    if (number is None) == (ids is None):
        raise WireError("bad_field", "an answer has either a `number` or `ids`")
    if ids is not None:
        if not isinstance(ids, list) or not all(isinstance(word, str) for word in ids):
            raise WireError("bad_field", "`ids` should be a list of texts")
        return next((option for option in options if words_of(option) == ids), None)
    if type(number) is not int:
        raise WireError("bad_field", "`number` should be a whole number")
    if not 0 <= number < len(options):
        raise WireError("not_offered", f"`number` should be one of the {len(options)} from 0 on")
    return options[number]
