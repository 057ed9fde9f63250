"""What may be done with keys, webhooks and seats. Doors import the module they need."""
