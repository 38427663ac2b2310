"""Secrets of places at a table: made once, told once, kept as a hash.

A place is a seat by its number, `hot` for all seats at one screen, `watch` for onlookers or `host` for who opened the
table.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets

HOT, WATCH, HOST = "hot", "watch", "host"
BYTES = 18  # of a secret
LONGEST = 64  # letters of what is compared


def new_secret() -> tuple[str, str]:
    """A secret for a link, and its hash, which is all that is kept."""
    made = secrets.token_urlsafe(BYTES)
    return made, hash_of(made)


def hash_of(secret: str) -> str:
    """A secret of this length needs no slow hash: nobody tries 144 bits."""
    return hashlib.sha256(secret.encode()).hexdigest()


def fits(secret: str, kept: str) -> bool:
    """Whether a secret has this hash, in a time that tells nothing."""
    return bool(kept) and len(secret) <= LONGEST and hmac.compare_digest(hash_of(secret), kept)
