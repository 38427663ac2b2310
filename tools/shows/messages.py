"""The messages of the terminal while a game is played; texts of the game come from the ruleset."""

from __future__ import annotations

from dsl.files.phrases import phrase


def message(lang: str, key: str, **parts: object) -> str:
    """The message of this key in a language, with its parts filled in."""
    return phrase(lang, "terminal", key, **parts)
