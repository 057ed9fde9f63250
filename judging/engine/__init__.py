"""What may be done with a debate; entry points import what they need: ``from judging.engine import lifecycle``."""
