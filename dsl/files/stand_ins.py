"""Stand-ins: what a ruleset has in place of printed things that its makers could not get, such as the faces of cards.

The manifest names them with their files, a text under `stand_in.NAME` tells players of each. How much of it stands in
is read from the data files: a record counts whose `source` has this word, be it its own or that of its file. So a
stand-in is over when its last record has another source. Called by the checker and by the last pass; takes the texts
of the ruleset and its layers, reads no files of its own.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence

from dsl.base.span import Span
from dsl.files.read_through import ReadThrough, read_uncached
from dsl.files.ruleset import FileTexts
from dsl.files.yaml import YamlNode, read_yaml
from dsl.program import StandIn

STAND_IN = "stand-in"  # in the `source` of a record that is made up, in whole or in part
OF_STAND_INS = "stand_in."  # before the name in the address of a text
SOURCE = "source"
Member = tuple[str, str]  # a kind and an id
Sourced = dict[Member, tuple[str, Span]]


def stand_ins_of(
    named: dict[str, tuple[str, ...]],
    layers: Sequence[FileTexts],
    dropped: Container[Member] = (),
    read_through: ReadThrough = read_uncached,
) -> tuple[StandIn, ...]:
    """The stand-ins that are left of those that a manifest has `named`, with their files: not one that names no file
    any more, nor one whose data files have no record left that stands in."""
    found = []
    for name, files in named.items():
        if not files:
            continue
        sourced = [
            s for f in files if f.endswith(".yaml") for s in sources_in(f, layers, dropped, read_through).values()
        ]
        left = sum(STAND_IN in text for text, _ in sourced)
        if left or any(not f.endswith(".yaml") for f in files):
            found.append(StandIn(name, files, left, len(sourced)))
    return tuple(found)


def sources_in(
    file: str, layers: Sequence[FileTexts], dropped: Container[Member] = (), read_through: ReadThrough = read_uncached
) -> Sourced:
    """The source of each record of a data file: the last layer counts that says one, and a record before its file. The
    place is that of the record in that layer."""
    found: Sourced = {}
    for layer in layers:
        if file in layer.data:
            node, _ = read_through(read_yaml, layer.data[file])
            for member, text, span in _sourced(node) if node is not None else ():
                if member in dropped:
                    continue
                if text or member not in found:
                    found[member] = (text, span)
    return found


def _sourced(node: YamlNode) -> Iterator[tuple[Member, str, Span]]:
    of_file = node.get(SOURCE)
    for kind, (_, block) in node.entries().items():
        if block.kind != "map" or kind == SOURCE:
            continue
        default = of_file.get(kind) if of_file is not None and of_file.kind == "map" else of_file
        for id_, (span, record) in block.entries().items():
            own = record.get(SOURCE) or default
            yield (kind, id_), str(own.value) if own is not None and own.kind == "scalar" else "", span


def is_file_of(name: str, layers: Sequence[FileTexts]) -> bool:
    """True if a layer has a file of this name, which is that behind the folder of the ruleset, overlay or cards."""
    return any(name in layer.data or any(f.endswith(f"/{name}") for f in layer.all()) for layer in layers)


def names_of_files(layers: Sequence[FileTexts]) -> list[str]:
    """The names that a stand-in could take, for a guess at what was meant."""
    cards = [s.file.rpartition("/")[2] for layer in layers for s in layer.rules if s.file.endswith(".cards")]
    return [*(name for layer in layers for name in layer.data), *cards]
