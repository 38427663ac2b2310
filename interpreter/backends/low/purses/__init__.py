"""Purses: whether and in how many ways an amount can be paid or gained, and the payment itself."""
