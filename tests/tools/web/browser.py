"""Pages of a headless Chromium that look at a server of tables."""

from __future__ import annotations

import time
from contextlib import suppress
from typing import Any

import pytest

from tests.tools.web.site import PATIENCE, Site

playwright = pytest.importorskip("playwright.sync_api", reason="browser tests need playwright")


class Browser:
    """Chromium; every page notes what went wrong in it."""

    def __init__(self, chromium: Any, site: Site) -> None:
        self.chromium, self.site = chromium, site
        self.faults: list[str] = []

    def page(self, width: int = 1400, height: int = 900, **how: Any) -> Page:
        context = self.chromium.new_context(viewport={"width": width, "height": height}, **how)
        page = context.new_page()
        page.on("pageerror", lambda fault: self.faults.append(str(fault)))
        page.on("console", lambda told: self.faults.append(told.text) if told.type == "error" else None)
        page.on("dialog", lambda dialog: dialog.accept())
        return Page(page)

    def open(self, game: str, *sitting: str, lang: str = "en", **fields: str) -> tuple[Page, dict[str, str]]:
        """Open a table by the form; gives the page that comes then, and the links on it by place."""
        page = self.page()
        page.page.goto(f"{self.site.home}/new?game={game}&lang={lang}")
        for n, who in enumerate(sitting, 1):
            page.page.select_option(f"[name=seat{n}]", who)
        for name, value in fields.items():
            page.page.select_option(f"[name={name}]", value)
        page.page.click("main button")
        page.page.wait_for_load_state()
        links = [one.get_attribute("href") for one in page.page.query_selector_all("a.link")]
        return page, {link.split("/")[5]: link for link in links}


class Page:
    """A page of a table."""

    def __init__(self, page: Any) -> None:
        self.page = page

    def go(self, link: str, lang: str = "en") -> Page:
        self.page.goto(link.replace("/#", f"/?lang={lang}#"))
        return self.ready()

    def ready(self) -> Page:
        self.until("document.getElementById('ask') !== null")
        return self

    def until(self, script: str) -> None:
        """Wait until a script is true; the policy of the page forbids what playwright does for this."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            with suppress(playwright.Error):  # the page is just being left for another one
                if self.page.evaluate(f"Boolean({script})"):
                    return
            time.sleep(0.03)
        raise AssertionError(f"never true: {script}\n{self.text('#ask')}")

    def ask(self, script: str) -> Any:
        return self.page.evaluate(script)

    def text(self, selector: str) -> str:
        found = self.page.query_selector(selector)
        return found.inner_text() if found is not None else ""

    @property
    def options(self) -> int:
        return len(self.page.query_selector_all("#ask [data-do]"))

    @property
    def version(self) -> int:
        return int(self.ask("v"))

    def site_log(self, browser: Browser) -> int:
        """How many answers the table that was opened last has taken."""
        return len(browser.site.room.table.state.log)

    def act(self, act: Any) -> None:
        """Do something, and wait until the table has changed."""
        before = self.version
        act()
        self.until(f"v > {before}")
