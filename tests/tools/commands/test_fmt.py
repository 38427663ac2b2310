"""`fmt`: one layout for every file, whatever its white space was, and always the same meaning."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dsl.base.span import Source
from dsl.files.ruleset import RULES
from dsl.files.yaml import read_yaml
from dsl.format import format_rules, format_yaml
from dsl.format.breaks import WIDTH
from dsl.syntax.lexer import CITE, Line
from dsl.syntax.parser import parse_file, parse_lines
from tools import cli
from tools.commands.fmt import files_to_format

ROOT = Path(__file__).resolve().parents[3]
Capture = pytest.CaptureFixture[str]


def repository(*suffixes: str) -> list[Path]:
    folders = (ROOT / "rulesets", ROOT / "cards", ROOT / "tests")
    found = [p for folder in folders for p in sorted(folder.rglob("*")) if p.suffix in suffixes]
    return [p for p in found if "bad" not in p.parts]


def named(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def set_rules(text: str) -> str:
    result, found = format_rules("a.rules", text)
    assert result is not None, found
    return result


def meaning(text: str) -> object:
    tree, found = parse_file("", text)
    assert not found
    return tree


def words_of_comments(text: str) -> list[str]:
    """In their order; a comment that is wrapped keeps them."""
    return [word for comment in re.findall(r"#(.*)", text) for word in comment.split()]


def is_played(path: Path) -> bool:
    """Whether a file is of a ruleset or of cards, which `fmt` leaves as they are."""
    return named(path).startswith(("rulesets/", "cards/", "tests/conformance/rulesets/"))


def test_a_folder_that_is_set_is_told_so() -> None:
    assert cli.run(["fmt", "--check", str(ROOT / "rulesets" / "love_letter"), str(ROOT / "cards" / "love_letter")]) == 0


@pytest.mark.parametrize("path", repository(*RULES), ids=named)
def test_every_file_keeps_its_meaning_and_stays_as_it_is_set(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    result = set_rules(text)
    if is_played(path):
        assert result == text
        return
    assert meaning(result) == meaning(text)
    assert set_rules(result) == result
    assert words_of_comments(result) == words_of_comments(text)


@pytest.mark.parametrize("path", repository(".yaml"), ids=named)
def test_every_yaml_file_keeps_its_data_and_comments(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    result, _ = format_yaml(Source("a.yaml", text))
    assert result is not None
    if is_played(path):
        assert result == text
        return
    data = [node.plain() for t in (text, result) if (node := read_yaml(Source("", t))[0])]
    assert data[0] == data[1]
    assert format_yaml(Source("a.yaml", result))[0] == result
    assert sorted(re.findall(r"(?<!\S)#.*", result)) == sorted(re.findall(r"(?<!\S)#.*", text))


SMALL = [p for p in repository(*RULES) if p.stat().st_size < 9000]


@settings(max_examples=40)
@given(st.data())
def test_blanks_do_not_matter(data: st.DataObject) -> None:
    """More blanks between the words of a line, other line ends, more empty lines: the same layout in the end."""
    path = data.draw(st.sampled_from(SMALL))
    result = set_rules(path.read_text(encoding="utf-8"))
    _, _, lines = parse_lines("", result)
    damaged = damage(result, lines, data)
    assert set_rules(damaged) == result, named(path)


def damage(text: str, lines: list[Line], data: st.DataObject) -> str:
    """The text with blanks put between some tokens of a row, with trailing blanks, and perhaps with CRLF."""
    parts, at = [], 0
    for line in lines:
        for before, token in zip(line.tokens, line.tokens[1:], strict=False):
            gap = text[before.end : token.start]
            if "\n" in gap or token.type in ("LPAR", "LSQB", "DOT", "TO") or before.type in ("DOT", "TO"):
                continue
            parts += [text[at : token.start], " " * data.draw(st.sampled_from((0, 0, 0, 0, 1, 3)))]
            at = token.start
    result = "".join([*parts, text[at:]])
    if data.draw(st.booleans()):
        result = result.replace("\n\n", "\n  \n\n")
    if data.draw(st.booleans()):
        result = result.replace("\n", " \t\n" if data.draw(st.booleans()) else "\r\n")
    return result


def test_how_lines_are_set() -> None:
    read = (
        "\n\n"
        "value  best( p:Seat ) :int=1+ 2*p . coins[ gold ]   [AB-1,AB-2]\n"
        "value low : int = -3 ..  - 1 if not(a or b) else {  }\n"
        "\n\n\n"
        "phase game\n"
        "\n"
        "   # deep\n"
        "    if p is q : move  1 coin from a  to b #why\n"
        "        # below\n"
        "value long: int # first\n"
        "          = sum(p in seats : p.vp\n"
        "     + 1)"
        "                                                                           [AB-3]\n"
        "# the end"
    )
    assert set_rules(read) == (
        f"{'value best(p: Seat): int = 1 + 2 * p.coins[gold]':<100}[AB-1, AB-2]\n"
        "value low: int = -3..-1 if not (a or b) else {}\n"
        "\n"
        "phase game\n"
        "    # deep\n"
        "    if p is q: move 1 coin from a to b  #why\n"
        "    # below\n"
        f"{'value long: int':<40}# first\n"
        "    = sum(p in seats: p.vp\n"
        f"{'        + 1)':<100}[AB-3]\n"
        "# the end\n"
    )


LONG = [
    (  # a sentence behind a colon becomes a block, and citations stay with its head
        "rule beaches_of_the_sea: deny wet(s) where any(c in s.cells: c.ground is not none and c.ground.terrain is not "
        "land and c.q > 0)  [AB-1]\n",
        f"{'rule beaches_of_the_sea':<100}[AB-1]\n"
        "    deny wet(s) where any(c in s.cells: c.ground is not none and c.ground.terrain is not land and c.q > 0)\n",
    ),
    (  # a list goes on behind a comma
        f"enum Cause: {', '.join(f'cause_number_{n}' for n in range(1, 13))}\n",
        f"enum Cause: {', '.join(f'cause_number_{n}' for n in range(1, 7))},\n"
        f"    {', '.join(f'cause_number_{n}' for n in range(7, 13))}\n",
    ),
    (  # `=`, then `else`
        "value shown(p: Seat): int = first_of_the_long_values(p) if is_spring and p.coins > 3 and p.time > 3 else "
        "second_of_the_long_values(p) if is_winter and p.coins > 3 else third_of_the_long_values(p)\n",
        "value shown(p: Seat): int\n"
        "    = first_of_the_long_values(p) if is_spring and p.coins > 3 and p.time > 3\n"
        "    else second_of_the_long_values(p) if is_winter and p.coins > 3 else third_of_the_long_values(p)\n",
    ),
    (  # a clause; not the colon of a line that has a block of its own
        "phase game\n    for every p in seats where p.coins > 3 and p.time > 3 and not p.ready: for every t in Tree "
        "where ripe(t) and t in p.trees\n        do a(p, t)\n",
        "phase game\n    for every p in seats where p.coins > 3 and p.time > 3 and not p.ready: for every t in Tree\n"
        "        where ripe(t) and t in p.trees\n        do a(p, t)\n",
    ),
    (  # a comment is wrapped into the one that goes on with it; one behind a long row goes above it
        f"# {'word ' * 30}end\n# and more\n# Another.\nfield long_name: 0..9{' ' * 30}# {'word ' * 18}end\n",
        f"#{' word' * 23}\n#{' word' * 7} end and more\n# Another.\n# {'word ' * 18}end\nfield long_name: 0..9\n",
    ),
    (f'ruling A "{"x" * 130}"\n', f'ruling A "{"x" * 130}"\n'),  # nothing to be done
]


@pytest.mark.parametrize(("read", "written"), LONG)
def test_what_is_too_long_is_broken(read: str, written: str) -> None:
    assert set_rules(read) == written
    assert set_rules(written) == written
    assert meaning(written) == meaning(read)


def test_no_line_of_the_games_is_too_long_but_for_its_citations_and_titles() -> None:
    found = []
    for path in filter(is_played, repository(*RULES)):
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            cut = re.sub(rf" +{CITE.pattern}$", "", line)
            if len(cut) > WIDTH and not re.match(r"(ruling|position) .*\"$", cut):
                found.append(f"{named(path)}:{number}")
    assert found == []


def test_a_citation_on_a_line_of_its_own_joins_the_line_above() -> None:
    assert set_rules("phase game\n    [AB-1]\n\n    do a()\n") == f"{'phase game':<100}[AB-1]\n    do a()\n"


def test_values_on_several_lines_keep_their_lines_and_comments_their_column() -> None:
    read = 'a:   {b: 1,\n        c: [2,\n   3]\n  }\nd:\n      - e\n      -   {f: "g"} # why\n'
    read += "h:\n      {i: 1,\n    j: 2}\n"
    result, _ = format_yaml(Source("a.yaml", read))
    assert result == 'a: {b: 1,\n  c: [2,\n    3]\n}\nd:\n  - e\n  - {f: "g"}       # why\nh:\n  {i: 1,\n   j: 2}\n'


def test_check_writes_nothing_and_names_the_files(apples: Path, capsys: Capture) -> None:
    file = apples / "game.rules"
    before = file.read_text(encoding="utf-8").replace("choose number n in", "choose   number n  in")
    file.write_text(before, encoding="utf-8")
    file.chmod(0o640)
    assert cli.run(["fmt", "--check", str(apples)]) == 1
    assert f"would format {file}\n" in capsys.readouterr().out
    assert file.read_text(encoding="utf-8") == before
    assert cli.run(["fmt", str(apples)]) == 0
    assert "choose number n in" in file.read_text(encoding="utf-8")
    assert file.stat().st_mode & 0o777 == 0o640
    assert cli.run(["fmt", "--check", str(apples)]) == 0
    assert [p.name for p in apples.iterdir() if p.name.startswith(".")] == []


def test_a_file_with_mistakes_is_left_and_the_others_are_set(apples: Path, capsys: Capture) -> None:
    bad, good = apples / "bad.rules", apples / "good.rules"
    bad.write_text("phase  game\n    do (\n", encoding="utf-8")
    good.write_text("phase  game\n    do  a()\n", encoding="utf-8")
    assert cli.run(["fmt", str(bad), str(good)]) == 1
    assert bad.read_text(encoding="utf-8") == "phase  game\n    do (\n"
    assert good.read_text(encoding="utf-8") == "phase game\n    do a()\n"
    shown = capsys.readouterr()
    assert "error[RW0104]" in shown.err and "1 left because of errors" in shown.out


def test_standard_input(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    import io

    monkeypatch.setattr("sys.stdin", io.StringIO("phase  game\n    do a( )\n"))
    assert cli.run(["fmt", "-"]) == 0
    assert capsys.readouterr().out == "phase game\n    do a()\n"


def test_what_can_not_be_set_is_refused(home: Path, capsys: Capture) -> None:
    (home / "notes.txt").write_text("a")
    for words, expected in (
        (["gone.rules"], "there is no file"),
        (["notes.txt"], "has no layout"),
        (["-", "a"], "cannot be combined"),
    ):
        assert cli.run(["fmt", *words]) == 2
        assert expected in capsys.readouterr().err


def test_without_paths_the_home_is_set(apples: Path) -> None:
    assert {p.name for p in files_to_format([])} == {"ruleset.yaml", "clauses.yaml", "game.rules", "apples.ruling"}


def test_the_examples_of_the_manual_page_are_set() -> None:
    page = (ROOT / "docs/manual/layout.md").read_text(encoding="utf-8")
    examples = re.findall(r"^```rules\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    assert examples and all(set_rules(text) == text for text in examples)


def test_the_name_of_a_ruleset_is_answered_with_its_folder(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["fmt", "--check", "nim"]) == 2
    assert "there is no file 'nim': the ruleset of this name is in " in capsys.readouterr().err


def test_the_sign_of_a_number_in_a_row_stands_at_its_number() -> None:
    text = 'card dune "Dune": Tile\n    signs: moon 2, sun - 3\n'
    assert set_rules(text).splitlines()[1] == "    signs: moon 2, sun -3"
    assert set_rules("value left: int = a -3\n") == "value left: int = a - 3\n"
