"""What a panel judges by: templates, criteria as somebody types them, and what somebody asks a panel for."""
