"""The low form printed as Python, for machines without other targets, and by which those are tested."""
