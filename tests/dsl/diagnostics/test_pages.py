"""Reading the page of a code: its parts, and the errors where one of them is missing."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import dsl
from dsl.diagnostics.generate import first_sentences, index
from dsl.diagnostics.pages import PageError, parse_page, read_pages

PAGE = """\
# RW0101: A tab in the indentation

Lines are indented with spaces only,
four for each level. A tab is refused.

## Refused

```text
phase rest
\tdo sleep()
```

## Accepted

```rules
phase rest

    do sleep()
```
"""


def test_a_page_has_title_text_and_two_examples() -> None:
    page = parse_page("RW0101.md", PAGE)
    assert (page.code, page.title, page.language) == ("RW0101", "A tab in the indentation", "rules")
    assert page.text == "Lines are indented with spaces only,\nfour for each level. A tab is refused."
    assert page.wrong == "phase rest\n\tdo sleep()\n"
    assert page.right == "phase rest\n\n    do sleep()\n"


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("One line, broken\nin two. Then more.", "One line, broken in two."),
        ("No second sentence", "No second sentence"),
        ("It is `a. b` or 1.5. `so` begins one.", "It is `a. b` or 1.5."),
        ("A paragraph\n\nAnother one.", "A paragraph"),
    ],
)
def test_the_first_sentence_stands_on_one_line(text: str, sentence: str) -> None:
    before, _, after = PAGE.partition("Lines are indented")
    page = parse_page("RW0101.md", before + text + after[after.index("\n\n## Refused") :])
    assert page.first_sentence() == sentence


@pytest.mark.parametrize(
    ("old", "new", "line", "words"),
    [
        ("# RW0101: A tab in the indentation", "", 1, "the first line is not"),
        (": A tab in the indentation", ": ", 1, "the first line is not"),
        ("RW0101", "RW0102", 1, "the page of RW0102 is called RW0102.md"),
        ("Lines are indented with spaces only,\nfour for each level. A tab is refused.", "", 2, "no explanation"),
        ("## Refused", "## Wrong", 19, "no section `## Refused`"),
        ("## Accepted", "## Right", 19, "no section `## Accepted`"),
        ("## Accepted", "## Refused", 13, "two sections `## Refused`"),
        ("```text\nphase rest\n\tdo sleep()\n```\n", "", 6, "`## Refused` has no example"),
        ("```text", "```rules", 8, "`## Refused` has no example between ```text"),
        ("```rules", "```text", 15, "`## Accepted` has no example between ```rules or ```yaml"),
        ("    do sleep()\n```", "    do sleep()", 15, "the example has no end"),
        ("\tdo sleep()\n```", "\tdo sleep()\n```\n\nMore", 13, "`## Refused` has more than one example"),
        ("phase rest\n\tdo sleep()\n", "", 8, "the example is empty"),
    ],
)
def test_a_page_of_another_form_is_refused_at_its_line(old: str, new: str, line: int, words: str) -> None:
    assert old in PAGE
    with pytest.raises(PageError) as caught:
        parse_page("RW0101.md", PAGE.replace(old, new, 1))
    assert str(caught.value).startswith(f"RW0101.md:{line}: ") and words in str(caught.value)


def test_sections_stand_in_their_order() -> None:
    refused, accepted = PAGE.index("## Refused"), PAGE.index("## Accepted")
    with pytest.raises(PageError, match=r"RW0101.md:6: `## Accepted` stands before `## Refused`"):
        parse_page("RW0101.md", PAGE[:refused] + PAGE[accepted:] + "\n" + PAGE[refused:accepted])


def test_the_list_and_the_table_are_made_from_the_pages(tmp_path: Path) -> None:
    (tmp_path / "RW0101.md").write_text(PAGE, encoding="utf-8")
    (tmp_path / "index.md").write_text("not a page", encoding="utf-8")
    pages = read_pages(tmp_path)
    assert pages.keys() == {"RW0101"}
    assert index(pages).endswith("\n## The shape of the text\n\n- [RW0101](RW0101.md) A tab in the indentation\n")
    assert first_sentences(pages) == '{\n"RW0101": "Lines are indented with spaces only, four for each level."\n}\n'


def test_a_message_is_rendered_without_the_pages() -> None:
    """The folder of the pages is no part of the product, and the table is read when a message needs it."""
    script = (
        "from dsl.base.span import Span\n"
        "from dsl.diagnostics.diagnostic import Diagnostic, Severity\n"
        "from dsl.diagnostics.render import first_sentences, help_text\n"
        "import sys\n"
        "def message(help): return Diagnostic('RW0101', Severity.ERROR, Span('', 0, 0), 'no', help)\n"
        "assert help_text(message('do')) == 'do' and first_sentences.cache_info().currsize == 0\n"
        "assert help_text(message(None)).endswith('four for each level.')\n"
        "print('dsl.diagnostics.pages' in sys.modules)"
    )
    root = Path(dsl.__file__).parents[1]
    done = subprocess.run([sys.executable, "-c", script], cwd=root, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
