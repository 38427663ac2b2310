"""The written module, its cache, and the machine that runs it."""
