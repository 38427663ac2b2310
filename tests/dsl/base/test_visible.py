"""Characters that act are shown as numbers; letters of every script, and what joins emoji, stay."""

from __future__ import annotations

import json
import unicodedata

import pytest

from dsl.base.visible import visible, visible_line

ACTING = [
    *map(chr, range(0x20)), "\x7f", *map(chr, range(0x80, 0xA0)), "\u061c", "\u200e", "\u200f", "\u2028", "\u2029",
    *map(chr, range(0x202A, 0x202F)), *map(chr, range(0x2066, 0x2070)), "\ufeff", "\ufff9", "\ud800", "\udcff",
]  # fmt: skip
PLAIN = ["Größe", "プレイヤー", "규칙", "שלום", "مرحبا", "👨‍👩‍👧", "❤️", "נ‌ב", "e\u0301", "\u3000", "a b", "\\u001b"]


@pytest.mark.parametrize("sign", [sign for sign in ACTING if sign not in "\n\t"], ids=lambda s: f"{ord(s):04x}")
def test_what_acts_is_shown_as_its_number(sign: str) -> None:
    assert visible(f"a{sign}b") == f"a\\u{ord(sign):04x}b"
    assert unicodedata.category(sign) in ("Cc", "Cf", "Zl", "Zp", "Cs")


@pytest.mark.parametrize("text", PLAIN)
def test_what_is_read_stays(text: str) -> None:
    assert visible(text) == text and visible_line(text) == text


def test_lines_stay_lines_where_they_may() -> None:
    assert visible("a\n\tb") == "a\n\tb"
    assert visible_line("a\n\tb") == "a\\u000a\\u0009b"


def test_json_means_the_same() -> None:
    data = {"a": "\u202e\x7f\ud800\x1b\n", "b": "日本"}
    text = visible(json.dumps(data, ensure_ascii=False))
    assert json.loads(text) == data and "\u202e" not in text and "日本" in text
