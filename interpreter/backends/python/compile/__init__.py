"""The generated module of a program, its cache, and the machine that runs it."""
