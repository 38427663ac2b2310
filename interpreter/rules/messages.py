"""Messages that wait for the language of their reader: reasons, and what stands in them.

A `Message` is a row of sentences, each the key of a phrase of the engine (`interpreter.rules.phrases`) with its named
parts; a part is a text, which is the same in all languages, or a message again.
"""

from __future__ import annotations

from typing import TypeAlias, Union

from interpreter.rules.phrases import FALLBACK, phrase

MessageParts: TypeAlias = "tuple[tuple[str, Union[str, Message]], ...]"
Message: TypeAlias = tuple[tuple[str, MessageParts], ...]


def message(key: str, **parts: str | Message) -> Message:
    """A message of one sentence."""
    return ((key, tuple(parts.items())),)


def join_messages(messages: list[Message]) -> Message:
    """The messages as one list, with the separator of its language between them."""
    found: Message = ()
    for number, part in enumerate(messages):
        found += (message("and") if number else ()) + part
    return found


def in_english(sentences: Message) -> str:
    """The message in English, for logs, rulings and errors."""
    parts = ((key, {n: p if isinstance(p, str) else in_english(p) for n, p in parts}) for key, parts in sentences)
    return "".join(phrase(FALLBACK, "engine", key, **values) for key, values in parts)
