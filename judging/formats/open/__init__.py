"""Debaters with stances and frameworks; adherence and persuasion, surrender, victory."""
