"""What the SHOWs of `display.yaml` stand for in a position, as one reader sees it: plain data, whatever draws it."""
