"""The documentation is tested like code: examples parse, check and keep their rulings, links lead somewhere."""

import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from dsl.base.span import Source
from dsl.diagnostics.diagnostic import Severity
from dsl.driver.load import compile_ruleset
from dsl.program import Program
from dsl.syntax.parser import parse_file
from interpreter import Game
from interpreter.records.ruling import run_rulings
from tests.manual import orchard
from tests.spiel.extras import require

ROOT = Path(__file__).resolve().parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
STATUS = re.compile(r"\*\*Status\.\*\* Accepted 20\d\d-\d\d-\d\d[.;]")
FENCE = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
NAMED = re.compile(r"\b((?:docs|dsl|interpreter|tools|tests/\w+)/[\w/.-]+\.(?:py|md|rules|lark))\b")
CONCEPT_PAGE = re.compile(r"(?<![\w/-])(\d\d-[a-z-]+\.md)\b")
LINK = re.compile(r"\]\(([^)#\s]+)[^)]*\)")
KNOWN = {"rules", "ruleset", "console", "yaml", "python", "text", "json", "javascript", "ebnf"}


@dataclass(frozen=True)
class Fence:
    page: str
    line: int
    language: str
    text: str


def fences(*languages: str) -> list[Fence]:
    found = []
    for path in PAGES:
        text = path.read_text(encoding="utf-8")
        for match in FENCE.finditer(text):
            if not languages or match[1] in languages:
                line = text.count("\n", 0, match.start(2))
                found.append(Fence(str(path.relative_to(ROOT)), line, match[1], match[2]))
    return found


def concept_pages() -> list[Path]:
    return sorted((ROOT / "docs/manual").glob("[0-9][0-9]-*.md"))


@pytest.mark.parametrize("fence", fences("rules", "ruleset"), ids=lambda f: f"{f.page}:{f.line + 1}")
def test_every_fence_of_rules_parses(fence: Fence) -> None:
    text = "\n" * fence.line + fence.text  # so that messages name the line of the page
    tree, found = parse_file(fence.page, text)
    source = Source(fence.page, text)
    report = [f"{d.span.file}:{source.place(d.span.start)[0]}: {d.code} {d.message}" for d in found]
    assert not report, "\n".join(report)
    assert tree.lines


def compiled(folder: Path, overlays: list[Path], quietly: bool = False) -> Program:
    """The program; every error is a failure, and every warning and note too unless `quietly`."""
    program, found, sources = compile_ruleset(folder, overlays, cached=False)
    report = []
    for d in found:
        if d.severity is Severity.ERROR or not quietly:
            source = sources.get(d.span.file)
            line = source.place(d.span.start)[0] if source else 0
            report.append(f"{d.span.file}:{line}: {d.severity.value} {d.code} {d.message}")
    assert not report and program is not None, "\n".join(report)
    return program


def failed_rulings(program: Program) -> list[str]:
    return [f"{r.name}: {failure}" for r in run_rulings(Game(program)) for failure in r.failures]


ORCHARD = [*concept_pages(), ROOT / "docs/manual/writing-rulings.md", *sorted((ROOT / "docs/reference").glob("*.md"))]


@pytest.mark.parametrize("page", ORCHARD, ids=lambda path: path.stem)
def test_the_examples_of_a_page_check_and_keep_their_rulings(page: Path, tmp_path: Path) -> None:
    name = str(page.relative_to(ROOT))
    examples = {f.line: f.text for f in fences("rules") if f.page == name}
    program = compiled(*orchard.write(tmp_path, page.stem, examples), quietly=True)
    failed = failed_rulings(program)
    assert not failed, "\n".join(failed)


def run(home: Path, *arguments: str) -> str:
    """What the command prints, with the rulesets of `home`."""
    environment = os.environ | {"RULEWRIGHT_HOME": str(home), "NO_COLOR": "1", "COLUMNS": "200"}
    command = [sys.executable, "-m", "tools", *arguments]
    return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True).stdout


def test_the_tour_of_the_readme_shows_what_really_happens(tmp_path: Path) -> None:
    for folder in ("rulesets", "cards"):
        shutil.copytree(ROOT / folder, tmp_path / folder)
    deck = tmp_path / "cards/dominant_species/dominance.cards"
    card = deck.read_text(encoding="utf-8")
    _, difference, message, report = [f.text for f in fences("text") if f.page == "README.md"]
    (erratum,) = (f.text for f in fences("rules") if f.page == "README.md" and f.text.startswith("errata "))
    (tmp_path / "cards/dominant_species/errata/rich_biodiversity.errata").write_text(erratum, encoding="utf-8")
    changed = run(tmp_path, "errata", "diff", "dominant_species", "rich_biodiversity", "--sample", "0")
    assert difference in changed and changed.count("FAILED") == 2
    deck.write_text(card.replace("gain shared_tiles(", "gain shared_tile("), encoding="utf-8")
    assert message in run(tmp_path, "check", "dominant_species")
    deck.write_text(card.replace("gain shared_tiles(", "gain 2 * shared_tiles("), encoding="utf-8")
    assert report in run(tmp_path, "rulings", "dominant_species", "--only", "DS-19.2")


def test_the_python_examples_run() -> None:
    names: dict[str, object] = {}
    for fence in fences("python"):
        if fence.page == "docs/python.md":
            exec(compile("\n" * fence.line + fence.text, fence.page, "exec"), names)
    assert names["reasons"] and names["seen"]


def test_the_example_of_a_vectorised_environment_runs() -> None:
    require("gymnasium", "pettingzoo")
    require("wasmtime", "native")
    names: dict[str, object] = {}
    for fence in fences("python"):
        if fence.page == "docs/adapters.md" and "vector.make" in fence.text:
            exec(compile("\n" * fence.line + fence.text, fence.page, "exec"), names)
    games = names["games"]
    assert int(str(games)) > 256


def test_every_fence_names_a_known_language() -> None:
    assert {fence.language for fence in fences()} <= KNOWN


@pytest.mark.parametrize("page", concept_pages(), ids=lambda path: path.stem)
def test_every_concept_page_has_an_example_and_its_reports(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert "```rules" in text
    if not page.name.startswith("00-"):
        assert "\n## What the checker reports\n" in text


def test_every_decision_is_in_the_index() -> None:
    folder = ROOT / "docs/decisions"
    listed = (folder / "index.md").read_text(encoding="utf-8")
    assert [page.name for page in sorted(folder.glob("[0-9]*.md")) if f"({page.name})" not in listed] == []


def test_every_decision_says_below_its_title_whether_it_holds() -> None:
    pages = sorted((ROOT / "docs/decisions").glob("[0-9]*.md"))
    lines = {page.name: page.read_text(encoding="utf-8").splitlines() for page in pages}
    assert [name for name, (_, blank, line, *_) in lines.items() if blank or not STATUS.match(line)] == []


def test_the_pages_of_concepts_are_numbered_without_a_gap() -> None:
    assert [page.name[:2] for page in concept_pages()] == [f"{number:02}" for number in range(24)]


@pytest.mark.parametrize("page", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_link_leads_somewhere(page: Path) -> None:
    links = LINK.findall(FENCE.sub("", page.read_text(encoding="utf-8")))
    missing = [link for link in links if not link.startswith("http") and not (page.parent / link).exists()]
    assert not missing, f"{page.name} links to {missing}"


def texts_of_the_repository() -> list[Path]:
    code = [path for folder in ("dsl", "interpreter", "tools", "tests") for path in (ROOT / folder).rglob("*.py")]
    without = {Path(__file__), ROOT / "tests" / "test_recipe.py"}  # which make files up
    return sorted({*PAGES, *code, *(ROOT / "tests").rglob("*.rules")} - without)


def test_every_file_that_docs_and_code_name_is_there() -> None:
    """Those of the manual too, which code names as the place where the meaning of a concept is said."""
    missing = []
    for path in texts_of_the_repository():
        text = path.read_text(encoding="utf-8")
        named = [*NAMED.findall(text), *(f"docs/manual/{name}" for name in CONCEPT_PAGE.findall(text))]
        named = [name for name in named if "WORD" not in name]  # stands for any
        missing += [f"{path.relative_to(ROOT)}: {name}" for name in named if not (ROOT / name).exists()]
    assert not missing, "\n".join(missing)


def test_no_reference_leads_out_of_the_repository() -> None:
    papers = re.compile(r"\b(?:CONCEPTS|MECHANISMS|MACHINE|LANGUAGE)\b(?:\.md)? (?:P?\d|section)")
    assert [str(path) for path in texts_of_the_repository() if papers.search(path.read_text(encoding="utf-8"))] == []


def test_the_walk_of_a_rule_passes_few_files_and_none_twice() -> None:
    text = (ROOT / "docs" / "engine.md").read_text(encoding="utf-8")
    walk = text.partition("## The walk of one rule")[2].partition("\n## ")[0]
    files = re.findall(r"^\d+\. `([\w/.]+)`", walk, re.M)
    assert 10 < len(files) <= 20 and len(files) == len(set(files))
