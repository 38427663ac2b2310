"""The documentation is tested like code: every fence of rules parses, every link leads somewhere."""

import re
from dataclasses import dataclass
from pathlib import Path

import pytest

from dsl.parse import parse_file
from dsl.span import Source

ROOT = Path(__file__).resolve().parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
FENCE = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\(([^)#\s]+)[^)]*\)")
KNOWN = {"rules", "ruleset", "console", "yaml", "python", "text", "json"}


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


def test_every_fence_names_a_known_language() -> None:
    assert {fence.language for fence in fences()} <= KNOWN


@pytest.mark.parametrize("page", concept_pages(), ids=lambda path: path.stem)
def test_every_concept_page_has_an_example_and_its_reports(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert "```rules" in text
    if not page.name.startswith("00-"):
        assert "\n## What the checker reports\n" in text


def test_there_is_a_page_for_each_of_the_twenty_concepts() -> None:
    assert [page.name[:2] for page in concept_pages()] == [f"{number:02}" for number in range(21)]


@pytest.mark.parametrize("page", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_link_leads_somewhere(page: Path) -> None:
    links = LINK.findall(FENCE.sub("", page.read_text(encoding="utf-8")))
    missing = [link for link in links if not link.startswith("http") and not (page.parent / link).exists()]
    assert not missing, f"{page.name} links to {missing}"
