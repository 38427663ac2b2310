"""The open texts, and for each ruleset that is edited the results of its last checks.

Knows no protocol: it takes paths and texts and gives indexes of names, analyses and messages. `check` may run in a
thread of its own while questions are answered from the last analysis; a quick check leaves rulings out.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from dsl.base.span import Source, Span
from dsl.checks.consequences import UNUSED
from dsl.diagnostics.diagnostic import Diagnostic, Fix, Label, Severity
from dsl.driver.followed import check_followed
from dsl.editing import Analysis, NameIndex, analyse
from dsl.editing.analysis import OffsetMap, cache_parsed_texts
from dsl.editing.rename import Edit, RenameRefused, rename
from dsl.files.ruleset import RULES, RULING, FileTexts
from dsl.files.yaml import read_yaml
from dsl.syntax.parser import parse_file
from tools.base.home import rulesets_beside
from tools.lsp.projects import Project, project_of

MessagesByFile = dict[str, list[Diagnostic]]  # by the displayed path of the file


@dataclass(slots=True)
class ProjectState:
    """A ruleset that is open in an editor, with what is known of it. `texts` is None when they have to be read again;
    `version` counts the changes; `full_messages` are those of the last check with rulings, which read
    `checked_sources`; `messages` are those to show."""

    project: Project
    version: int = 0
    texts: FileTexts | None = None
    reading_messages: list[Diagnostic] = field(default_factory=list)
    analysis: Analysis | None = None
    index: NameIndex | None = None
    full_messages: MessagesByFile = field(default_factory=dict)
    checked_sources: dict[str, Source] = field(default_factory=dict)
    messages: MessagesByFile = field(default_factory=dict)

    def mark_changed(self) -> None:
        self.version += 1
        self.texts = self.index = None


class RulesetWorkspace:
    def __init__(self) -> None:
        cache_parsed_texts()
        self.open_texts: dict[Path, str] = {}
        self.states: dict[Project, ProjectState] = {}
        self.projects: dict[Path, Project | None] = {}
        self.alone: dict[Path, NameIndex] = {}  # of files that belong to no ruleset, once they are asked for
        self.messages_alone: dict[Path, list[Diagnostic]] = {}

    # ------------------------------------------------------------ texts

    def set_text(self, path: Path, text: str | None) -> list[ProjectState] | None:
        """Set the text of a file that was opened or changed, None when it was closed; gives the rulesets to be checked
        again, None for a file that belongs to none."""
        self.alone.pop(path, None)
        self.messages_alone.pop(path, None)
        if text is None:
            self.open_texts.pop(path, None)
        else:
            self.open_texts[path] = text.replace("\r\n", "\n")
        state = self.state(path)
        if state is None:
            return None
        overlay, home = state.project.overlay, state.project.path
        affected = [s for s in self.states.values() if s is state or (not overlay and s.project.path == home)]
        for other in affected:
            other.mark_changed()
        return affected

    def drop_closed_overlays(self) -> list[ProjectState]:
        """Drop the overlays that have no open file any more; gives their last states."""
        open_ones = {self.projects.get(path) for path in self.open_texts}
        left = [state for project, state in self.states.items() if project.overlay and project not in open_ones]
        for state in left:
            del self.states[state.project]
        return left

    def invalidate(self) -> None:
        """After files were created or deleted: find out again which ruleset each belongs to."""
        self.projects.clear()
        for state in self.states.values():
            state.mark_changed()

    def state(self, path: Path) -> ProjectState | None:
        if path not in self.projects:
            self.projects[path] = project_of(path)
        project = self.projects[path]
        return None if project is None else self.states.setdefault(project, ProjectState(project))

    def texts(self, state: ProjectState) -> FileTexts:
        if state.texts is None:
            state.texts, state.reading_messages = state.project.read(self.open_texts)
        return state.texts

    def index(self, path: Path) -> tuple[NameIndex, str]:
        """The index of names for the ruleset of a file, or for the file alone; and the name of the file in it."""
        state = self.state(path)
        if state is None:
            if path not in self.alone:
                texts = FileTexts()
                texts.add(path.name, Source(str(path), self.open_texts.get(path, "")))
                self.alone[path] = NameIndex(texts, None)
            return self.alone[path], str(path)
        return self.index_of(state), state.project.displayed_path(path)

    def index_of(self, state: ProjectState) -> NameIndex:
        """The index of names for a ruleset, as its texts are now."""
        if state.index is None or state.index.analysis is not state.analysis:
            state.index = NameIndex(self.texts(state), state.analysis)
        return state.index

    # ------------------------------------------------------------ checks

    def check_single_file(self, path: Path, text: str) -> list[Diagnostic]:
        """The messages about a file that belongs to no ruleset."""
        if path.suffix in RULES:
            return parse_file(str(path), text)[1]
        return read_yaml(Source(str(path), text))[1] if path.suffix == ".yaml" else []

    def check(self, state: ProjectState, with_rulings: bool) -> Analysis:
        """Run the passes over the texts as they are now; the result is to be given to `store_analysis`."""
        analysis = analyse(self.texts(state), state.project.id, with_rulings)
        if with_rulings and analysis.taker is not None:
            analysis.messages += check_followed(analysis.taker, partial(rulesets_beside, state.project.path))
        return analysis

    def store_analysis(self, state: ProjectState, analysis: Analysis) -> None:
        """Store an analysis and the messages that follow from it."""
        found = group_by_file([*state.reading_messages, *analysis.messages])
        if analysis.with_rulings:
            state.full_messages, state.checked_sources = found, analysis.sources
        else:
            for file, old in state.full_messages.items():
                if file.endswith(RULING):
                    kept = old
                else:
                    kept = [d for d in old if d.code in UNUSED and not has_errors(found)]
                now = self.texts(state).all().get(file)
                before = state.checked_sources.get(file)
                if kept and now is not None and before is not None:
                    offset_map = OffsetMap(now.text, before.text)
                    found.setdefault(file, []).extend(m for d in kept if (m := move_message(d, offset_map)) is not None)
            for source in self.texts(state).rules:
                if source.file.endswith(RULING) and state.checked_sources.get(source.file) != source:
                    found[source.file] = [*found.get(source.file, ()), *parse_file(source.file, source.text)[1]]
        state.messages = {file: without_duplicates(entries) for file, entries in found.items()}
        state.analysis = merge_analyses(state.analysis, analysis)
        state.index = None

    # ------------------------------------------------------------ renaming

    def rename(self, path: Path, offset: int, new: str) -> tuple[Project, list[Edit]]:
        state = self.state(path)
        if state is None:
            raise RenameRefused("this file belongs to no ruleset")
        base, layers = state.project.layers(self.open_texts)
        return state.project, rename(base, layers, state.project.id, state.project.displayed_path(path), offset, new)


def group_by_file(found: list[Diagnostic]) -> MessagesByFile:
    files: MessagesByFile = defaultdict(list)
    for d in found:
        files[d.span.file].append(d)
    return dict(files)


def has_errors(found: MessagesByFile) -> bool:
    return any(d.severity is Severity.ERROR for entries in found.values() for d in entries)


def without_duplicates(found: list[Diagnostic]) -> list[Diagnostic]:
    return list({(d.span, d.code, d.message): d for d in found}.values())


def move_message(d: Diagnostic, offset_map: OffsetMap) -> Diagnostic | None:
    """A message about an older text, moved to where its words stand now; None if they were changed."""
    start, end = offset_map(d.span.start), offset_map(d.span.end)
    if start < 0 or end < start:
        return None
    span = Span(d.span.file, start, end)
    fix = Fix(span, d.fix.text) if d.fix is not None and d.fix.span == d.span else None
    labels = tuple(Label(span if n.span == d.span else n.span, n.text) for n in d.labels)
    return Diagnostic(d.code, d.severity, span, d.message, d.help, labels, fix)


def merge_analyses(before: Analysis | None, now: Analysis) -> Analysis:
    """A quick analysis with the uses in rulings, which it has not read, from the last analysis with rulings."""
    if before is None or now.with_rulings:
        return now
    for file, source in before.sources.items():
        if file.endswith(RULING):
            now.sources.setdefault(file, source)
    for key, symbol in before.resolved_uses.items():
        if key[0].endswith(RULING):
            now.resolved_uses.setdefault(key, symbol)
    return now
