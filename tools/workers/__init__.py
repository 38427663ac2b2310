"""Work that takes long: done by several processes, or by the machines of a cluster, and shown while it goes on."""
