"""Names in `display.yaml`, as an editor finds and renames them."""

from __future__ import annotations

from dsl.base.span import Source
from dsl.editing.yaml_mentions import yaml_mentions

DISPLAY = """\
members:
  Mood: {glad: {glyph: G, colour: "#00ff00", icon: cube, pattern: dots}}
faces:
  Cat: {colour: "#00ff00", band: mood, corner: age, facts: [{of: years, label: old, as: text}]}
panels:
  - {id: cats, per: Cat, columns: [age]}
  - {id: race, per: Cat, track: [0, oldest, 5], at: age, side: top, title: Race, only: picture}
map:
  image: pictures/board.svg
  layers:
    - {kind: Cat, shape: circle, picture: {shape: pointed, ground: "#112233", skip: true, lines: [[age]]}, at: [x, y]}
"""


def test_names_are_found_with_their_owners_and_words_that_are_no_names_are_not() -> None:
    found = [(mention.name, mention.inside) for mention in yaml_mentions(Source("cats/display.yaml", DISPLAY), None)]
    assert found == [
        ("Mood", ""),
        ("glad", "Mood"),
        ("Cat", ""),
        ("mood", "Cat"),
        ("age", "Cat"),
        ("years", "Cat"),
        ("Cat", ""),
        ("age", "Cat"),
        ("Cat", ""),
        ("oldest", "Cat"),
        ("age", "Cat"),
        ("Cat", ""),
        ("age", "Cat"),
        ("x", "Cat"),
        ("y", "Cat"),
    ]
