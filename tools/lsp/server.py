"""The server: passes requests and notifications of the protocol to the workspace of rulesets, and its messages back.

One thread answers; a second one checks, first without rulings as soon as a key is pressed, then with them when no key
is pressed for a while. An answer never waits for a check.
"""

from __future__ import annotations

import asyncio
import gc
import logging
import os
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from importlib.metadata import PackageNotFoundError, version
from itertools import islice
from pathlib import Path
from typing import Any

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException, JsonRpcInvalidParams
from pygls.lsp.server import LanguageServer
from pygls.uris import from_fs_path, to_fs_path

from dsl.base.span import Source, Span
from dsl.base.visible import visible
from dsl.diagnostics.diagnostic import Diagnostic
from dsl.editing.complete import complete
from dsl.editing.hover import clause_at, clause_declaration, clause_uses, hover
from dsl.editing.index import NameIndex
from dsl.editing.rename import RenameRefused, rename_target
from dsl.editing.structure import outline
from dsl.files.phrases import canonical_tag
from tools.lsp.incoming import REFUSALS, UNREADABLE, Incoming, is_worth_a_line
from tools.lsp.overview import (
    KINDS,
    LEGEND,
    MOST,
    document_symbol,
    folding_ranges,
    matching,
    semantic_tokens,
)
from tools.lsp.positions import Positions
from tools.lsp.projects import Project
from tools.lsp.protocol import completion, diagnostic, formatting, ranges_overlap
from tools.lsp.workspace import ProjectState, RulesetWorkspace

IDLE_SECONDS = 0.5  # time without a key after a quick check until rulings are checked too
MIN_CHECKS, MAX_CHECKS = 8, 60  # checks between two runs of the garbage collector: when nobody types, and at most


class Server(LanguageServer):
    def __init__(self) -> None:
        try:
            number = version("rulewright")
        except PackageNotFoundError:
            number = "0"
        super().__init__("rulewright", number, protocol_cls=Incoming)
        self.rulesets = RulesetWorkspace()
        self.lang = ""  # of titles; empty for that of the ruleset
        self.positions = Positions()
        self.checker = ThreadPoolExecutor(1, "check")
        self.running: set[Project] = set()
        self.timers: dict[Project, asyncio.TimerHandle] = {}
        self.published: dict[str, dict[Project | None, list[lsp.Diagnostic]]] = {}  # by uri, then by ruleset
        self.uris: dict[Path, str] = {}  # of open files, as the editor writes them
        self.checks, self.frozen = 0, False  # checks since garbage was collected

    def report_server_error(self, error: Exception, source: Any) -> None:
        """Show an error to the person, unless it is a refusal, which is an answer."""
        if source is JsonRpcException and isinstance(error, UNREADABLE):
            self.protocol.refuse_unreadable()
        elif not isinstance(error, REFUSALS):
            super().report_server_error(error, source)

    # ------------------------------------------------------------ files

    def path(self, uri: str) -> Path:
        return Path(to_fs_path(uri) or uri)

    def uri(self, path: Path) -> str:
        return self.uris.get(path) or from_fs_path(str(path)) or str(path)

    def text_changed(self, uri: str, text: str | None) -> None:
        """Take over the new text of a file, None when it is closed, and start the checks it makes necessary."""
        path = self.path(uri)
        if text is not None:
            self.uris[path] = uri
        affected = self.rulesets.set_text(path, text)
        if affected is None and text is None:
            self.report(None, uri, [], {}, {})
        elif affected is None:
            asyncio.ensure_future(self.check_alone(path, uri))
        for state in affected or ():
            self.schedule_checks(state)
        for state in self.rulesets.drop_closed_overlays() if text is None else ():
            state.messages.clear()
            self.publish(state)

    def locate(self, uri: str, position: lsp.Position) -> tuple[NameIndex, Source, int]:
        """The index of names for a file, its source, and the offset of a position."""
        path = self.path(uri)
        index, name = self.rulesets.index(path)
        source = index.sources.get(name) or Source(name, self.rulesets.open_texts.get(path, ""))
        return index, source, self.positions.offset(source, position)

    def source(self, uri: str) -> Source:
        index, name = self.rulesets.index(self.path(uri))
        return index.sources.get(name) or Source(name, "")

    def symbols(self, query: str) -> Iterator[lsp.WorkspaceSymbol]:
        """The names of all rulesets that are edited, by a part of them."""
        for state in list(self.rulesets.states.values()):
            index = self.rulesets.index_of(state)
            for symbol, span in matching(index, query):
                where = self.positions.of(index.sources[span.file], span)
                place = lsp.Location(self.uri(state.project.file(span.file)), where)
                kind = KINDS.get(symbol.sort, lsp.SymbolKind.Namespace)
                yield lsp.WorkspaceSymbol(place, symbol.name, kind, container_name=symbol.owner or state.project.id)

    def location(self, uri: str, index: NameIndex, span: Span) -> lsp.Location:
        state = self.rulesets.state(self.path(uri))
        file = state.project.file(span.file) if state is not None else Path(span.file)
        return lsp.Location(self.uri(file), self.positions.of(index.sources[span.file], span))

    # ------------------------------------------------------------ checks

    def schedule_checks(self, state: ProjectState) -> None:
        """After a change: check without rulings now, and with them when no further change comes for a while."""
        if state.project in self.timers:
            self.timers.pop(state.project).cancel()
        self.start_check(state, state.analysis is None)

    def start_check(self, state: ProjectState, with_rulings: bool) -> None:
        if state.project in self.running or (with_rulings and self.is_current(state)):
            return  # the running check sees at its end that the texts have changed
        self.running.add(state.project)
        asyncio.ensure_future(self.check(state, with_rulings))

    def is_current(self, state: ProjectState) -> bool:
        """True if the texts are those of the last check with rulings."""
        analysis = state.analysis
        return analysis is not None and analysis.with_rulings and analysis.sources == self.rulesets.texts(state).all()

    async def check(self, state: ProjectState, with_rulings: bool) -> None:
        number = state.version
        loop = asyncio.get_running_loop()
        try:
            self.rulesets.texts(state)  # read here, so that the thread sees one state of all files
            analysis = await loop.run_in_executor(self.checker, self.rulesets.check, state, with_rulings)
            if state.version == number and self.rulesets.states.get(state.project) is state:
                self.rulesets.store_analysis(state, analysis)
                self.publish(state)
            self.collect_garbage(with_rulings)
        except Exception as fault:  # a fault of the checker must not end the session
            self.log_fault(state.project.id, fault)
        finally:
            self.running.discard(state.project)
        if state.version != number:
            self.start_check(state, False)
        elif not with_rulings:
            self.timers[state.project] = loop.call_later(IDLE_SECONDS, lambda: self.start_check(state, True))

    async def check_alone(self, path: Path, uri: str) -> None:
        """Check a file that belongs to no ruleset, unless its text changes meanwhile."""
        text = self.rulesets.open_texts.get(path, "")

        def work() -> list[Diagnostic] | None:
            return self.rulesets.check_single_file(path, text) if self.rulesets.open_texts.get(path) == text else None

        try:
            found = await asyncio.get_running_loop().run_in_executor(self.checker, work)
        except Exception as fault:  # a fault of the checker must not end the session
            self.log_fault(path.name, fault)
            return
        if found is not None and self.rulesets.open_texts.get(path) == text:
            self.rulesets.messages_alone[path] = found
            source = Source(str(path), text)
            self.report(None, uri, found, {source.file: source}, {source.file: uri})

    def log_fault(self, what: str, fault: Exception) -> None:
        text = f"the check of {what} failed: {type(fault).__name__}: {fault}"
        self.window_log_message(lsp.LogMessageParams(lsp.MessageType.Error, text))

    def collect_garbage(self, idle: bool) -> None:
        """Collect garbage from time to time, more often when nobody types; objects that survive the first check are
        frozen."""
        self.checks += 1
        if not self.frozen:
            gc.collect()
            gc.freeze()
            self.frozen, self.checks = True, 0
        elif self.checks >= (MIN_CHECKS if idle else MAX_CHECKS):
            gc.collect()
            self.checks = 0

    def publish(self, state: ProjectState) -> None:
        """Publish the messages of a ruleset, and empty lists for the files that no longer have any."""
        sources = self.rulesets.texts(state).all()
        uris = {file: self.uri(state.project.file(file)) for file in sources}
        had = {uri for uri, entries in self.published.items() if state.project in entries}
        for file, found in state.messages.items():
            if file in sources:
                had.discard(uris[file])
                self.report(state.project, uris[file], found, sources, uris)
        for uri in had:
            self.report(state.project, uri, [], sources, uris)

    def report(
        self,
        project: Project | None,
        uri: str,
        found: list[Diagnostic],
        sources: dict[str, Source],
        uris: dict[str, str],
    ) -> None:
        """Publish the messages of one ruleset about a file, with those of the others: the same ruleset with an overlay
        may have more."""
        published = self.published.setdefault(uri, {})
        before = merge_messages(published)
        published[project] = [diagnostic(d, sources, self.positions, uris) for d in found]
        if not found:
            del published[project]
        merged = merge_messages(published)
        if merged != before:
            self.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(uri, merged))


def merge_messages(published: dict[Project | None, list[lsp.Diagnostic]]) -> list[lsp.Diagnostic]:
    """The messages of several rulesets about one file, each once."""
    found: list[lsp.Diagnostic] = []
    for entries in published.values():
        found += [entry for entry in entries if entry not in found]
    return found


def make_server() -> Server:
    """A server with all its features."""
    server = Server()

    @server.feature(lsp.INITIALIZE)
    def initialize(ls: Server, params: lsp.InitializeParams) -> None:
        chosen = params.initialization_options
        wanted = chosen.get("language") if isinstance(chosen, dict) else None
        ls.lang = canonical_tag(str(wanted or params.locale or "")) or ""

    @server.feature(lsp.INITIALIZED)
    def initialized(ls: Server, params: lsp.InitializedParams) -> None:
        ls.positions = Positions(str(getattr(ls.workspace.position_encoding, "value", ls.workspace.position_encoding)))

    @server.feature(lsp.TEXT_DOCUMENT_DID_OPEN)
    def opened(ls: Server, params: lsp.DidOpenTextDocumentParams) -> None:
        ls.text_changed(params.text_document.uri, params.text_document.text)

    @server.feature(lsp.TEXT_DOCUMENT_DID_CHANGE)
    def changed(ls: Server, params: lsp.DidChangeTextDocumentParams) -> None:
        uri = params.text_document.uri
        ls.text_changed(uri, ls.workspace.get_text_document(uri).source)

    @server.feature(lsp.TEXT_DOCUMENT_DID_CLOSE)
    def closed(ls: Server, params: lsp.DidCloseTextDocumentParams) -> None:
        ls.text_changed(params.text_document.uri, None)

    @server.feature(lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    def watched(ls: Server, params: lsp.DidChangeWatchedFilesParams) -> None:
        ls.rulesets.invalidate()
        for state in list(ls.rulesets.states.values()):
            ls.schedule_checks(state)

    @server.feature(lsp.TEXT_DOCUMENT_HOVER)
    def hovered(ls: Server, params: lsp.HoverParams) -> lsp.Hover | None:
        index, source, offset = ls.locate(params.text_document.uri, params.position)
        found = hover(index, source.file, offset, ls.lang)
        if found is None:
            return None
        text = lsp.MarkupContent(lsp.MarkupKind.Markdown, visible(found[1]))
        return lsp.Hover(text, ls.positions.of(source, found[0]))

    @server.feature(lsp.TEXT_DOCUMENT_DEFINITION)
    def defined(ls: Server, params: lsp.DefinitionParams) -> list[lsp.Location]:
        uri = params.text_document.uri
        index, source, offset = ls.locate(uri, params.position)
        if clause := clause_at(source, offset):
            where = clause_declaration(index, clause[1])
            return [ls.location(uri, index, where)] if where else []
        found = index.name_at(source.file, offset)
        return [ls.location(uri, index, s) for m in (found[2] if found else ()) for s in index.declarations(m)]

    @server.feature(lsp.TEXT_DOCUMENT_REFERENCES)
    def used(ls: Server, params: lsp.ReferenceParams) -> list[lsp.Location]:
        uri = params.text_document.uri
        index, source, offset = ls.locate(uri, params.position)
        if clause := clause_at(source, offset):
            return [ls.location(uri, index, span) for span in clause_uses(index, clause[1])]
        found = index.name_at(source.file, offset)
        declared = params.context.include_declaration
        spans = {span: None for m in (found[2] if found else ()) for span, _, d in index.uses(m) if declared or not d}
        return [ls.location(uri, index, span) for span in spans]

    @server.feature(lsp.TEXT_DOCUMENT_COMPLETION, lsp.CompletionOptions(trigger_characters=[".", "[", " "]))
    def completed(ls: Server, params: lsp.CompletionParams) -> lsp.CompletionList:
        index, source, offset = ls.locate(params.text_document.uri, params.position)
        items = [completion(item) for item in complete(index, source.file, offset, ls.lang)]
        return lsp.CompletionList(is_incomplete=False, items=items)

    @server.feature(lsp.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
    def outlined(ls: Server, params: lsp.DocumentSymbolParams) -> list[lsp.DocumentSymbol]:
        source = ls.source(params.text_document.uri)
        return [document_symbol(e, source, ls.positions) for e in outline(source)] if is_rules(source) else []

    @server.feature(lsp.WORKSPACE_SYMBOL)
    def searched(ls: Server, params: lsp.WorkspaceSymbolParams) -> list[lsp.WorkspaceSymbol]:
        return list(islice(ls.symbols(params.query), MOST))

    @server.feature(lsp.TEXT_DOCUMENT_FOLDING_RANGE)
    def folded(ls: Server, params: lsp.FoldingRangeParams) -> list[lsp.FoldingRange]:
        source = ls.source(params.text_document.uri)
        return folding_ranges(source) if is_rules(source) else []

    @server.feature(lsp.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL, LEGEND)
    def coloured(ls: Server, params: lsp.SemanticTokensParams) -> lsp.SemanticTokens:
        index, name = ls.rulesets.index(ls.path(params.text_document.uri))
        source = index.sources.get(name)  # None: its ruleset is gone
        return lsp.SemanticTokens(semantic_tokens(index, source, ls.positions) if source is not None else [])

    @server.feature(lsp.TEXT_DOCUMENT_PREPARE_RENAME)
    def renamable(ls: Server, params: lsp.PrepareRenameParams) -> lsp.Range:
        index, source, offset = ls.locate(params.text_document.uri, params.position)
        try:
            return ls.positions.of(source, rename_target(index, source.file, offset)[0])
        except RenameRefused as reason:
            raise JsonRpcInvalidParams(str(reason)) from None

    @server.feature(lsp.TEXT_DOCUMENT_RENAME, lsp.RenameOptions(prepare_provider=True))
    async def renamed(ls: Server, params: lsp.RenameParams) -> lsp.WorkspaceEdit:
        path = ls.path(params.text_document.uri)
        _, _, offset = ls.locate(params.text_document.uri, params.position)
        loop = asyncio.get_running_loop()
        try:
            project, edits = await loop.run_in_executor(ls.checker, ls.rulesets.rename, path, offset, params.new_name)
        except RenameRefused as reason:
            raise JsonRpcInvalidParams(str(reason)) from None
        changes: dict[str, list[lsp.TextEdit]] = {}
        base, layers = project.layers(ls.rulesets.open_texts)
        sources = {f: s for texts in (base, *layers) for f, s in texts.all().items()}
        for edit in edits:
            uri = ls.uri(project.file(edit.span.file))
            where = ls.positions.of(sources[edit.span.file], edit.span)
            changes.setdefault(uri, []).append(lsp.TextEdit(where, edit.text))
        return lsp.WorkspaceEdit(changes=changes)

    @server.feature(lsp.TEXT_DOCUMENT_FORMATTING)
    def formatted(ls: Server, params: lsp.DocumentFormattingParams) -> list[lsp.TextEdit]:
        uri = params.text_document.uri
        return formatting(ls.path(uri), ls.workspace.get_text_document(uri).source, ls.positions)

    @server.feature(
        lsp.TEXT_DOCUMENT_CODE_ACTION, lsp.CodeActionOptions(code_action_kinds=[lsp.CodeActionKind.QuickFix])
    )
    def actions(ls: Server, params: lsp.CodeActionParams) -> list[lsp.CodeAction]:
        uri = params.text_document.uri
        path = ls.path(uri)
        state = ls.rulesets.state(path)
        index, name = ls.rulesets.index(path)
        found = state.messages.get(name, []) if state is not None else ls.rulesets.messages_alone.get(path, [])
        return [a for d in found if (a := quick_fix(ls, d, index, uri, params.range)) is not None]

    return server


def quick_fix(ls: Server, d: Diagnostic, index: NameIndex, uri: str, around: lsp.Range) -> lsp.CodeAction | None:
    """The fix of a message, if it has one and the message is in the range."""
    if d.fix is None or d.fix.span.file not in index.sources:
        return None
    message = diagnostic(d, index.sources, ls.positions, {file: uri for file in index.sources})
    if not ranges_overlap(message.range, around):
        return None
    source = index.sources[d.fix.span.file]
    was = source.text[d.fix.span.start : d.fix.span.end]
    edit = lsp.TextEdit(ls.positions.of(source, d.fix.span), d.fix.text)
    return lsp.CodeAction(
        title=f"Replace `{was}` by `{d.fix.text}`" if was else f"Insert `{d.fix.text}`",
        kind=lsp.CodeActionKind.QuickFix,
        diagnostics=[message],
        is_preferred=True,
        edit=lsp.WorkspaceEdit(changes={ls.location(uri, index, d.fix.span).uri: [edit]}),
    )


def is_rules(source: Source) -> bool:
    return not source.file.endswith(".yaml")


def serve() -> int:
    """Serve the protocol on standard input and output until the client exits."""
    sys.setswitchinterval(0.002)  # so that an answer gets its turn while a check runs
    for name in ("pygls.protocol.json_rpc", "pygls.server"):
        logging.getLogger(name).addFilter(is_worth_a_line)
    with os.fdopen(os.dup(0), "rb") as source, os.fdopen(os.dup(1), "wb") as sink:
        os.dup2(2, 1)  # nothing else may print between the messages
        server: Any = make_server()
        server.start_io(source, sink)
    return 0
