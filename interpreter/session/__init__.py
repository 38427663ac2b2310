"""A game in progress: state, log, decisions, undo."""
