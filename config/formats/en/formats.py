"""How moments are written in English: the day first, 24 hours, and always in UTC."""

DATE_FORMAT = "j M Y"
TIME_FORMAT = r"H:i \U\T\C"
DATETIME_FORMAT = r"j M Y, H:i \U\T\C"
