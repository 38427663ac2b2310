"""The texts of new rulesets, overlays and rulings: each passes `check` unchanged, and says what to replace.

Takes names; returns the text of each file by its path. `tools.commands.new` decides where a file goes.
"""

from __future__ import annotations

MANIFEST = """\
# {title}: say here in a line what the game is.
id: {id}
version: 1
language: 2
title: {{en: "{title}", ja: "{title}"}}
seats: 2..4
load: [game.rules]
result: {{score: score}}
"""
RULES = """\
# {title}: a pile is taken away token by token. All of this is an example to be replaced.

enum Cause: taken

piece token each 12 from pile

zone pile: token

kind Seat
    zone hand: token

phase game                                                                                          [{prefix}-1]
    repeat while pile > 0
        for every p in seats while pile > 0: do turn(p)

phase turn(p: Seat)                                                                                 [{prefix}-2]
    choose number n in 1..min(2, pile) by p
    move n token from pile to p.hand as taken

value score(p: Seat): int = p.hand                                                                  [{prefix}-3]
"""
CLAUSES = """\
# The clauses of the rulebook in your own words; a rule cites those that it implements.
{prefix}-1: {{title: "In turn, until the pile is empty", source: "Rulebook, page 1"}}
{prefix}-2: {{title: "A turn takes one or two tokens", source: "Rulebook, page 1"}}
{prefix}-3: {{title: "A token is a point", source: "Rulebook, page 2"}}
"""
LOCALE = {
    "en": """\
# Texts for players, by address.
Seat: {p1: Player 1, p2: Player 2, p3: Player 3, p4: Player 4}
token: tokens
turn:
  n: {ask: "How many tokens?", pick: "{n}", done: "{p} takes {n}"}
Cause: {taken: taken}
""",
    "ja": """\
# プレイヤー向けの文言。キーは番地。
Seat: {p1: プレイヤー1, p2: プレイヤー2, p3: プレイヤー3, p4: プレイヤー4}
token: トークン
turn:
  n: {ask: "いくつ取りますか", pick: "{n}個", done: "{p}が{n}個取る"}
Cause: {taken: 取得}
clause:
  PREFIX-1: 山がなくなるまで順番に行う
  PREFIX-2: 手番では1つか2つ取る
  PREFIX-3: トークン1つが1点
""",
}
RULINGS = """\
# A position, what happens, and the result by the rulebook.

position three_left "three tokens left"
    seats: 2
    pile: 3, others gone

ruling {prefix}_001 "a turn takes up to two"                                                        [{prefix}-2]
    given three_left
    when
        do turn(p1)
        p1 chooses 2
    expect
        pile: 1
        score(p1): 2

ruling {prefix}_002 "the last token ends the game"                                                  [{prefix}-1]
    given three_left
        pile: 1, others gone
    when
        do game()
    expect
        pile: 0
        score(p1): 1
        score(p2): 0
"""
VARIANT = """\
# Say here what is different, and why somebody would play it that way. The body can contain: replace, insert before,
# insert after, drop and alter, each with an address of {ruleset}; other declarations here are added.
variant {id} on {ruleset} because "say here what for"
{example}"""
ERRATA = """\
# Say here what was printed, what should have been, and who said so.
errata {id} on {ruleset} because "say here where it was published" dated "{day}"
{example}"""
RULING = """\
# Say here what these rulings are about. Rows under `given` change the position, `when` says what happens (do, chooses,
# gives), `expect` the result by the rulebook: rows, legal, illegal ... because, asks, nothing asked.

position {id}_start "before anything has happened"
    seats: {seats}

ruling {id}_1 "all of them are there"
    given {id}_start
    expect
        size(seats): {seats}
"""


def ruleset(id: str) -> dict[str, str]:
    title = id.replace("_", " ").capitalize()
    names = {"id": id, "title": title, "prefix": clause_prefix(id)}
    return {
        "ruleset.yaml": MANIFEST.format(**names),
        "game.rules": _cited(RULES.format(**names)),
        "clauses.yaml": CLAUSES.format(**names),
        **{f"locale/{lang}.yaml": text.replace("PREFIX", names["prefix"]) for lang, text in LOCALE.items()},
        "rulings/game.ruling": _cited(RULINGS.format(**names)),
    }


def clause_prefix(id: str) -> str:
    """The letters before the numbers of clauses: NT for `night_train`, FOG for `fog`."""
    words = [word for word in id.split("_") if word[:1].isalpha()]
    letters = "".join(word[0] for word in words) if len(words) > 1 else "".join(filter(str.isalpha, id))[:3]
    return (letters + "XX")[: max(len(letters), 2)].upper()


def variant(id: str, ruleset: str, option: tuple[str, str, str] | None) -> str:
    return VARIANT.format(id=id, ruleset=ruleset, example=_example(option))


def errata(id: str, ruleset: str, day: str, option: tuple[str, str, str] | None) -> str:
    return ERRATA.format(id=id, ruleset=ruleset, day=day, example=_example(option))


def ruling(id: str, seats: int) -> str:
    return RULING.format(id=id, seats=seats)


def _example(option: tuple[str, str, str] | None) -> str:
    """A line that has an effect in this ruleset, commented out."""
    return "    # alter {} from {} to {}\n".format(*option) if option else ""


def _cited(text: str) -> str:
    """The text in its layout, with citations in their column whatever was filled in."""
    from dsl.format import format_rules

    result, found = format_rules("", text)
    assert result is not None, found
    return result
