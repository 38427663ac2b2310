"""The server: requests and notifications of the protocol to the workshop, and its messages back.

One thread answers; a second one checks, first without rulings as soon as a key is pressed, then with them when nothing
is pressed for a while. An answer never waits for a check.
"""

from __future__ import annotations

import asyncio
import gc
import logging
import os
import sys
from concurrent.futures import ThreadPoolExecutor
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcInvalidParams
from pygls.lsp.server import LanguageServer
from pygls.uris import from_fs_path, to_fs_path

from dsl.base.span import Source, Span
from dsl.diagnostics.diagnostic import Diagnostic
from dsl.editing.complete import complete
from dsl.editing.hover import clause_at, clause_place, clause_uses, hover
from dsl.editing.index import World
from dsl.editing.rename import Refused, target
from tools.lsp.positions import Positions
from tools.lsp.projects import Project
from tools.lsp.protocol import completion, diagnostic, formatting, overlap
from tools.lsp.workspace import State, Workshop

IDLE = 0.5  # seconds without a key after a quick check, then rulings are checked too
FEW, MANY = 8, 60  # checks between two runs of the garbage collector when it is quiet, and at most
LANGUAGES = ("en", "ja")


class Server(LanguageServer):
    def __init__(self) -> None:
        try:
            number = version("rulewright")
        except PackageNotFoundError:
            number = "0"
        super().__init__("rulewright", number)
        self.workshop = Workshop()
        self.lang = "en"
        self.positions = Positions()
        self.checker = ThreadPoolExecutor(1, "check")
        self.running: set[Project] = set()
        self.quiet: dict[Project, asyncio.TimerHandle] = {}
        self.told: dict[str, dict[Project | None, list[lsp.Diagnostic]]] = {}  # of a file, by who said it
        self.uris: dict[Path, str] = {}  # as the editor writes those of open files
        self.checks, self.frozen = 0, False  # since rubbish was collected

    def report_server_error(self, error: Exception, source: Any) -> None:
        """A refusal is an answer; everything else is shown to the person."""
        if not isinstance(error, JsonRpcInvalidParams):
            super().report_server_error(error, source)

    # ------------------------------------------------------------ files

    def path(self, uri: str) -> Path:
        return Path(to_fs_path(uri) or uri)

    def uri(self, path: Path) -> str:
        return self.uris.get(path) or from_fs_path(str(path)) or str(path)

    def changed(self, uri: str, text: str | None) -> None:
        path = self.path(uri)
        if text is not None:
            self.uris[path] = uri
        touched = self.workshop.put(path, text)
        if touched is None:
            source = Source(str(path), self.workshop.opened.get(path, ""))
            found = self.workshop.alone(path) if text is not None else []
            self.tell(None, uri, found, {source.file: source}, {source.file: uri})
        for state in touched or ():
            self.wake(state)
        for state in self.workshop.leave() if text is None else ():
            state.shown.clear()
            self.publish(state)

    def place(self, uri: str, position: lsp.Position) -> tuple[World, Source, int]:
        path = self.path(uri)
        world, name = self.workshop.world(path)
        source = world.sources.get(name) or Source(name, self.workshop.opened.get(path, ""))
        return world, source, self.positions.offset(source, position)

    def location(self, uri: str, world: World, span: Span) -> lsp.Location:
        state = self.workshop.state(self.path(uri))
        file = state.project.file(span.file) if state is not None else Path(span.file)
        return lsp.Location(self.uri(file), self.positions.of(world.sources[span.file], span))

    # ------------------------------------------------------------ checks

    def wake(self, state: State) -> None:
        """A key was pressed: check quickly now, and wholly when it stays quiet after that."""
        if state.project in self.quiet:
            self.quiet.pop(state.project).cancel()
        self.start(state, state.analysis is None)

    def start(self, state: State, whole: bool) -> None:
        if state.project in self.running or (whole and self.fresh(state)):
            return  # the end of what runs sees that the texts have changed
        self.running.add(state.project)
        asyncio.ensure_future(self.check(state, whole))

    def fresh(self, state: State) -> bool:
        """Whether the texts are those of the last whole check."""
        analysis = state.analysis
        return analysis is not None and analysis.whole and analysis.sources == self.workshop.texts(state).all()

    async def check(self, state: State, whole: bool) -> None:
        number = state.version
        loop = asyncio.get_running_loop()
        try:
            self.workshop.texts(state)  # read here, so that the thread sees one state of all files
            analysis = await loop.run_in_executor(self.checker, self.workshop.check, state, whole)
            if state.version == number and self.workshop.states.get(state.project) is state:
                self.workshop.take(state, analysis)
                self.publish(state)
            self.tidy(whole)
        except Exception as fault:  # a fault of the checker must not end the session
            said = f"the check of {state.project.id} failed: {type(fault).__name__}: {fault}"
            self.window_log_message(lsp.LogMessageParams(lsp.MessageType.Error, said))
        finally:
            self.running.discard(state.project)
        if state.version != number:
            self.start(state, False)
        elif not whole:
            self.quiet[state.project] = loop.call_later(IDLE, lambda: self.start(state, True))

    def tidy(self, quiet: bool) -> None:
        """Rubbish is collected when it is quiet, and what stays from the first check is not looked at again."""
        self.checks += 1
        if not self.frozen:
            gc.collect()
            gc.freeze()
            self.frozen, self.checks = True, 0
        elif self.checks >= (FEW if quiet else MANY):
            gc.collect()
            self.checks = 0

    def publish(self, state: State) -> None:
        """Tell the messages of a ruleset, and that there are none any more where there were some."""
        sources = self.workshop.texts(state).all()
        uris = {file: self.uri(state.project.file(file)) for file in sources}
        had = {uri for uri, told in self.told.items() if state.project in told}
        for file, found in state.shown.items():
            if file in sources:
                had.discard(uris[file])
                self.tell(state.project, uris[file], found, sources, uris)
        for uri in had:
            self.tell(state.project, uri, [], sources, uris)

    def tell(
        self,
        by: Project | None,
        uri: str,
        found: list[Diagnostic],
        sources: dict[str, Source],
        uris: dict[str, str],
    ) -> None:
        """What a ruleset has to say about a file; with an overlay laid over it, it may have more to say."""
        told = self.told.setdefault(uri, {})
        before = joined(told)
        told[by] = [diagnostic(d, sources, self.positions, uris) for d in found]
        if not found:
            del told[by]
        entries = joined(told)
        if entries != before:
            self.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(uri, entries))


def joined(told: dict[Project | None, list[lsp.Diagnostic]]) -> list[lsp.Diagnostic]:
    """The messages of several rulesets about one file, each once."""
    found: list[lsp.Diagnostic] = []
    for entries in told.values():
        found += [entry for entry in entries if entry not in found]
    return found


def make() -> Server:
    """A server with all its features."""
    server = Server()

    @server.feature(lsp.INITIALIZE)
    def initialize(ls: Server, params: lsp.InitializeParams) -> None:
        chosen = params.initialization_options
        wanted = chosen.get("language") if isinstance(chosen, dict) else None
        lang = str(wanted or params.locale or "en")[:2]
        ls.lang = lang if lang in LANGUAGES else "en"

    @server.feature(lsp.INITIALIZED)
    def initialized(ls: Server, params: lsp.InitializedParams) -> None:
        ls.positions = Positions(str(getattr(ls.workspace.position_encoding, "value", ls.workspace.position_encoding)))

    @server.feature(lsp.TEXT_DOCUMENT_DID_OPEN)
    def opened(ls: Server, params: lsp.DidOpenTextDocumentParams) -> None:
        ls.changed(params.text_document.uri, params.text_document.text)

    @server.feature(lsp.TEXT_DOCUMENT_DID_CHANGE)
    def changed(ls: Server, params: lsp.DidChangeTextDocumentParams) -> None:
        uri = params.text_document.uri
        ls.changed(uri, ls.workspace.get_text_document(uri).source)

    @server.feature(lsp.TEXT_DOCUMENT_DID_CLOSE)
    def closed(ls: Server, params: lsp.DidCloseTextDocumentParams) -> None:
        ls.changed(params.text_document.uri, None)

    @server.feature(lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    def watched(ls: Server, params: lsp.DidChangeWatchedFilesParams) -> None:
        ls.workshop.forget()
        for state in list(ls.workshop.states.values()):
            ls.wake(state)

    @server.feature(lsp.TEXT_DOCUMENT_HOVER)
    def hovered(ls: Server, params: lsp.HoverParams) -> lsp.Hover | None:
        world, source, offset = ls.place(params.text_document.uri, params.position)
        found = hover(world, source.file, offset, ls.lang)
        if found is None:
            return None
        text = lsp.MarkupContent(lsp.MarkupKind.Markdown, found[1])
        return lsp.Hover(text, ls.positions.of(source, found[0]))

    @server.feature(lsp.TEXT_DOCUMENT_DEFINITION)
    def defined(ls: Server, params: lsp.DefinitionParams) -> list[lsp.Location]:
        uri = params.text_document.uri
        world, source, offset = ls.place(uri, params.position)
        if clause := clause_at(source, offset):
            where = clause_place(world, clause[1])
            return [ls.location(uri, world, where)] if where else []
        found = world.at(source.file, offset)
        return [ls.location(uri, world, s) for m in (found[2] if found else ()) for s in world.declarations(m)]

    @server.feature(lsp.TEXT_DOCUMENT_REFERENCES)
    def used(ls: Server, params: lsp.ReferenceParams) -> list[lsp.Location]:
        uri = params.text_document.uri
        world, source, offset = ls.place(uri, params.position)
        if clause := clause_at(source, offset):
            return [ls.location(uri, world, span) for span in clause_uses(world, clause[1])]
        found = world.at(source.file, offset)
        declared = params.context.include_declaration
        spans = {span: None for m in (found[2] if found else ()) for span, _, d in world.uses(m) if declared or not d}
        return [ls.location(uri, world, span) for span in spans]

    @server.feature(lsp.TEXT_DOCUMENT_COMPLETION, lsp.CompletionOptions(trigger_characters=[".", "[", " "]))
    def completed(ls: Server, params: lsp.CompletionParams) -> lsp.CompletionList:
        world, source, offset = ls.place(params.text_document.uri, params.position)
        items = [completion(item) for item in complete(world, source.file, offset)]
        return lsp.CompletionList(is_incomplete=False, items=items)

    @server.feature(lsp.TEXT_DOCUMENT_PREPARE_RENAME)
    def renamable(ls: Server, params: lsp.PrepareRenameParams) -> lsp.Range:
        world, source, offset = ls.place(params.text_document.uri, params.position)
        try:
            return ls.positions.of(source, target(world, source.file, offset)[0])
        except Refused as reason:
            raise JsonRpcInvalidParams(str(reason)) from None

    @server.feature(lsp.TEXT_DOCUMENT_RENAME, lsp.RenameOptions(prepare_provider=True))
    async def renamed(ls: Server, params: lsp.RenameParams) -> lsp.WorkspaceEdit:
        path = ls.path(params.text_document.uri)
        _, _, offset = ls.place(params.text_document.uri, params.position)
        loop = asyncio.get_running_loop()
        try:
            project, edits = await loop.run_in_executor(ls.checker, ls.workshop.rename, path, offset, params.new_name)
        except Refused as reason:
            raise JsonRpcInvalidParams(str(reason)) from None
        changes: dict[str, list[lsp.TextEdit]] = {}
        base, layers = project.layers(ls.workshop.opened)
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
        state = ls.workshop.state(path)
        world, name = ls.workshop.world(path)
        found = state.shown.get(name, []) if state is not None else ls.workshop.alone(path)
        return [a for d in found if (a := action(ls, d, world, uri, params.range)) is not None]

    return server


def action(ls: Server, d: Diagnostic, world: World, uri: str, around: lsp.Range) -> lsp.CodeAction | None:
    """The fix of a message, if it has one and stands in the range."""
    if d.fix is None or d.fix.span.file not in world.sources:
        return None
    told = diagnostic(d, world.sources, ls.positions, {file: uri for file in world.sources})
    if not overlap(told.range, around):
        return None
    source = world.sources[d.fix.span.file]
    was = source.text[d.fix.span.start : d.fix.span.end]
    edit = lsp.TextEdit(ls.positions.of(source, d.fix.span), d.fix.text)
    return lsp.CodeAction(
        title=f"Replace `{was}` by `{d.fix.text}`" if was else f"Insert `{d.fix.text}`",
        kind=lsp.CodeActionKind.QuickFix,
        diagnostics=[told],
        is_preferred=True,
        edit=lsp.WorkspaceEdit(changes={ls.location(uri, world, d.fix.span).uri: [edit]}),
    )


def no_refusal(record: logging.LogRecord) -> bool:
    """Whether a line belongs into the log: that a request was refused does not."""
    return not (record.exc_info and isinstance(record.exc_info[1], JsonRpcInvalidParams))


def serve() -> int:
    """Speak the protocol on standard input and output until the client says goodbye."""
    sys.setswitchinterval(0.002)  # so that an answer gets its turn while a check runs
    logging.getLogger("pygls.protocol.json_rpc").addFilter(no_refusal)
    with os.fdopen(os.dup(0), "rb") as source, os.fdopen(os.dup(1), "wb") as sink:
        os.dup2(2, 1)  # what anything else prints must not get between the messages
        server: Any = make()
        server.start_io(source, sink)
    return 0
