"""What belongs to no rule: the runtime, the driver, and the module that all of it becomes."""
