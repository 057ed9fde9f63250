"""How the pages of this directory become a site with search: ``make docs``."""

project = "Moot"
extensions = ["myst_parser"]
exclude_patterns = ["_site", "README.md"]
root_doc = "index"
html_theme = "furo"
html_title = "Moot"
myst_heading_anchors = 4
# A settings file has no lexer, links to code stay text, and README.md begins below its title.
suppress_warnings = ["misc.highlighting_failure", "myst.xref_missing", "myst.header"]
