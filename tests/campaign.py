"""Two small games of a campaign, for tests: in `spring` players sow, and `summer` begins from what came up.

Texts of rulesets, and the folders with them in a home.
"""

from __future__ import annotations

from pathlib import Path

SPRING = """\
enum Colour: pink, blue, grey
enum Source: sown, wild
option weeds: bool = false
kind Seat
    field seeds: 0..20
    field colour: Colour or none
    field basket: 0..9 by Colour

value source: Source = wild if weeds is true else sown
value points(p: Seat): int = p.seeds
value best: Seat or none = none if every(p in seats: p.seeds is 0) else first(p in seats with highest p.seeds)
value order: list of Seat = ranked(p in seats with highest p.seeds)
value colour(p: Seat): Colour or none = p.colour
value crop(p: Seat): count by Colour = table(k in Colour: p.basket[k])
value rows(p: Seat): set of Colour = set(k in Colour where p.basket[k] > 0)
value shared(p: Seat, n: 1..2): int = p.seeds * n

rule year_ends
    hands on source
    hands on best as leader
    hands on order
    hands on points(p)
    hands on colour(q) where q.seeds > 2
    hands on rows(p)
    hands on crop(p)
    hands on shared(p, n) where n is 2 or p.seeds > 2

phase game
    for every p in seats
        choose number n in 0..5 by p
        set p.seeds to n
        choose k in Colour by p or decline
        set p.colour to k
        set p.basket[k] to n
    stop game
"""
SUMMER = """\
enum Tint: white, grey, pink, blue
enum Source: sown, wild, bought
field source: Source or none given
field leader: Seat or none given
field extra: 0..9 = 4 given
field order: list of Seat given
field harvest: 0..999
kind Seat
    field points: 0..9 = 1 given
    field colour: Tint or none given
    field crop: 0..9 by Tint given seen by owner
    field rows: set of Tint given
    field shared: 0..40 by 1..3 given

value score(p: Seat): int = harvest + p.points + p.shared[2] + size(p.rows) + (50 if p.colour is pink else 0)
phase game
    set harvest to 100 * size(order) + extra + (10 if source is sown else 0) + (20 if leader is p1 else 0)
    for every p in seats
        choose number n in 0..p.points by p
        set harvest to harvest + n + openly(p.crop[grey])
    stop game
"""
MANIFEST = """\
id: {id}
version: 1
title: {{en: {title}}}
seats: {seats}
load: [game.rules]
result: {{score: {score}}}
{more}"""


def manifest(id: str, seats: str, score: str, more: str = "") -> str:
    return MANIFEST.format(id=id, title=id.capitalize(), seats=seats, score=score, more=more)


FILES = {
    "rulesets/spring/ruleset.yaml": manifest("spring", "2..4", "points"),
    "rulesets/spring/game.rules": SPRING,
    "rulesets/summer/ruleset.yaml": manifest("summer", "2..3", "score", "follows: [spring]\n"),
    "rulesets/summer/game.rules": SUMMER,
}


def lay_out_campaign(home: Path) -> None:
    """Both games in a home folder."""
    for name, text in FILES.items():
        path = home / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
