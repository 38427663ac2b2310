"""The picture of a model: SVG and HTML. It knows no position, only what the model says."""
