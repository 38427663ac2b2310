"""Which seats may see which state."""
