"""What lies in a ruleset's folder beside its rules: manifest, data, clauses, texts."""
