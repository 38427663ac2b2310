"""One follower of a game for all its readers: the answers are taken once more for all of them together.

Each reader has a listener of its own, which knows what that reader may see. They listen to one game, and so to the same
routines and causes.
"""

from __future__ import annotations

from interpreter import State
from interpreter.play.listener import GameFollower, Listener, Listeners


class Following:
    """Follows a game from the first `join` on; those who join later hear what comes after."""

    def __init__(self) -> None:
        self.listeners: Listeners | None = None
        self.follower: GameFollower | None = None

    def join(self, state: State, listener: Listener) -> None:
        """Let a listener hear what happens from this position on."""
        if self.listeners is None or self.follower is None:
            self.listeners = Listeners(listener)
            self.follower = GameFollower(state, self.listeners)
            return
        self.follower.follow(state)
        self.listeners.each.append(listener)
        listener.on_begin(self.follower.state, self.follower.running())

    def follow(self, state: State) -> None:
        """Take the answers that were given since; nothing, where another reader has brought it up to here."""
        if self.follower is not None:
            self.follower.follow(state)

    def begin(self, state: State, listener: Listener) -> None:
        """Let a listener begin anew at this position, after an undo; with it all, unless they have."""
        if self.follower is None:
            return
        if self.follower.is_at(state):
            listener.on_begin(self.follower.state, self.follower.running())
        else:
            self.follower.begin(state)
