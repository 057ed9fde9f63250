"""Evaluator against red team; an arbiter moves the scores of criteria."""
