"""Reasons why an answer is not offered: the conditions that fail, put into words that a player knows."""
