"""The pages of a site, one module for each part; each gives `Page`s for one language."""
