"""From a collected model to typed IR: names are resolved, types inferred and code made in one walk over each body."""
