"""Tools of the elaborator: scopes, emitted code, suspension, what an expression reads."""
