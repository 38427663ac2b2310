"""Overlays patch trees by stable address before anything is collected: errata and variants."""

from dsl.overlay.addresses import addresses, digest, find
from dsl.overlay.blocks import ALL_ERRATA, ErrataChoice, OverlayBlock, read_blocks
from dsl.overlay.conflicts import ChangedPlace, changed_places, report_conflicts
from dsl.overlay.patches import apply_patch

__all__ = [ "ALL_ERRATA", "OverlayBlock", "ChangedPlace", "ErrataChoice", "addresses", "apply_patch", "changed_places",
"digest", "find", "read_blocks", "report_conflicts", ]  # fmt: skip
