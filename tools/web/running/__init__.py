"""Tables that are being played: who sits at them, who looks on, what is kept of them."""
