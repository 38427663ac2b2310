"""The files in a ruleset's folder besides its rules: manifest, data, clauses, texts."""
