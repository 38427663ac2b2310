"""Rules of an earlier language: one message in the place of one for each thing that is said otherwise today."""

from __future__ import annotations

from dsl.diagnostics.diagnostic import Diagnostic, Severity
from dsl.files.documents import Manifest
from dsl.syntax.vocabulary import LANGUAGE

OLD = "RW0138"


def told_once(found: list[Diagnostic], manifest: Manifest | None) -> list[Diagnostic]:
    """The messages, with one at the manifest for all old spellings where it names an earlier language, or none."""
    old = [d for d in found if d.code == OLD]
    if manifest is None or manifest.language == LANGUAGE or not old:
        return found
    places = f"{len(old)} place{'s are' if len(old) > 1 else ' is'} said otherwise today"
    message = f"the rules are written in language {manifest.language}, and {places}: the present one is {LANGUAGE}"
    help = f"`rulewright fmt --upgrade` with the folder of `{manifest.id}` rewrites them"
    span = manifest.span("language" if manifest.node.get("language") else "version")
    return [Diagnostic(OLD, Severity.ERROR, span, message, help), *(d for d in found if d.code != OLD)]
