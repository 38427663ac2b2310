"""Words of the table besides the texts of the game."""

from __future__ import annotations

from dsl.files.phrases import phrase


def say(lang: str, key: str, **parts: object) -> str:
    """The phrase of this key, with its parts filled in."""
    return phrase(lang, "web", key, **parts)
