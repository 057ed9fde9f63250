"""What the benchmark of webhooks starts: a receiver, and the acts that make it hear."""
