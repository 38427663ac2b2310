"""The Chromium of this machine, without a window. Where that or playwright is missing, tests of it are left out."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from shutil import which
from typing import Any

import pytest

FIREFOX = os.environ.get("RULEWRIGHT_FIREFOX", "")  # the path of a Firefox, which is taken instead
NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")


@contextmanager
def chromium() -> Iterator[Any]:
    """A browser that is closed again."""
    api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    found = next((path for name in NAMES if (path := which(name))), None)
    if found is None and not FIREFOX:
        pytest.skip("no Chromium is installed")
    with api.sync_playwright() as started:
        if FIREFOX:
            browser = started.firefox.launch(executable_path=FIREFOX, channel="moz-firefox")
        else:
            browser = started.chromium.launch(executable_path=found, args=["--no-sandbox"])
        yield browser
        browser.close()
