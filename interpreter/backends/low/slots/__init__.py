"""Many games side by side in the memory of one module, each in a slot: what a vectorised environment steps."""
