"""`bot-server`: games that a program in any language plays, by JSON lines over stdio or a local socket."""
