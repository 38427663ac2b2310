"""Histories: what they compare, how often the state was recorded as it is now, and the verb that records it."""
