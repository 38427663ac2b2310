"""Lines as messages and answers as options, apart from any server."""

from __future__ import annotations

import io

import pytest

import interpreter as rw
from tests.conformance.tables import load
from tools.wire.lines import WireError, line_of, parsed, read_line
from tools.wire.questions import chosen, options_for, question_of


def code(line: bytes) -> str:
    with pytest.raises(WireError) as raised:
        parsed(line)
    return raised.value.code


def test_a_message_comes_back_from_its_line() -> None:
    message = {"do": "x", "text": "é\n\ud800", "list": [1, None, True]}
    assert parsed(line_of(message)) == message and line_of(message).count(b"\n") == 1


def test_what_is_no_message_is_refused() -> None:
    assert [code(line) for line in (b"\xc3", b"{", b"Infinity", b"3")] == [
        "bad_utf8", "bad_json", "bad_json", "bad_message",
    ]  # fmt: skip


def test_a_line_may_have_exactly_the_most_bytes() -> None:
    stream = io.BytesIO(b"1234\n" + b"x" * 200_000 + b"\nlast")
    assert read_line(stream, 4) == b"1234\n"
    with pytest.raises(WireError):
        read_line(stream, 4)
    assert read_line(stream, 4) == b"last" and read_line(stream, 4) is None


def test_an_answer_means_an_option() -> None:
    state = load("rulesets/kuhn_poker").new(seed=1)
    decision = state.decision
    assert decision is not None
    options = options_for(state, decision, decision.seat)
    rows = question_of(decision, options, None)["options"]
    for row, option in zip(rows, rw.legal(state), strict=True):
        assert chosen(options, {"number": row["number"]}) == chosen(options, {"ids": row["ids"]}) == option
    assert chosen(options, {"ids": ["nothing"]}) is None
    for wrong in ({}, {"number": 0, "ids": []}, {"number": True}, {"number": 0.0}, {"ids": "bet"}, {"ids": [1]}):
        with pytest.raises(WireError, match="."):
            chosen(options, wrong)
