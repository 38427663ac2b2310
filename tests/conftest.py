"""Rules for all tests of this folder: generated examples are the same in every run, none has a time limit, native code
is made where a game waits for it, a text that many tests read is parsed once, what one run makes stays in the cache
until its end, two processes do not compile the same games, and what was collected is not looked through for garbage."""

import gc
import os
from collections.abc import Generator

import pytest
from hypothesis import settings

from dsl.base.cache import gc_paused
from dsl.base.cache_size import VARIABLE
from dsl.syntax.parser import cache_parsed_texts
from interpreter.backends.native.making import Making
from tests.games import load_from_the_end
from tests.proofs import NoSkips

settings.register_profile("repository", deadline=None, derandomize=True, database=None)
settings.load_profile("repository")
cache_parsed_texts()
os.environ.setdefault(VARIABLE, "8000")  # all games with their overlays and native code need more than usual


def pytest_configure(config: pytest.Config) -> None:
    if os.environ.get("RULEWRIGHT_EXTRAS") == "required":
        config.pluginmanager.register(NoSkips())


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Garbage is looked for seldom, and only among what tests make."""
    with gc_paused():
        if os.environ.get("PYTEST_XDIST_WORKER", "gw0") != "gw0":
            load_from_the_end()
        done = yield
    gc.freeze()  # thousands of tests and dozens of programs stay to the end
    gc.set_threshold(20_000, 20, 20)
    return done


def make_at_once(making: Making) -> None:
    if making._made is None and not making.notice:
        making.wait()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """A module is made when the reference has worked for as long as in a game, but the test waits for it: a thread
    would take its time from the next test. Tests of the thread are marked `behind`."""
    with pytest.MonkeyPatch.context() as patch:
        if item.get_closest_marker("behind") is None:
            patch.setattr(Making, "begin", make_at_once)
        return (yield)
