"""Every diagnostic, in the words that a designer reads, at the line where the mistake is: the files under `bad/`."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from dsl.base.span import Source
from dsl.checks.hand_over import taker_of
from dsl.diagnostics.diagnostic import Diagnostic, Severity
from dsl.diagnostics.generate import INDEX, first_sentences, index
from dsl.diagnostics.pages import FOLDER, read_pages
from dsl.diagnostics.render import FIRST_SENTENCES, help_text
from dsl.driver.followed import check_followed
from dsl.driver.load import check_texts, compile_ruleset
from dsl.driver.pipeline import compile_texts
from dsl.elaborate import elaborator
from dsl.files.documents import read_clauses, read_locale, read_manifest
from dsl.files.ruleset import FileTexts, read_files
from dsl.files.yaml import read_yaml
from dsl.syntax.parser import parse_expr
from tests.dsl.chunks import Chunk, read_chunks

BAD = Path(__file__).parents[1] / "bad"
DSL = Path(__file__).parents[3] / "dsl"
PAGES = read_pages()
RECORDS = """\
enum Fruit: apple, pear
kind Tree from "data/trees.yaml"
    const height: 1..5
    const near: set of Tree
    const fruit: Fruit or none
    const crop: count by Fruit
    const row: list of Fruit
    const old: bool
phase game: stop game
"""
BEFORE = {
    "first": """\
option length: short, long = short
option sown: bool = true
enum Sky: dry, wet
enum Fruit: apple, pear
value sky: Sky = dry
value days: 0..31 = 3
value best: Fruit or none = apple
value order: list of Seat = list(p in seats: p)
value crop(p: Seat, f: Fruit): 0..9 = 1 if f is pear and p is p1 else 2
value ripe(f: Fruit): bool = f is apple
value cold(p: Seat): bool = p is p1
value liked(p: Seat): set of Fruit = {pear} if p is p1 else {}
hands on sky
hands on days
hands on best
hands on order
hands on crop(p, f)
hands on ripe(f)
hands on cold(p)
hands on liked(p)
phase game: stop game
""",
    "silent": "phase game: stop game\n",
    "wrong": "phase game: stopp game\n",
}
READERS: dict[str, Callable[[Source], tuple[Any, list[Diagnostic]]]] = {
    "manifest": read_manifest,
    "clauses": read_clauses,
    "texts": read_locale,
    "yaml": read_yaml,
}
ELSEWHERE: dict[str, Callable[[], list[Diagnostic]]] = {
    "RW0122": lambda: parse_expr("answer", "")[1],
    "RW0131": lambda: file_of("state.rules", "# \u00fc\n".encode("latin-1")),
    "RW0132": lambda: file_of("state\u0007.rules", b"# fine\n"),
    "RW1114": lambda: [d for d in after_a_fault() if d.code == "RW1114"],
}


def check(chunk: Chunk) -> list[Diagnostic]:
    kind = chunk.name.partition(":")[0]
    if kind in READERS:
        (name,) = chunk.files
        return READERS[kind](Source(name, chunk.files[name]))[1]
    if kind == "records":
        return check_texts({"state.rules": RECORDS}, data=chunk.files)
    if kind == "overlays":
        return with_overlay(chunk)
    if kind == "followers":
        return with_games_before(chunk)
    rules = {path: text for path, text in chunk.files.items() if not path.endswith(".yaml")}
    return check_texts(rules, data={path: text for path, text in chunk.files.items() if path.endswith(".yaml")})


def file_of(name: str, content: bytes) -> list[Diagnostic]:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "rulesets" / "test" / name
        path.parent.mkdir(parents=True)
        path.write_bytes(content)
        return read_files(path.parent, [])[1]


def fall_over() -> None:
    raise KeyError("hole")


def after_a_fault() -> list[Diagnostic]:
    """A mistake, and a check that falls over it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("RULEWRIGHT_DEBUG", raising=False)
        patch.setattr(elaborator, "run", lambda elab: fall_over())
        return check_texts({"state.rules": "kind Tree from nowhere\nphase game: stop game\n"})


def with_overlay(chunk: Chunk) -> list[Diagnostic]:
    texts, layers = FileTexts(), [FileTexts(), FileTexts()]
    for path, text in chunk.files.items():
        layer = layers[path == "other.errata"] if path.endswith(".errata") else texts
        if path.startswith("fixes/"):  # a file of the folder of the first
            layer = layers[0]
        layer.add(path.removeprefix("fixes/"), Source(path, text))
    texts.overlays = layers
    return compile_texts(texts, "test", "")[1]


def with_games_before(chunk: Chunk) -> list[Diagnostic]:
    """A ruleset `second` beside those of `BEFORE`, compared with what it follows."""
    with TemporaryDirectory() as home:
        known = {name: Path(home) / "rulesets" / name for name in (*BEFORE, "second")}
        for name, folder in known.items():
            manifest = f"id: {name}\nversion: 1\ntitle: {{en: T}}\nseats: 2\nload: [state.rules]\n"
            files = {"ruleset.yaml": manifest, "state.rules": BEFORE[name]} if name in BEFORE else chunk.files
            folder.mkdir(parents=True)
            for file, text in files.items():
                (folder / file).write_text(text, encoding="utf-8")
        program, found, _ = compile_ruleset(known["second"], cached=False)
        found = found + (check_followed(taker_of(program), lambda: known) if program is not None else [])
    return [replace(d, span=replace(d.span, file=d.span.file.removeprefix("rulesets/second/"))) for d in found]


def main_file(path: Path) -> str:
    return "state.rules" if path.suffix == ".rules" else "data/trees.yaml"


CHUNKS = [chunk for path in sorted(BAD.iterdir()) for chunk in read_chunks(path, main_file(path))]


def line_of(diagnostic: Diagnostic, chunk: Chunk) -> int:
    return Source("", chunk.files.get(diagnostic.span.file, "")).place(diagnostic.span.start)[0]


@pytest.mark.parametrize("chunk", CHUNKS, ids=lambda chunk: chunk.name)
def test_a_chunk_is_reported_as_it_says(chunk: Chunk) -> None:
    """Errors are exactly the expected ones. Warnings and notes count where the chunk is about their code."""
    about = {expected.code for expected in chunk.expected}
    found = [
        d for d in check(chunk) if d.severity is Severity.ERROR or (d.code in about and d.span.file != "prelude.rules")
    ]
    shown = [f"{d.span.file}:{line_of(d, chunk)} {d.code} {d.message} | {d.help}" for d in found]
    assert all(help_text(d) for d in found), "without a way out:\n" + "\n".join(shown)
    left = list(found)
    for expected in chunk.expected:
        for diagnostic in left:
            place = (diagnostic.span.file, line_of(diagnostic, chunk), diagnostic.code)
            words = f"{diagnostic.message} {diagnostic.help}"
            if place == (expected.file, expected.line, expected.code) and expected.words in words:
                left.remove(diagnostic)
                break
        else:
            raise AssertionError(f"not reported: {expected}\nreported:\n" + "\n".join(shown))
    assert not left, "not expected:\n" + "\n".join(shown)


@pytest.mark.parametrize("code", sorted(PAGES))
def test_every_code_has_a_chunk(code: str) -> None:
    shown = {expected.code for chunk in CHUNKS for expected in chunk.expected} | ELSEWHERE.keys()
    assert code in shown, f"no chunk under bad/ for {code}"


def test_a_fault_of_the_checker_is_told_and_never_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    """After errors as a note beside them; without any, and for who looks for faults, as the fault that it is."""
    found = after_a_fault()
    (note,) = [d for d in found if d.code == "RW1114"]
    assert "KeyError at test_bad.py:" in note.message and note.severity is Severity.NOTE
    assert any(d.severity is Severity.ERROR for d in found)
    monkeypatch.setattr(elaborator, "run", lambda elab: fall_over())
    with pytest.raises(KeyError, match="hole"):
        check_texts({"state.rules": "phase game: stop game\n"})
    monkeypatch.setenv("RULEWRIGHT_DEBUG", "1")
    with pytest.raises(KeyError, match="hole"):
        check_texts({"state.rules": "kind Tree from nowhere\nphase game: stop game\n"})


@pytest.mark.parametrize("code", sorted(ELSEWHERE))
def test_codes_of_texts_that_are_no_files(code: str) -> None:
    assert [d.code for d in ELSEWHERE[code]()] == [code]


def test_the_codes_that_are_used_have_a_page_and_no_others() -> None:
    used: set[str] = set()
    for path in DSL.rglob("*.py"):
        used |= set(re.findall(r'"(RW\d{4})"', path.read_text(encoding="utf-8")))
    assert used == PAGES.keys()


def test_there_are_enough_codes_to_be_of_use() -> None:
    assert len(PAGES) >= 60


@pytest.mark.parametrize("code", sorted(PAGES))
def test_a_code_explains_itself(code: str) -> None:
    page = PAGES[code]
    assert page.code == code
    assert page.title and len(page.text) > 30
    assert page.wrong != page.right


@pytest.mark.parametrize(
    "code", [c for c, p in PAGES.items() if c[:4] != "RW01" and p.language == "rules" and c not in ELSEWHERE]
)
def test_the_good_example_is_good(code: str) -> None:
    """It stands in the place of the mistake, in the first chunk that shows the code."""
    chunk, expected = next((c, e) for c in CHUNKS for e in c.expected if e.code == code)
    file = "state.rules" if expected.file.endswith(".yaml") else expected.file
    files = {path: text for path, text in chunk.files.items() if path != "state.rules" or file.endswith(".errata")}
    found = check(Chunk(chunk.name, {**files, file: PAGES[code].right}))
    assert not [d for d in found if d.severity is Severity.ERROR or (d.code == code and d.span.file == file)]


def test_what_is_made_from_the_pages_is_up_to_date() -> None:
    """Write it with `python -m dsl.diagnostics.generate`."""
    assert INDEX.read_text(encoding="utf-8") == index(PAGES)
    assert FIRST_SENTENCES.read_text(encoding="utf-8") == first_sentences(PAGES)


def test_nothing_else_lies_among_the_pages() -> None:
    assert {path.name for path in FOLDER.glob("*.md")} == {INDEX.name, *(f"{code}.md" for code in PAGES)}
