"""Keys of a panel of `display.yaml` that mean nothing without another one."""

from __future__ import annotations

from collections.abc import Iterator

from dsl.diagnostics.diagnostic import Diagnostic, Severity
from dsl.files.yaml import YamlNode


def fitting_keys(panel: YamlNode) -> Iterator[Diagnostic]:
    """Errors about a track of numbers without markers, markers without such a track, and a line of no groups."""
    track, at = panel.get("track"), panel.get("at")
    has_spaces = track is not None and track.kind == "list"
    if track is not None and has_spaces and at is None:
        message = "the track does not say where the markers are"
        yield Diagnostic("RW0311", Severity.ERROR, track.span, message, "add `at:` a number of each member")
    if at is not None and not has_spaces:
        message = "a panel has `at` only beside the spaces of a track"
        yield Diagnostic("RW0310", Severity.ERROR, at.span, message, "write the spaces: `track: [0, 60, 10]`")
    if track is not None and panel.get("per") is None:
        message = "the track does not say whose markers are on it"
        yield Diagnostic("RW0311", Severity.ERROR, track.span, message, "add `per:` a kind")
    flow = panel.get("flow")
    if flow is not None and panel.get("group") is None:
        message = "a panel has a `flow` only if it has groups"
        yield Diagnostic("RW0310", Severity.ERROR, flow.span, message, "add `group:` a kind and `by:`, or leave it out")
