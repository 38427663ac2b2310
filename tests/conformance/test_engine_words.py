"""The engine knows no game: no kind, thing, member or title of a ruleset is a word of its code, comments or messages.

The words are taken from the rulesets themselves, so that a new ruleset is covered as soon as it is there.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.conformance.tables import ROOT, load

ENGINE = ("dsl", "interpreter", "tools")
WORD = re.compile(r"[A-Za-z]+(?:_[A-Za-z0-9]+)*")
FOREIGN = re.compile(r"sqlite3\.connect\(|probe\.connect\(|connect-src")  # words of others, for sockets and stores
# Words that every engine of this sort needs, whatever the game.
ORDINARY = frozenset(
    "card cause cell character column corner deal direction east edge element face guard heap hex letter line".split()
    + "guess lab rank right row seat section seed space square stack wrong".split()
    + "age blue bonus branch construction event family happy library marked mine navigation prepared side".split()
    + "special symbol the through yellow".split()
    + "advance board epoch flood good group hides media site stone tokens unit white whole".split()
    + "blank colour combined crop fault form green head level marine mutation part".split()
    + "plain red resource shape spot".split()
    + "black centre equality freedom game information lab left look seal sort start top token track warming".split()
    + "one ones two twos three threes four fours five fives six sixes seven eight nine ten".split()
)


def words_of(folder: str) -> set[str]:
    """The words by which this game would be known: not its causes and options, which are everyday words."""
    program = load(folder).program
    plain = {program.causes} | {o.domain for o in program.options}
    found = set(WORD.findall(" ".join(program.title.values())))
    for domain in program.domains.values():
        if domain.name not in plain:
            found |= {domain.name, *domain.ids}
    return {w.lower() for w in found if len(w) > 2 and WORD.fullmatch(w)} - ORDINARY


@pytest.mark.parametrize("path", sorted((ROOT / "rulesets").glob("*/")), ids=lambda p: p.name)
def test_no_word_of_a_ruleset_is_in_the_engine(path: Path) -> None:
    words = words_of(str(path.relative_to(ROOT)))
    assert words
    found = []
    for file in sorted(f for folder in ENGINE for f in (ROOT / folder).rglob("*")):
        if file.suffix in {".py", ".lark", ".yaml", ".md"}:
            for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
                found += [
                    f"{file.relative_to(ROOT)}:{number}: `{word}`: {line.strip()}"
                    for word in WORD.findall(FOREIGN.sub("", line))
                    if word.lower() in words or word.lower().removesuffix("s") in words
                ]
    assert not found, "\n".join(found)
