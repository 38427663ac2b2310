"""How complete each language is: the texts of a ruleset, and the phrases of the tool itself."""

from __future__ import annotations

from dataclasses import dataclass

from dsl.files.phrases import FALLBACK, languages, sections
from dsl.program import Program


@dataclass(frozen=True, slots=True)
class Completeness:
    """`missing`: the addresses without a text in this language, of `wanted` in all."""

    language: str
    wanted: int
    missing: tuple[str, ...]

    def to_json(self) -> dict[str, object]:
        found = self.wanted - len(self.missing)
        return {"language": self.language, "texts": found, "of": self.wanted, "missing": list(self.missing)}


def of_ruleset(program: Program) -> list[Completeness]:
    """The languages of a ruleset, the first language first."""
    return [
        Completeness(lang, len(program.wanted), tuple(a for a in program.wanted if a not in table))
        for lang, table in program.texts.items()
    ]


def of_tool() -> list[Completeness]:
    """The languages that the tool speaks, English first."""
    phrases = [(section, key) for section, keys in sections(FALLBACK).items() for key in keys]
    return [
        Completeness(
            lang, len(phrases), tuple(f"{s}.{key}" for s, key in phrases if key not in sections(lang).get(s, {}))
        )
        for lang in languages()
    ]
