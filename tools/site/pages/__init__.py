"""The pages of a site, one module for each part; each gives `SitePage`s for one language."""
