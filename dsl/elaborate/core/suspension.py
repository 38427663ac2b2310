"""Suspension of routines, and their need of a frame: known before any code is made.

Suspending is everything that asks a seat, draws chance, runs an effect known only at run time or leaves frames; whoever
calls a suspending routine suspends too. A routine that `stop`, `at end of`, `running`, `until end of`, `once per` or a
trigger names needs a frame, so it counts as suspending.
"""

from __future__ import annotations

from dsl.symbols.call_graph import frame_of
from dsl.symbols.symbols import Model, PieceSym
from dsl.symbols.types import clause
from dsl.syntax import nodes as sx
from dsl.syntax.vocabulary import words_with
from dsl.syntax.walk import walk

NAMING = (sx.Clause, sx.Section, sx.Sentence, sx.Call)  # what may name a frame
CHANGES = words_with("changes")


def names_all_sorts(m: Model, operand: sx.Expr) -> PieceSym | None:
    """The piece of an amount that names no sort of it, though it is counted by sorts; None otherwise."""
    what = operand.what if isinstance(operand, sx.Amount) else None
    base, args = (what.base, what.args) if isinstance(what, sx.Index) else (what, ())
    piece = m.pieces.get(base.id) if isinstance(base, sx.Name) else None
    if piece is None or not piece.index:
        return None
    return piece if all(isinstance(a, sx.Name) and a.id and a.id in piece.faces for a in args) else None


def orders_events(m: Model) -> bool:
    """Whether a seat may be asked for the order of cards at one event."""
    return m.order is not None and len({t.this for t in m.triggers if t.this}) > 1


class Suspension:
    """Answers whether a line suspends; built once the model is complete."""

    def __init__(self, model: Model) -> None:
        self.m = model
        self.checks_suspend = False
        self.has_together = False  # whether `together` is used
        self.has_scopes = False  # whether an order uses `with` or `without`
        self.changed_values: set[str] = set()  # values that some order changes by `with`
        self.suspending_verbs: set[str] = set()  # verbs to which a line reacts that suspends
        # by purse and whether it gains: whether there can be several payments to choose from
        self.payment_choices: dict[tuple[str, bool], bool] = {}
        self.thing_moves_observed = any(
            t.decl.name == "move" and not self.matches_pieces(t.decl) for t in model.triggers
        )
        self.has_together |= self.thing_moves_observed
        if orders_events(model):
            self.suspending_verbs |= self.ordered_verbs()
        self.mark_frames()
        self.solve()

    def ordered_verbs(self) -> set[str]:
        """The verbs to which lines of several cards react in the same way: somebody may be asked for their order."""
        cards: dict[tuple[str, str], set[int]] = {}
        for t in self.m.triggers:
            if t.this and t.decl.name in CHANGES:
                cards.setdefault((t.decl.name, t.decl.word), set()).add(t.this)
        return {name for (name, _), found in cards.items() if len(found) > 1}

    def mark_frames(self) -> None:
        """Mark the routines that need a frame."""
        m = self.m
        blocks: list[object] = [r.block for r in m.routines.values()]
        blocks += [c.decl.block for c in m.cards.values()]
        blocks += [t.decl for t in m.triggers] + [c for c, _ in m.checks]
        blocks += (
            [v.decl for v in m.values.values()]
            + [r.clauses for r in m.routines.values()]
            + [p.decl for p in m.purses.values()]
        )
        for block in blocks:
            for node in walk(block):
                if isinstance(node, NAMING):
                    name = self.named_routine(node)
                    if name in m.routines:
                        m.routines[name].framed = True
        if "game" in m.routines:
            m.routines["game"].framed = True
        for r in m.routines.values():
            for other in r.others:
                other.framed = r.framed

    def named_routine(self, node: sx.Clause | sx.Section | sx.Sentence | sx.Call) -> str:
        """The name of the routine that needs a frame because of this node, or an empty one; also notes `together`
        and what orders change."""
        match node:
            case sx.Clause("with by" | "without" as word, args):
                self.has_scopes = True
                if word == "with by" and isinstance(args[0], sx.Name):
                    self.changed_values.add(args[0].id)
            case sx.Clause("once per", (sx.Name(frame), *_)):
                return frame
            case sx.Call(sx.Name("running"), (sx.Arg(sx.Name(frame)), *_)):
                return frame
            case sx.Section() | sx.Sentence():
                self.has_together |= node.word == "together" or self.moves_all_sorts(node)
                name = frame_of(node)
                return name.id if name else ""
        return ""

    def asks_each_payment(self, name: str) -> bool:
        """Whether paying from this purse is a question each time (`default ask`)."""
        purse = self.m.purses.get(name)
        return purse is not None and any(
            isinstance(line, sx.Decl) and line.word == "default" and line.head == sx.Name("ask")
            for line in purse.decl.block
        )

    def has_payment_choice(self, name: str, gain: bool) -> bool:
        """Whether there can be a choice how to pay from this purse, or how to gain into it: several sources, or
        change."""
        purse = self.m.purses.get(name)
        if purse is None:
            return False
        if (name, gain) not in self.payment_choices:
            lines = [*purse.decl.block, *(rule.decl for rule in purse.extra)]
            found = [line for line in lines if isinstance(line, sx.Decl) and line.word == "source"]
            if gain:
                open_ = [line for line in found if clause(line, "never back") is None]
                found = [line for line in open_ if clause(line, "first") is None] or open_
            many = len(found) > 1 or any(isinstance(line, sx.Loop) for line in lines)
            self.payment_choices[name, gain] = many or any(rule.timed >= 0 for rule in purse.extra)
        return self.payment_choices[name, gain]

    def moves_all_sorts(self, node: sx.Section | sx.Sentence) -> bool:
        """Whether a sentence moves several sorts of a piece, each an event, at one moment."""
        if not isinstance(node, sx.Sentence) or node.word not in CHANGES or not node.operands:
            return False
        return names_all_sorts(self.m, node.operands[0]) is not None

    def matches_pieces(self, line: sx.Decl) -> bool:
        """Whether a line on a verb listens to counted pieces only."""
        first = line.head.args[0].type if isinstance(line.head, sx.Call) and line.head.args else None
        return isinstance(first, sx.Name) and first.id in self.m.pieces

    def solve(self) -> None:
        """Find all that suspends, as the least fixed point."""
        changed = True
        while changed:
            changed = False
            for r in self.m.routines.values():
                if not r.suspends and (r.framed or r.word in ("strip", "effect") or self.block_suspends(r.block)):
                    r.suspends = True
                    changed = True
            for t in self.m.triggers:
                if (
                    t.decl.name in CHANGES
                    and t.decl.name not in self.suspending_verbs
                    and self.block_suspends(t.decl.block)
                ):
                    self.suspending_verbs.add(t.decl.name)
                    changed = True
            if not self.checks_suspend and any(self.block_suspends(c.block) for c, _ in self.m.checks):
                self.checks_suspend = True
                changed = True

    def block_suspends(self, block: tuple[sx.Line, ...]) -> bool:
        """Whether a line of the block may suspend."""
        return any(self.line_suspends(line) for line in block)

    def line_suspends(self, line: sx.Line) -> bool:
        """Whether this line may suspend (or leave its routine, which in a suspending routine needs a jump)."""
        match line:
            case sx.Choose():
                return True
            case sx.Sentence(word="offer" | "perform" | "shuffle" | "stop" | "give"):
                return line.word != "give"
            case sx.Sentence(word="do", operands=operands):
                return any(self.calls_suspending(o) for o in operands)
            case sx.Sentence(word="pay", operands=(sx.Amount(what=sx.Name(name)),)) if name in self.m.purses:
                return True  # the payer may wish to choose how
            case sx.Sentence(word="gain" | "lose" as word, operands=(sx.Amount(what=sx.Name(name)),)) if (
                self.has_payment_choice(name, word == "gain")
            ):
                return True  # so may the one who gains or loses
            case sx.Sentence(word="move", operands=(what,)) if self.thing_moves_observed and not isinstance(
                what, sx.Amount
            ):
                return True  # a set of things is moved one by one, and its `after` lines wait for the last
            case sx.Sentence() if self.moves_all_sorts(line) and self.m.triggers:
                return True  # `after` lines wait for the last sort
            case sx.Sentence(word=word) if word in CHANGES:
                return self.checks_suspend or word in self.suspending_verbs
            case sx.Section(word="plan"):
                return True
            case sx.Section(word="plan by"):
                return True
            case sx.Section(word="together", block=block):
                return self.block_suspends(block) or self.checks_suspend or bool(self.m.triggers)
            case sx.Section(word="at end of" | "until end of"):
                return False
            case sx.Section(block=block):
                return self.block_suspends(block)
            case sx.Loop(word="open to"):
                return True
            case sx.Loop(block=block):
                return self.block_suspends(block)
            case sx.If(then=then, orelse=orelse):
                return self.block_suspends(then) or self.block_suspends(orelse)
            case sx.Case(block=block):
                return self.block_suspends(block)
        return False

    def can_leave(self, line: sx.Line) -> bool:
        """Whether a `give` or `stop` stands somewhere in this line."""
        return any(isinstance(n, sx.Sentence) and n.word in ("give", "stop") for n in walk(line))

    def calls_suspending(self, target: sx.Expr) -> bool:
        """Whether what a `do` calls may suspend; effects always may."""
        name = target.func if isinstance(target, sx.Call) else target
        if isinstance(name, sx.Name):
            routine = self.m.routines.get(name.id)
            return routine is not None and routine.suspends
        return True
