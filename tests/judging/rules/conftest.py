"""Laws are tried without a deadline: how fast they hold depends on who else uses the machine."""

from hypothesis import settings

settings.register_profile("unhurried", deadline=None)
settings.load_profile("unhurried")
