"""`doc`: write the site of a game into a folder, in every language that was asked for.

Takes a ruleset as people name it; makes the files of the site and puts them in their place all at once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from importlib.resources import files as files_of
from pathlib import Path

from dsl.driver.reference import RulesetReference
from tools.base.home import read_reference
from tools.html.styles import SITE, page_style
from tools.site.content.gather import gather
from tools.site.content.model import SiteContent
from tools.site.content.pictures import picture_path
from tools.site.output import check_folder, write_site
from tools.site.pages.cards import card_pages
from tools.site.pages.clauses import clause_pages
from tools.site.pages.data import data_pages
from tools.site.pages.layout import SCRIPT_FILE, STYLE_FILE, SitePage, page_text
from tools.site.pages.names import name_pages
from tools.site.pages.overlays import overlay_pages
from tools.site.pages.rules import rule_pages
from tools.site.pages.rulings import ruling_pages
from tools.site.pages.start import front_page, start_pages
from tools.site.pages.values import value_pages

WRITERS: tuple[Callable[[SiteContent, str], Iterator[SitePage]], ...] = (
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


def doc_command(ruleset: str, out: Path | None, langs: list[str], pictures: bool = True) -> int:
    rules = read_reference(ruleset)
    folder = out or Path("site") / rules.label.replace("/", "-")
    check_folder(folder)
    files = site_files(rules, langs, pictures)
    write_site(folder, files)
    print(f"wrote {len(files)} files\nopen {folder / 'index.html'}")
    return 0


def site_files(rules: RulesetReference, wanted: Sequence[str] = (), pictures: bool = True) -> dict[str, str]:
    """Path -> text of every file of the site, in the languages that are wanted: those of the ruleset if none is;
    with `pictures` of rulings and cards."""
    site = gather(rules, wanted, pictures)
    script = files_of("tools.site").joinpath("static", SCRIPT_FILE).read_text(encoding="utf-8")
    files = {"index.html": front_page(site), STYLE_FILE: page_style(SITE), SCRIPT_FILE: script}
    for lang in site.languages:
        for writer in WRITERS:
            for page in writer(site, lang):
                files[f"{lang}/{page.context.path}"] = page_text(page)
        files |= {f"{lang}/{path}": text for path, text in picture_files(site, lang)}
    return files


def picture_files(site: SiteContent, lang: str) -> Iterator[tuple[str, str]]:
    """Path and text of the pictures of rulings and cards."""
    for ruling in (one for in_file in site.rulings.values() for one in in_file if lang in one.pictures):
        yield picture_path(ruling.name), ruling.pictures[lang]
    for card in (one for one in site.cards if lang in one.pictures):
        yield picture_path(f"card-{card.id}"), card.pictures[lang]
