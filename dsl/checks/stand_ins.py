"""The check of stand-ins, of the manifest and of the files: each file is there, and no record stands in untold.

Takes the manifest and the texts of the ruleset and its layers; called by the passes, which keep the stand-ins that are
left. Data files are read through the cache of the parts.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence

from dsl.base.span import Span
from dsl.diagnostics.diagnostic import Diagnostic, Severity
from dsl.files.documents import Manifest
from dsl.files.read_through import ReadThrough
from dsl.files.ruleset import FileTexts
from dsl.files.schema import did_you_mean
from dsl.files.stand_ins import STAND_IN, Member, is_file_of, names_of_files, sources_in, stand_ins_of
from dsl.program import StandIn


def check_stand_ins(
    manifest: Manifest, layers: Sequence[FileTexts], dropped: Container[Member], read_through: ReadThrough
) -> tuple[tuple[StandIn, ...], list[Diagnostic]]:
    """The stand-ins that are left, and what is wrong with them."""
    found = [*_unknown(manifest, layers), *_untold(manifest, layers, dropped, read_through)]
    return stand_ins_of(manifest.stand_ins, layers, dropped, read_through), found


def _unknown(manifest: Manifest, layers: Sequence[FileTexts]) -> Iterator[Diagnostic]:
    for name, files in manifest.stand_ins.items():
        items = list((manifest.value("stand_ins", name)).items())
        for at, file in enumerate(files):
            if not is_file_of(file, layers):
                span = items[at].span if at < len(items) else manifest.span("stand_ins", name)
                message, help = f"unknown file in `stand_ins` `{file}`", did_you_mean(file, names_of_files(layers))
                yield Diagnostic("RW0321", Severity.ERROR, span, message, help)


def _untold(
    manifest: Manifest, layers: Sequence[FileTexts], dropped: Container[Member], read_through: ReadThrough
) -> Iterator[Diagnostic]:
    told = {file for files in manifest.stand_ins.values() for file in files}
    for file in dict.fromkeys(name for layer in layers for name in layer.data):
        if file in told:
            continue
        places = [span for text, span in sources_in(file, layers, dropped, read_through).values() if STAND_IN in text]
        if places:
            yield _untold_in(file, places)


def _untold_in(file: str, places: Sequence[Span]) -> Diagnostic:
    many = "1 record is a stand-in" if len(places) == 1 else f"{len(places)} records are stand-ins"
    message = f"{many} in `{file}`, and players are not told"
    help = f"name the file in the manifest, as `stand_ins: {{cards: {file}}}`, and write the text `stand_in.cards`"
    return Diagnostic("RW1116", Severity.WARNING, places[0], message, help)
