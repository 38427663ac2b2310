"""What every pass stands on: records, spans, types, the cache; it knows no language."""
