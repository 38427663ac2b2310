"""Trials: whether what an answer begins can be completed, and the options that stay or are drawn because of that."""
