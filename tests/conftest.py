"""What holds for all tests: generated examples are the same in every run, and none has a time limit."""

from hypothesis import settings

settings.register_profile("repository", deadline=None, derandomize=True, database=None)
settings.load_profile("repository")
