"""Resources of scoring."""
