"""The show-program: `display.yaml` as typed data, which everything that draws a position reads."""
