"""What is known about one diagnostic code: its title, its page and a pair of examples."""

from __future__ import annotations

from dsl.base.record import dataclass


@dataclass(frozen=True, slots=True)
class Code:
    """`explanation` is the page's text; the examples are rules text, the first with the mistake, the second without."""

    code: str
    title: str
    explanation: str
    example_bad: str
    example_good: str
