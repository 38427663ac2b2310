"""Games and judgements in native code, whatever it is written in, with Python where there is none."""
