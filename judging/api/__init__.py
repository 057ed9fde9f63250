"""Resources of judging."""
