"""Patterns of the kind that were used before, for comparison: words that sound fair, wherever they stand."""

import re

STEEL = re.compile(
    r"\bI (?:appreciate|understand|see|acknowledge|recognize|agree|concede|grant)\b"
    r"|\bmakes? a (?:good|valid|fair|strong|compelling) point\b|\bfrom their perspective\b|\bthey(?:'| a)re right\b"
    r"|\b(?:truth|merit|value) in\b|\b(?:strongest|best) case for\b|\bcharitable reading\b|\bat its best\b",
    re.IGNORECASE,
)
CRITIQUE = re.compile(
    r"\bmy framework (?:struggles|fails)\b|\bI(?:'ll| must| have to)? (?:admit|acknowledge|concede)\b"
    r"|\bthis is where .* falls short\b|\b(?:limitation|weakness|blind spot) of my\b|\bcritics (?:would )?say\b"
    r"|\bcannot fully account\b|\bwhere my view is limited\b|\bhonest admission\b|\bfair criticism\b",
    re.IGNORECASE,
)
