"""Bots that decide: they look ahead on copies of the store, imagine what they cannot know, and draw."""
