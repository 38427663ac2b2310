"""The compiler of kernel functions: a small typed subset of Python becomes low code."""
