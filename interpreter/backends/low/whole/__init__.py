"""The parts that belong to no rule: the runtime, the driver, and the module that all of it becomes."""
