"""The games of the repository as tests load them, each once in a process."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from dsl.files.ruleset import errata_of, variants_of
from tools.pytest_plugin import load_rules

ROOT = Path(__file__).resolve().parents[1]


def overlay_suffixes(path: Path) -> list[str]:
    """The suffixes of a ruleset's name for its tables: each of its variants, and all of its errata."""
    return [f"+{p.stem}" for p in variants_of(path)] + (["@9999-12-31"] if errata_of(path) else [])


def references() -> Iterator[str]:
    """Every ruleset of the repository, alone and with each overlay; none where the engine stands without games."""
    for path in sorted(p for p in (ROOT / "rulesets").glob("*") if p.is_dir()):
        yield from (f"{path}{suffix}" for suffix in ("", *overlay_suffixes(path)))


def load_from_the_end() -> None:
    """Load all games, the last first: another process that begins with the first one meets this one half way, and each
    takes from the cache what the other has compiled."""
    for reference in reversed([*references()]):
        load_rules(reference)
