"""Programs as WebAssembly: the bytes of a module, and the host that runs them."""
