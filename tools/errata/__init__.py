"""`errata diff`: what overlays change in the rules, the rulings, recorded games and the figures of simulations."""
