"""Mistakes of ten kinds at random: what a tired keeper of a ruleset does with one stroke of the keyboard.

`plant` takes the games and a random generator and gives mistakes, the kinds in turn. A misspelt word is never another
word of the game or of the language, and only words are misspelt for which the rest of the game has a use: a word that
occurs nowhere else may be as it is.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from random import Random

from dsl.syntax.vocabulary import CLASSES, STARTERS
from tests.dsl.slips import Ruleset, names
from tests.mistakes.games import HEAVY, WORD, Game

KINDS = (
    "word of the language",
    "name in rules",
    "head of a card",
    "row of a card",
    "data",
    "key of a text",
    "ruling",
    "overlay",
    "manifest",
    "punctuation",
)
COMMENT_OR_TEXT = re.compile(r'#[^\n]*|"(?:[^"\\\n]|\\.)*"')
FIRST_WORDS = {word.split()[0] for word in STARTERS}
LANGUAGE = {part for word in CLASSES for part in word.split()}
FULL_WIDTH = {"(": "\uff08", ")": "\uff09", ":": "\uff1a", ",": "\uff0c"}
IN_RULINGS = re.compile(
    r"^ +given (\w+)|^position \w+ \"[^\"]*\" from (\w+)|^ +do (\w+)|^ +(?!given|when|expect)(\w+)\.\w+.*:"
    r"|^ +\w+\.(\w+)[.\w\[\]]*:|chooses ([a-z]\w+)",
    re.MULTILINE,
)


@dataclass(frozen=True)
class Place:
    """A part of a file that may be replaced."""

    game: Game
    file: str
    start: int
    end: int

    @property
    def text(self) -> str:
        return self.game.sources[self.file][self.start : self.end]


@dataclass(frozen=True)
class Mistake:
    kind: str
    place: Place
    after: str

    @property
    def text(self) -> str:
        """The whole file with the mistake in it."""
        whole = self.place.game.sources[self.place.file]
        return whole[: self.place.start] + self.after + whole[self.place.end :]

    @property
    def line(self) -> int:
        return self.place.game.sources[self.place.file].count("\n", 0, self.place.start) + 1

    def __str__(self) -> str:
        return f"{self.place.file}:{self.line}: {self.kind}: `{self.place.text}` -> `{self.after}`"


def plant(games: Sequence[Game], overlaid: Sequence[Game], random: Random, count: int) -> list[Mistake]:
    """`count` mistakes, four of five in the heavy games."""
    heavy = [game for game in games if game.name in HEAVY]
    light = [game for game in games if game.name not in HEAVY]
    made: list[Mistake] = []
    while len(made) < count:
        kind = KINDS[len(made) % len(KINDS)]
        chosen = random.choice(overlaid if kind == "overlay" else heavy if random.random() < 0.8 else light)
        places = list(PLACES[kind](chosen))
        if places and (mistake := spoil(kind, random.choice(places), random)):
            made.append(mistake)
    return made


def spoil(kind: str, place: Place, random: Random) -> Mistake | None:
    if kind == "punctuation":
        return Mistake(kind, place, spoilt_sign(place.text, random))
    wrong = misspelt(place.text, random)
    known = wrong in place.game.words or wrong in LANGUAGE
    return None if known or not WORD.fullmatch(wrong) else Mistake(kind, place, wrong)


def misspelt(word: str, random: Random) -> str:
    """The word with one letter lost, doubled or swapped with its neighbour."""
    at = random.randrange(len(word) - 1)
    return random.choice(
        [
            word[:at] + word[at + 1 :],
            word[:at] + word[at] + word[at:],
            word[:at] + word[at + 1] + word[at] + word[at + 2 :],
        ]
    )


def spoilt_sign(sign: str, random: Random) -> str:
    if not sign.strip():
        return "\t"
    return random.choice(["", FULL_WIDTH[sign]]) if sign in FULL_WIDTH else ""


# ---------------------------------------------------------------- where


def blanked(text: str) -> str:
    """The text without its comments and quoted texts, at the same offsets."""
    return COMMENT_OR_TEXT.sub(lambda match: " " * len(match[0]), text)


def matches(game: Game, pattern: re.Pattern[str], suffixes: tuple[str, ...], within: str = "") -> Iterator[Place]:
    """The groups of a pattern in all files with one of these suffixes whose name holds `within`."""
    for file, text in sorted(game.sources.items()):
        if file.endswith(suffixes) and within in file:
            for match in pattern.finditer(blanked(text)):
                for group in range(1, pattern.groups + 1):
                    if match.start(group) >= 0:
                        yield Place(game, file, match.start(group), match.end(group))


def words_of_the_language(game: Game) -> Iterator[Place]:
    found = matches(game, re.compile(r"(?:^ +|: )([a-z]+)\b(?= )", re.MULTILINE), (".rules", ".cards"))
    return (place for place in found if place.text in FIRST_WORDS and len(place.text) > 2)


def names_in_rules(game: Game) -> Iterator[Place]:
    rules = {f: t for f, t in sorted(game.sources.items()) if f.endswith((".rules", ".cards"))}
    return (Place(game, span.file, span.start, span.end) for span in names(Ruleset(rules, {})))


def heads_of_cards(game: Game) -> Iterator[Place]:
    return used_elsewhere(matches(game, re.compile(r"^(card) (\w+) *: *(\w+)", re.MULTILINE), (".cards",)))


def rows_of_cards(game: Game) -> Iterator[Place]:
    return (p for p in matches(game, re.compile(r"^    (\w+):", re.MULTILINE), (".cards",)) if len(p.text) > 2)


def words_in_data(game: Game) -> Iterator[Place]:
    pattern = re.compile(r"^(?!source|confidence|title|name)\W*(\w+):|[:\[,{] *([a-z]\w*)(?=[\s\],}:])", re.MULTILINE)
    return used_elsewhere(matches(game, pattern, (".yaml",), "/data/"))


def keys_of_texts(game: Game) -> Iterator[Place]:
    found = matches(game, re.compile(r"(?:^ *|[{,.] *)(\w+)(?=[:.])", re.MULTILINE), (".yaml",), "/locale/")
    return (place for place in found if len(place.text) > 2)


def names_in_rulings(game: Game) -> Iterator[Place]:
    return used_elsewhere(matches(game, IN_RULINGS, (".ruling",)))


def words_of_overlays(game: Game) -> Iterator[Place]:
    pattern = re.compile(
        r"^ *(replace|insert|alter|remove|errata|variant)\b|(?:replace|alter|before|after) (\w+)(?:\.(\w+))?| on (\w+)",
        re.MULTILINE,
    )
    return (p for p in matches(game, pattern, (".errata", ".variant")) if len(p.text) > 2 and p.text[0].isalpha())


def keys_of_the_manifest(game: Game) -> Iterator[Place]:
    text = game.sources.get(f"rulesets/{game.name}/ruleset.yaml", "")
    free = text.find("\npresets:") + 1 or len(text)  # the names of presets are as one likes
    for place in matches(game, re.compile(r"(?:^ *|[{,] *)(\w+):", re.MULTILINE), ("ruleset.yaml",)):
        before = text[place.start - 2 : place.start]
        if len(place.text) > 2 and not (place.start > free and before == "  "):
            yield place


def signs(game: Game) -> Iterator[Place]:
    """Colons, brackets and quotes, and the first indentation of a line."""
    for file, text in sorted(game.sources.items()):
        data = "/data/" in file
        if not data and not file.endswith((".rules", ".cards")):
            continue
        pattern = r"[:}\]]|^  (?=\w)" if data else r"[:()\]]|^    (?=\w)"
        bare = blanked(text)
        for match in re.finditer(pattern, bare, re.MULTILINE):
            yield Place(game, file, match.start(), match.end())
        if not data:
            for match in COMMENT_OR_TEXT.finditer(text):
                if match[0].startswith('"'):
                    yield Place(game, file, match.start(), match.start() + 1)
                    yield Place(game, file, match.end() - 1, match.end())


def used_elsewhere(places: Iterator[Place]) -> Iterator[Place]:
    """Those of at least four letters that stand in the texts of the game more than once."""
    counts: dict[str, int] = {}
    found = list(places)
    for text in found[0].game.sources.values() if found else ():
        for word in WORD.findall(blanked(text)):
            counts[word] = counts.get(word, 0) + 1
    return (place for place in found if len(place.text) > 3 and counts.get(place.text, 0) > 1)


PLACES: dict[str, Callable[[Game], Iterator[Place]]] = dict(
    zip(
        KINDS,
        (
            words_of_the_language,
            names_in_rules,
            heads_of_cards,
            rows_of_cards,
            words_in_data,
            keys_of_texts,
            names_in_rulings,
            words_of_overlays,
            keys_of_the_manifest,
            signs,
        ),
        strict=True,
    )
)
