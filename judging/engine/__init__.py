"""What may be done with a debate. Doors import the module they need: ``from judging.engine import lifecycle``."""
