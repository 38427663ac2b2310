"""The SHOWs of `display.yaml` in a position, as one reader sees it: plain data, whatever draws it."""
