"""The ground of every pass: records, spans, types, the cache; it knows no language."""
