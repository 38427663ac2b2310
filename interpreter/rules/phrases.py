"""What the tool itself says, in every language that there is a file for in `languages`.

A file `TAG.toml` beside this module holds the phrases of one language: `[engine]` for what is said of a game (options,
log, reasons; a ruleset overrides a phrase of it by a text under `engine.`), `[trace]`, `[terminal]` and `[site]`. What
a file does not say is said in the shorter tag (`pt` for `pt-BR`), then in English. In a phrase, `{name}` is a part and
`{n|card|cards}` picks a form by a number; `plural` under `[engine]` says which, in the notation of gettext.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path

FALLBACK = "en"
FOLDER = Path(__file__).with_name("languages")
PLACEHOLDER = re.compile(r"\{([^{}]*)\}")

Sections = dict[str, dict[str, str]]


class Worded(str):
    """A text with forms for numbers, which remembers the language that it is written in: after a fallback that is not
    the language of the reader."""

    language: str


def worded(text: str, language: str) -> str:
    """The text, with its language if it has forms for numbers."""
    if "|" not in text:
        return text
    found = Worded(text)
    found.language = language
    return found


@cache
def languages() -> tuple[str, ...]:
    """The tags of the languages that the tool speaks, English first."""
    return (FALLBACK, *sorted(path.stem for path in FOLDER.glob("*.toml") if path.stem != FALLBACK))


@cache
def shorter_tags(tag: str) -> tuple[str, ...]:
    """The tag and its beginnings: `zh-Hant-TW`, `zh-Hant`, `zh`."""
    parts = tag.split("-")
    return tuple("-".join(parts[:n]) for n in range(len(parts), 0, -1))


@cache
def sections(tag: str) -> Sections:
    """The phrases of one file; none where there is no file."""
    import tomllib

    if tag not in languages():
        return {}
    found: Sections = tomllib.loads((FOLDER / f"{tag}.toml").read_text(encoding="utf-8"))
    return found


@cache
def template(lang: str, section: str, key: str) -> str:
    """The phrase of this key in the language, in its shorter tags or in English, parts not yet filled in."""
    for tag in shorter_tags(lang):
        found = sections(tag).get(section, {}).get(key)
        if found is not None:
            return worded(found, tag)
    return worded(sections(FALLBACK)[section][key], FALLBACK)


def phrase(lang: str, section: str, key: str, **parts: object) -> str:
    """The phrase of this key in the language, with its parts filled in."""
    text = template(lang, section, key)
    return fill(text, parts, lambda tag: template(tag, "engine", "plural")) if parts else text


def fill(text: str, parts: Mapping[str, object], plural_of: Callable[[str], str]) -> str:
    """Replace `{name}` by the part of this name, and `{name|form|...}` by the form that fits its number. `plural_of`:
    from a language to its rule."""

    def one(found: re.Match[str]) -> str:
        name, *forms = found[1].split("|")
        if name not in parts:
            return found[0]
        if not forms:
            return str(parts[name])
        return pick_form(forms, parts[name], plural_of(text.language if isinstance(text, Worded) else FALLBACK))

    return PLACEHOLDER.sub(one, text)


def pick_form(forms: list[str], number: object, plural: str) -> str:
    """The form for a number by the rule of a language; the last one for what is no number."""
    try:
        return forms[min(max(plural_rule(plural)(abs(int(str(number)))), 0), len(forms) - 1)]
    except (ValueError, ArithmeticError):
        return forms[-1]


@cache
def plural_rule(expression: str) -> Callable[[int], int]:
    """From a number to the index of its form, as the `plural=` of gettext says it.

    Raises:
        ValueError: the expression is none.
    """
    from gettext import c2py

    rule: Callable[[int], int] = c2py(expression)
    return rule
