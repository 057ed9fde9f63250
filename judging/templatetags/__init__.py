"""What templates of the public pages may call."""
