"""A browser without a window, and pages of rulesets that are written once."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from interpreter import Game, load
from tests.tools.chromium import chromium
from tools.page.folder import PAGE, write_page
from tools.page.plan import plan_of

DRIVE = Path(__file__).with_name("drive.js").read_text(encoding="utf-8")


@pytest.fixture(scope="package")
def browser() -> Iterator[Any]:
    with chromium() as found:
        yield found


class Opened:
    """A page that is open. `said`: what stands in its console."""

    def __init__(self, browser: Any, folder: Path, **looks: Any) -> None:
        self.page = browser.new_page(**looks)
        self.said: list[str] = []
        self.page.on("console", lambda message: self.said.append(message.text))
        self.page.on("pageerror", lambda fault: self.said.append(str(fault)))
        self.page.goto((folder / PAGE).as_uri())
        self.page.wait_for_selector("#begin")

    def drive(self, **job: Any) -> Any:
        """What the scripts say of a job, see `drive.js`."""
        return self.page.evaluate(DRIVE, job)


@pytest.fixture(scope="package")
def folder_of(tmp_path_factory: pytest.TempPathFactory) -> Callable[[Game], Path]:
    """Writes the page of a game, once for each ruleset and text of it."""
    known: dict[str, Path] = {}

    def write(game: Game) -> Path:
        if game.program.digest in known:
            return known[game.program.digest]
        folder = tmp_path_factory.mktemp("page")
        lang = game.program.languages[0]
        write_page(folder, plan_of(game, lang), lang)
        if game.program.digest:  # games that tests make have none
            known[game.program.digest] = folder
        return folder

    return write


@pytest.fixture(scope="package")
def page_of(browser: Any, folder_of: Callable[[Game], Path]) -> Callable[..., Opened]:
    """Opens the page of a ruleset, by its id or as a game."""

    def open_page(ruleset: str | Game, **looks: Any) -> Opened:
        return Opened(browser, folder_of(load(ruleset) if isinstance(ruleset, str) else ruleset), **looks)

    return open_page
