"""Declarations that become code: values, routines, checks, purses, plans."""
