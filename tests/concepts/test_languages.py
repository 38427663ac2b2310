"""Texts against the rules: what lacks a text is told at the file where it goes, what belongs to nothing where it is."""

from __future__ import annotations

from dsl.driver.load import compile_sources
from dsl.files.phrases import canonical_tag
from tests.concepts.play import game

RULES = """\
enum Mood: glad, sad
kind Space from "data/spaces.yaml"
kind Seat
    field at: Space or none
phase game
    choose s in Space by p1
    set p1.at to s
"""
FILES = {
    "data/spaces.yaml": "Space:\n    field_1: {}\n    field_2: {}\n    mill: {}\n",
    "locale/en.yaml": "Mood: {glad: glad, sad: sad}\nSpace: {field_1: Field 1, field_2: Field 2, mill: the mill}\n"
    "game.s.ask: Where?\n",
    "locale/ja.yaml": "Mood: {glad: 嬉, sad: 悲}\nSpace: {field_1: 畑1, field_2: 畑2, mill: 水車}\n"
    "game.s.ask: どこ？\n",
}


def told(changes: dict[str, str], overlays: dict[str, str] | None = None) -> list[tuple[str, str, str, str]]:
    """(code, file, message, help) of the messages about texts, with texts of the files changed."""
    files = dict(FILES)
    for name, text in changes.items():
        files[name] = text
    _, found, _ = compile_sources({"small.rules": RULES}, files, seats=(2, 2), overlays=overlays or {})
    return [(d.code, d.span.file, d.message, d.help or "") for d in found if d.code in ("RW1111", "RW1113", "RW0352")]


def without(name: str, text: str) -> dict[str, str]:
    assert text in FILES[name]
    return {name: FILES[name].replace(text, "")}


def test_complete_texts_are_not_spoken_of() -> None:
    assert told({}) == []


def test_a_member_of_data_without_a_text_is_told_in_its_language() -> None:
    ((code, file, message, _),) = told(without("locale/ja.yaml", ", field_2: 畑2"))
    assert (code, file, message) == ("RW1111", "locale/ja.yaml", "no text in `ja` for `Space.field_2`")


def test_a_renamed_key_is_told_where_it_stands_and_not_also_as_missing() -> None:
    name = "locale/en.yaml"
    (stale,) = told({name: FILES[name].replace("mill:", "mil:")})
    assert stale[:2] == ("RW1113", name)
    assert stale[2:] == (
        "the text `Space.mil` belongs to nothing, and `Space.mill` has none",
        "did you mean `Space.mill`?",
    )


def test_members_that_nobody_names_are_known_by_their_ids() -> None:
    changes = {name: FILES[name].replace(FILES[name].splitlines()[1] + "\n", "") for name in FILES if "locale" in name}
    assert told(changes) == []


def test_a_text_of_the_first_language_is_missing_in_the_others() -> None:
    ((_, file, message, _),) = told({"locale/en.yaml": FILES["locale/en.yaml"] + "Seat.at: place\n"})
    assert (file, message) == ("locale/ja.yaml", "no text in `ja` for `Seat.at`")
    assert told({"locale/ja.yaml": FILES["locale/ja.yaml"] + "Seat.at: 場所\n"}) == []


def test_a_third_language_is_checked_like_the_others() -> None:
    ((_, file, message, help),) = told({"locale/fr.yaml": "Mood: {glad: gai, sad: triste}\ngame.s.ask: Où ?\n"})
    assert file == "locale/fr.yaml" and message.startswith("no text in `fr` for `Space.field_1`, ")
    assert help == "add them to locale/fr.yaml"


def test_what_a_variant_lacks_is_told_at_its_own_files() -> None:
    rules = 'variant wide on test because "fun"\n    replace Mood\n        enum Mood: glad, sad, calm\n'
    folder = {"wide/wide.variant": rules, "wide/locale/en.yaml": "Mood.calm: calm\n"}
    ((code, file, message, help),) = told({}, folder)
    assert (code, file) == ("RW1111", "wide/locale/ja.yaml")
    assert message == "no text in `ja` for `Mood.calm`"
    assert help == "write them into a new file wide/locale/ja.yaml"
    (stale,) = told({}, {**folder, "wide/locale/ja.yaml": "Mood.calm: 静\nMood.clam: 静\n"})
    assert stale[:2] == ("RW1113", "wide/locale/ja.yaml")


def test_a_variant_of_one_file_is_told_to_become_a_folder() -> None:
    rules = 'variant wide on test because "fun"\n    replace Mood\n        enum Mood: glad, sad, calm\n'
    found = told({}, {"wide.variant": rules})
    assert [(file, help) for _, file, _, help in found] == [
        (
            f"wide/locale/{lang}.yaml",
            f"write them into a new file wide/locale/{lang}.yaml, and move wide.variant into that folder",
        )
        for lang in ("en", "ja")
    ]


def test_texts_of_the_ruleset_for_what_a_variant_takes_away_are_no_fault() -> None:
    rules = 'variant bare on test because "fun"\n    replace Mood\n        enum Mood: glad\n'
    assert told({}, {"bare/bare.variant": rules}) == []


def test_a_text_falls_back_to_the_first_language_of_the_title() -> None:
    texts = {"locale/de.yaml": "Seat: {p1: Anton}\n", "locale/fr.yaml": "Seat: {p2: Bruno}\n"}
    made = game("kind Seat\nphase game: stop game\n", texts)
    assert made.program.languages == ("de", "fr")  # no title says otherwise
    assert [made.texts.id("fr", "Seat", id_) for id_ in ("p1", "p2", "p3")] == ["Anton", "Bruno", "p3"]


def test_tags() -> None:
    known = {"FR": "fr", "pt_br": "pt-BR", "ZH-hant": "zh-Hant", "es-419": "es-419", "jp": None, "french": None}
    assert {text: canonical_tag(text) for text in known} == known
