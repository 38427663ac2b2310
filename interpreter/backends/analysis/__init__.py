"""Analyses of a program that every target reads."""
