"""The open texts, and for each ruleset that is worked on what was found out last.

Knows no protocol: it takes paths and texts and gives worlds, analyses and messages. `check` may run in a thread of its
own while questions are answered from what is there; a quick check leaves rulings out.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path

from dsl.base.span import Source, Span
from dsl.diagnostics.diagnostic import Diagnostic, Fix, Label, Severity
from dsl.driver.pipeline import UNUSED
from dsl.editing import Analysis, World, analyse
from dsl.editing.analysis import Drift, remember
from dsl.editing.rename import Edit, Refused, rename
from dsl.files.ruleset import RULES, RULING, Texts
from dsl.files.yaml import read_yaml
from dsl.syntax.parser import parse_file
from tools.lsp.projects import Project, project_of

Found = dict[str, list[Diagnostic]]  # by the file as it is shown


@dataclass(slots=True)
class State:
    """`texts` is None when they have to be read again; `version` counts the changes."""

    project: Project
    version: int = 0
    texts: Texts | None = None
    unread: list[Diagnostic] = field(default_factory=list)
    analysis: Analysis | None = None
    world: World | None = None
    whole: Found = field(default_factory=dict)
    sources: dict[str, Source] = field(default_factory=dict)  # those that `whole` speaks of
    shown: Found = field(default_factory=dict)

    def renew(self) -> None:
        self.version += 1
        self.texts = self.world = None


class Workshop:
    def __init__(self) -> None:
        remember()
        self.opened: dict[Path, str] = {}
        self.states: dict[Project, State] = {}
        self.homes: dict[Path, Project | None] = {}

    # ------------------------------------------------------------ texts

    def put(self, path: Path, text: str | None) -> list[State] | None:
        """A text was opened or changed, or with None closed; gives what has to be checked again, None for a file of
        its own."""
        if text is None:
            self.opened.pop(path, None)
        else:
            self.opened[path] = text.replace("\r\n", "\n")
        state = self.state(path)
        if state is None:
            return None
        overlay, home = state.project.overlay, state.project.path
        touched = [s for s in self.states.values() if s is state or (not overlay and s.project.path == home)]
        for other in touched:
            other.renew()
        return touched

    def leave(self) -> list[State]:
        """Let go of overlays of which no file is open any more; gives what was known of them."""
        open_ones = {self.homes.get(path) for path in self.opened}
        left = [state for project, state in self.states.items() if project.overlay and project not in open_ones]
        for state in left:
            del self.states[state.project]
        return left

    def forget(self) -> None:
        """Files came or went: look again which belong where."""
        self.homes.clear()
        for state in self.states.values():
            state.renew()

    def state(self, path: Path) -> State | None:
        if path not in self.homes:
            self.homes[path] = project_of(path)
        project = self.homes[path]
        return None if project is None else self.states.setdefault(project, State(project))

    def texts(self, state: State) -> Texts:
        if state.texts is None:
            state.texts, state.unread = state.project.read(self.opened)
        return state.texts

    def world(self, path: Path) -> tuple[World, str]:
        """The names of the ruleset of a file, or of the file alone; and how the file is called there."""
        state = self.state(path)
        if state is None:
            alone = Texts()
            alone.add(path.name, Source(str(path), self.opened.get(path, "")))
            return World(alone, None), str(path)
        if state.world is None or state.world.analysis is not state.analysis:
            state.world = World(self.texts(state), state.analysis)
        return state.world, state.project.shown(path)

    # ------------------------------------------------------------ checks

    def alone(self, path: Path) -> list[Diagnostic]:
        """What can be said of a file that belongs to no ruleset."""
        text = self.opened.get(path, "")
        if path.suffix in RULES:
            return parse_file(str(path), text)[1]
        return read_yaml(Source(str(path), text))[1] if path.suffix == ".yaml" else []

    def check(self, state: State, whole: bool) -> Analysis:
        """The passes over the texts as they are now. Gives them; `take` puts them to use."""
        return analyse(self.texts(state), state.project.id, whole)

    def take(self, state: State, analysis: Analysis) -> None:
        """Keep an analysis and the messages that follow from it."""
        found = by_file([*state.unread, *analysis.found])
        if analysis.whole:
            state.whole, state.sources = found, analysis.sources
        else:
            for file, old in state.whole.items():
                if file.endswith(RULING):
                    kept = old
                else:
                    kept = [d for d in old if d.code in UNUSED and not errors_in(found)]
                now = self.texts(state).all().get(file)
                before = state.sources.get(file)
                if kept and now is not None and before is not None:
                    drift = Drift(now.text, before.text)
                    found.setdefault(file, []).extend(m for d in kept if (m := moved(d, drift)) is not None)
            for source in self.texts(state).rules:
                if source.file.endswith(RULING) and state.sources.get(source.file) != source:
                    found[source.file] = [*found.get(source.file, ()), *parse_file(source.file, source.text)[1]]
        state.shown = {file: unique(entries) for file, entries in found.items()}
        state.analysis = merged(state.analysis, analysis)
        state.world = None

    # ------------------------------------------------------------ renaming

    def rename(self, path: Path, offset: int, new: str) -> tuple[Project, list[Edit]]:
        state = self.state(path)
        if state is None:
            raise Refused("this file belongs to no ruleset")
        base, layers = state.project.layers(self.opened)
        return state.project, rename(base, layers, state.project.id, state.project.shown(path), offset, new)


def by_file(found: list[Diagnostic]) -> Found:
    files: Found = defaultdict(list)
    for d in found:
        files[d.span.file].append(d)
    return dict(files)


def errors_in(found: Found) -> bool:
    return any(d.severity is Severity.ERROR for entries in found.values() for d in entries)


def unique(found: list[Diagnostic]) -> list[Diagnostic]:
    return list({(d.span, d.code, d.message): d for d in found}.values())


def moved(d: Diagnostic, drift: Drift) -> Diagnostic | None:
    """A message about an older text where its words stand now; None if they were changed."""
    start, end = drift(d.span.start), drift(d.span.end)
    if start < 0 or end < start:
        return None
    span = Span(d.span.file, start, end)
    fix = Fix(span, d.fix.text) if d.fix is not None and d.fix.span == d.span else None
    labels = tuple(Label(span if n.span == d.span else n.span, n.text) for n in d.labels)
    return Diagnostic(d.code, d.severity, span, d.message, d.help, labels, fix)


def merged(before: Analysis | None, now: Analysis) -> Analysis:
    """A quick analysis with what the last whole one knew about rulings, whose uses it has not looked at."""
    if before is None or now.whole:
        return now
    for file, source in before.sources.items():
        if file.endswith(RULING):
            now.sources.setdefault(file, source)
    for key, meant in before.exact.items():
        if key[0].endswith(RULING):
            now.exact.setdefault(key, meant)
    return now
