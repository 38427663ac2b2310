"""HTTP and WebSocket: routes, forms, what is refused."""
