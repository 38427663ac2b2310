"""Phrases that the tool itself says, in every language that there is a file for in `languages`.

A file `TAG.toml` beside this module holds the phrases of one language: `[engine]` for what is said of a game (options,
log, reasons; a ruleset overrides a phrase of it by a text under `engine.`), `[trace]`, `[terminal]`, `[site]` and one
section for each command that reports in words. What a file does not say is said in the shorter tag (`pt` for `pt-BR`),
then in English. In a phrase, `{name}` is a part, and `{n|card|cards}` picks a form by a number; `plural` under
`[engine]` says which, in the notation of gettext.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cache, partial
from pathlib import Path

FALLBACK = "en"
FOLDER = Path(__file__).with_name("languages")
PLACEHOLDER = re.compile(r"\{([^{}]*)\}")
TAG = re.compile(
    r"[A-Za-z]{2,3}([-_][A-Za-z]{4})?([-_]([A-Za-z]{2}|[0-9]{3}))?([-_]([A-Za-z0-9]{5,8}|[0-9][A-Za-z0-9]{3}))*"
)
FORMS = {2: str.upper, 4: str.capitalize}  # of the parts of a tag, by their length: region, script
CODES = (  # languages with two letters, ISO 639-1
    "aa ab ae af ak am an ar as av ay az ba be bg bh bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de dv dz ee el en "
    "eo es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia id ie ig ii ik io is it iu ja jv "
    "ka kg ki kj kk kl km kn ko kr ks ku kv kw ky la lb lg li ln lo lt lu lv mg mh mi mk ml mn mr ms mt my na nb nd ne "
    "ng nl nn no nr nv ny oc oj om or os pa pi pl ps pt qu rm rn ro ru rw sa sc sd se sg si sk sl sm sn so sq sr ss st "
    "su sv sw ta te tg th ti tk tl tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi yo za zh zu"
)

Sections = dict[str, dict[str, str]]
Say = Callable[..., str]  # a key with its parts -> the phrase of one section in one language


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


def canonical_tag(text: str) -> str | None:
    """The tag of a language as it is written (`pt-BR`, `zh-Hant`), from one in any case, with `-` or `_`; None for a
    text that is none."""
    if not TAG.fullmatch(text):
        return None
    language, *rest = re.split("[-_]", text)
    if len(language) == 2 and language.lower() not in CODES.split():
        return None
    return "-".join([language.lower(), *(FORMS.get(len(part), str.lower)(part) for part in rest)])


@cache
def shorter_tags(tag: str) -> tuple[str, ...]:
    """The tag and its beginnings: `zh-Hant-TW`, `zh-Hant`, `zh`."""
    parts = tag.split("-")
    return tuple("-".join(parts[:n]) for n in range(len(parts), 0, -1))


def by_language(texts: Mapping[str, str], lang: str) -> tuple[str, str]:
    """The text in this language, or whose language is not said, of texts by language; else the first one with its
    language, which is empty where the text needs no such note."""
    for tag in ("", *shorter_tags(lang)):
        if tag in texts:
            return texts[tag], ""
    return next(((text, tag) for tag, text in texts.items()), ("", ""))


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


def phrases_of(lang: str, section: str) -> Say:
    """The phrases of a section in a language."""
    return partial(phrase, lang, section)


def placeholder_parts(written: str) -> tuple[str, list[str]]:
    """The name in a placeholder, and its forms as they are written: a space in them is said as well."""
    name, *forms = written.split("|")
    return name.strip(), forms


def fill(text: str, parts: Mapping[str, object], plural_of: Callable[[str], str]) -> str:
    """Replace `{name}` by the part of this name, and `{name|form|...}` by the form that fits its number. `plural_of`:
    from a language to its rule."""

    def one(found: re.Match[str]) -> str:
        name, forms = placeholder_parts(found[1])
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
    """The function from a number to the index of its form that the `plural=` of gettext says.

    Raises:
        ValueError: the expression is none.
    """
    from gettext import c2py

    rule: Callable[[int], int] = c2py(expression)
    return rule
