"""Characters that do something to a terminal, or to the order of a line, made visible.

Texts of rulesets, saves and file names come from anybody. Where they are shown to people, control characters,
characters that turn the direction of writing, and halves of characters appear as `\\u001b`, which also means the same
in JSON. Letters of every script and what joins emoji stay as they are.
"""

from __future__ import annotations

import re

# control characters but line feed and tab; marks, embeddings and isolates of direction; separators of lines and
# paragraphs; deprecated format characters; the byte order mark; annotations; halves of characters
_ACTING = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u206f\ufeff\ufff9-\ufffb\ud800-\udfff]"
)


def visible(text: str) -> str:
    """The text with every character that would act instead of being shown written as its number; lines stay lines."""
    return _ACTING.sub(_number, text) if _ACTING.search(text) else text


def visible_line(text: str) -> str:
    """The same on one line: line feeds and tabs are written as numbers too."""
    return visible(text).replace("\n", "\\u000a").replace("\t", "\\u0009")


def _number(found: re.Match[str]) -> str:
    return f"\\u{ord(found[0]):04x}"
