"""Records of data files as places that an overlay can take away: `drop Space.left_3`.

Takes the trees and the data files; finds the record at an address. What is dropped is noted in the model, by kind and
id; whoever reads records, texts and hints leaves it out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from dsl.base.record import dataclass
from dsl.base.span import Source, Span
from dsl.files.yaml import YamlNode, merge_documents, read_yaml
from dsl.overlay.addresses import find_all
from dsl.syntax import nodes as sx


@dataclass(frozen=True, slots=True)
class Record:
    """The record of a kind in a data file; `span`: from its key to its end."""

    kind: str
    id: str
    file: str
    node: YamlNode
    span: Span

    @property
    def key(self) -> str:
        """The key by which conflicts of overlays name it."""
        return f"{self.file}:{self.kind}.{self.id}"


def find_record(files: Sequence[sx.File], data: Mapping[str, tuple[Source, ...]], path: Sequence[str]) -> Record | None:
    """The record at an address. `data`: by name the file of the base, and those that are laid over it."""
    if len(path) < 2:
        return None
    id = ".".join(path[1:])  # which may have dots itself
    for file in map(data_file, find_all(files, path[:1])):
        root: YamlNode | None = None
        for source in data.get(file, ()):
            root = merge_documents(root, read_yaml(source)[0])
        section = root.get(path[0]) if root is not None else None
        entry = section.entries().get(id) if section is not None else None
        if entry is not None:
            key, node = entry
            end = node.span.end if node.span.file == key.file else key.end
            return Record(path[0], id, file, node, Span(key.file, key.start, max(key.end, end)))
    return None


def data_file(place: sx.Node) -> str:
    """The data file of a kind; empty for anything else."""
    if not isinstance(place, sx.Decl) or place.word != "kind":
        return ""
    return next((a.value for c in place.clauses if c.word == "from" for a in c.args if isinstance(a, sx.Text)), "")
