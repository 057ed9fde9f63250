"""Batches of responses that are judged on their own."""
