"""Measuring speed."""
