"""`doc`: write the site of a game into a folder, in every language that was asked for.

Takes a ruleset as people name it; makes the files of the site and puts them in their place all at once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from dsl.driver.reference import RulesetReference
from tools.base.home import read_reference
from tools.site.content.gather import gather
from tools.site.content.model import Site
from tools.site.html.layout import SCRIPT_FILE, STYLE_FILE, Page, page_text
from tools.site.html.style import SCRIPT, STYLE
from tools.site.output import check_folder, write_site
from tools.site.pages.cards import card_pages
from tools.site.pages.clauses import clause_pages
from tools.site.pages.data import data_pages
from tools.site.pages.names import name_pages
from tools.site.pages.overlays import overlay_pages
from tools.site.pages.rules import rule_pages
from tools.site.pages.rulings import ruling_pages
from tools.site.pages.start import front_page, start_pages
from tools.site.pages.values import value_pages

WRITERS: tuple[Callable[[Site, str], Iterator[Page]], ...] = (
    start_pages,
    card_pages,
    clause_pages,
    value_pages,
    ruling_pages,
    data_pages,
    rule_pages,
    overlay_pages,
    name_pages,
)


def doc_command(ruleset: str, out: Path | None, langs: list[str]) -> int:
    rules = read_reference(ruleset)
    folder = out or Path("site") / rules.label.replace("/", "-")
    check_folder(folder)
    files = site_files(rules, langs)
    write_site(folder, files)
    print(f"wrote {len(files)} files\nopen {folder / 'index.html'}")
    return 0


def site_files(rules: RulesetReference, wanted: Sequence[str] = ()) -> dict[str, str]:
    """Path -> text of every file of the site, in the languages that are wanted: those of the ruleset if none is."""
    site = gather(rules, wanted)
    files = {"index.html": front_page(site), STYLE_FILE: STYLE, SCRIPT_FILE: SCRIPT}
    for lang in site.languages:
        for writer in WRITERS:
            for page in writer(site, lang):
                files[f"{lang}/{page.context.path}"] = page_text(page)
    return files
