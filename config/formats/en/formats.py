"""How moments are written in English: the day first, 24 hours, with the zone that they are in."""

DATE_FORMAT = "j M Y"
TIME_FORMAT = "H:i T"
DATETIME_FORMAT = "j M Y, H:i T"
