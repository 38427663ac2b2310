"""The search for whole answers: what an answer of several members may still become, without listing all answers."""
