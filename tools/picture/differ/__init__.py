"""Two pictures compared: what stands otherwise in one than in the other, marked in both."""
