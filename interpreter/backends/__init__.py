"""Back ends: other ways to run the same IR over the same store. Each must agree with the reference, word for word."""
