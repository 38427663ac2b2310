"""Limits of what one line or one address may ask for."""

from __future__ import annotations

import time
from dataclasses import dataclass, field

MOST_BYTES = 500  # of a message
MOST_FORM = 20_000  # bytes of a form
ONLOOKERS, PER_SEAT = 60, 8  # open pages of a table for those who look on, and for each other place
MOST_ADDRESSES = 5000  # that are remembered


@dataclass(slots=True)
class Bucket:
    """Fills with `rate` tokens a second up to `burst`; each message takes one."""

    rate: float = 10.0
    burst: float = 20.0
    tokens: float = 20.0
    last: float = field(default_factory=lambda: time.monotonic())

    def take(self) -> bool:
        now = time.monotonic()
        self.tokens = min(self.burst, self.tokens + (now - self.last) * self.rate)
        self.last = now
        if self.tokens < 1:
            return False
        self.tokens -= 1
        return True


class Buckets:
    """A bucket for each address."""

    def __init__(self, rate: float, burst: float) -> None:
        self.rate, self.burst = rate, burst
        self.known: dict[str, Bucket] = {}

    def take(self, address: str) -> bool:
        if len(self.known) >= MOST_ADDRESSES:
            self.known.clear()
        return self.known.setdefault(address, Bucket(self.rate, self.burst, self.burst)).take()
