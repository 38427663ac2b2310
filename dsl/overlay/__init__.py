"""Overlays patch trees by stable address before anything is collected: errata and variants."""

from dsl.overlay.addresses import addresses, digest, find
from dsl.overlay.blocks import EVERY, Block, Chosen, Touch, meetings, read_blocks, touches
from dsl.overlay.patches import apply_patch

__all__ = [
    "EVERY", "Block", "Chosen", "Touch", "addresses", "apply_patch", "digest", "find", "meetings", "read_blocks",
    "touches",
]  # fmt: skip
