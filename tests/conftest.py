"""What holds for all tests of this folder: generated examples are the same in every run, none has a time limit, code is
written at once, so that it is the code that is tested, a text that many tests read is parsed once, and what was
collected is not looked through for garbage."""

import gc
from collections.abc import Generator, Iterator

import pytest
from hypothesis import settings

from dsl.base.cache import gc_paused
from dsl.syntax.parser import cache_parsed_texts
from interpreter.backends.python.compile import machine

settings.register_profile("repository", deadline=None, derandomize=True, database=None)
settings.load_profile("repository")
cache_parsed_texts()


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Garbage is looked for seldom, and only among what tests make."""
    with gc_paused():
        done = yield
    gc.freeze()  # thousands of tests and dozens of programs stay to the end
    gc.set_threshold(20_000, 20, 20)
    return done


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol() -> Iterator[None]:
    before, machine.PATIENCE = machine.PATIENCE, 0
    try:
        return (yield)
    finally:
        machine.PATIENCE = before
