"""Messages that wait for the language of their reader: reasons, and what stands in them.

A `Message` is a row of sentences, each the key of a phrase of the engine (`dsl.files.phrases`) with its named
parts; a part is a text, which is the same in all languages, a value or text of the ruleset, or a message again.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias, Union

from dsl.base.types import Type
from dsl.files.phrases import FALLBACK, phrase


@dataclass(frozen=True, slots=True)
class Named:
    """A value with its type, as a text shows it."""

    value: Any
    type: Type


@dataclass(frozen=True, slots=True)
class TextLabel:
    """A text of the ruleset: the first of these keys that has one, else the last with spaces for underscores."""

    keys: tuple[str, ...]

    @property
    def words(self) -> str:
        return self.keys[-1].replace("_", " ")


MessageParts: TypeAlias = "tuple[tuple[str, Union[str, Named, TextLabel, Message]], ...]"
Message: TypeAlias = tuple[tuple[str, MessageParts], ...]


def message(key: str, **parts: str | Named | TextLabel | Message) -> Message:
    """A message of one sentence."""
    return ((key, tuple(parts.items())),)


def join_messages(messages: list[Message]) -> Message:
    """The messages as one list, with the separator of its language between them."""
    found: Message = ()
    for number, part in enumerate(messages):
        found += (message("and") if number else ()) + part
    return found


def in_english(sentences: Message) -> str:
    """The message in English, for logs, rulings and errors; without values of the ruleset."""

    def text(part: str | Named | TextLabel | Message) -> str:
        if isinstance(part, Named):
            return str(part.value)
        return part if isinstance(part, str) else part.words if isinstance(part, TextLabel) else in_english(part)

    parts = ((key, {name: text(part) for name, part in parts}) for key, parts in sentences)
    return "".join(phrase(FALLBACK, "engine", key, **values) for key, values in parts)
