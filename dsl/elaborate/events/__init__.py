"""Events around a change: reactions, their order, timed lines."""
