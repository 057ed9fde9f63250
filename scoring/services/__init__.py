"""What may be done to a score. Doors import the module they need: ``from scoring.services import moderation``."""
