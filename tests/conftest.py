"""What holds for all tests: generated examples are the same in every run, none has a time limit, and code is written at
once, so that it is the code that is tested."""

from hypothesis import settings

from interpreter.backends.python.compile import machine

settings.register_profile("repository", deadline=None, derandomize=True, database=None)
settings.load_profile("repository")
machine.PATIENCE = 0
