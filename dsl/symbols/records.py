"""The records of data files that kinds refer to, as ids and as values of their constants.

Takes the texts of a ruleset and a kind; finds the kind's records in its file, merged with those of overlays. Faults go
to the model's diagnostics. The reader of YAML is imported only when there is a data file, and called through
`reading`.
"""

from __future__ import annotations

from typing import Any

from dsl.base.span import NOWHERE, Source, Span
from dsl.base.types import Type
from dsl.diagnostics.diagnostic import Diagnostic
from dsl.files.read_through import ReadThrough, read_uncached
from dsl.files.rows import COPIES_ROW
from dsl.files.ruleset import FileTexts
from dsl.symbols.copies import declares
from dsl.symbols.symbols import KindSym, Model


class Records:
    """Data files, read when a kind asks for them."""

    def __init__(self, texts: FileTexts, model: Model, prefix: str, read_through: ReadThrough = read_uncached) -> None:
        self.texts = texts
        self.model = model
        self.prefix = prefix
        self.read_through = read_through
        self.documents: dict[str, Any] = {}

    def section(self, kind: KindSym) -> Any:
        """The node with the records of a kind, or None after a message."""
        from dsl.files.data import section
        from dsl.files.yaml import merge_documents, read_yaml

        assert kind.data
        layers = (self.texts, *self.texts.overlays)
        sources = [layer.data[kind.data] for layer in layers if kind.data in layer.data]
        if not sources:
            span = kind.decls[0].span if kind.decls else kind.span
            names = list(dict.fromkeys(name for layer in layers for name in layer.data))
            wanted = f"{kind.data.rpartition('.')[0] or kind.data}.yaml"
            only_yaml = f"records are read from YAML alone: write them into `{wanted}`"
            help = None if wanted in (kind.data, *names) else only_yaml
            self.model.unknown("RW0321", span, "data file", kind.data, names, help)
            return None
        if kind.data not in self.documents:
            node, diagnostics = self.read_through(read_yaml, sources[0])
            for source in sources[1:]:
                over, found = read_yaml(source)
                node, diagnostics = merge_documents(node, over), diagnostics + found
            self.model.diagnostics += diagnostics
            self.documents[kind.data] = node
        root = self.documents[kind.data]
        if root is None:
            return None
        node, diagnostics = section(root, kind.name)
        self.model.diagnostics += diagnostics
        return self.without_dropped(node, kind)

    def without_dropped(self, node: Any, kind: KindSym) -> Any:
        """The records without those that an overlay takes away."""
        from dsl.files.yaml import YamlNode

        dropped = {id for owner, id in self.model.dropped if owner == kind.name}
        if node is None or not dropped:
            return node
        return YamlNode("map", node.span, {id: entry for id, entry in node.entries().items() if id not in dropped})

    def ids(self, kind: KindSym) -> list[tuple[str, Span, list[str], int]]:
        """Of each record its id, place, aliases and number of copies."""
        from dsl.files.data import copies_of, declare_records

        node = self.section(kind)
        if node is None:
            return []
        ids, aliases, diagnostics = declare_records(node)
        self.model.diagnostics += diagnostics
        spans = {key: span for key, (span, _) in node.entries().items()}
        copies = {} if declares(kind, COPIES_ROW) else copies_of(node)
        return [(i, spans.get(i, NOWHERE), [a for a, to in aliases.items() if to == i], copies.get(i, 1)) for i in ids]

    def values(self, kind: KindSym, fields: dict[str, Type]) -> dict[str, dict[str, Any]]:
        from dsl.files.data import Schema, section, validate_records

        assert kind.data
        root = self.documents.get(kind.data)
        node = self.without_dropped(section(root, kind.name)[0], kind) if root is not None else None
        if node is None:
            return {}
        texts = [layer.data[kind.data].text for layer in (self.texts, *self.texts.overlays) if kind.data in layer.data]
        made_of = repr((kind.data, texts, fields, self.model.domains, sorted(self.model.dropped)))

        def records(_: Source) -> tuple[dict[str, dict[str, Any]], list[Diagnostic]]:
            return validate_records(Schema(kind.name, fields), node, self.model.domains)

        values, diagnostics = self.read_through(records, Source(kind.name, made_of))
        self.model.diagnostics += diagnostics
        return values
