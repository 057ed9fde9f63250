"""The card of a debate, which networks and messengers show beside a link to it: a picture that says what it came to."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from io import BytesIO
from unicodedata import bidirectional

from PIL import Image, ImageDraw, ImageFont

WIDTH, HEIGHT = 1200, 630
MARGIN = 80
PAPER, INK, MUTED, ACCENT, RULE = "#fbfaf7", "#1e2125", "#5a5f66", "#23527f", "#dcd8ce"
TITLE_FACES = ("DejaVuSerif-Bold.ttf", "NotoSerif-Bold.ttf", "LiberationSerif-Bold.ttf")
TEXT_FACES = ("DejaVuSans.ttf", "NotoSans-Regular.ttf", "LiberationSans-Regular.ttf")
BROAD_FACES = ("DejaVuSans-Bold.ttf", "NotoSansArabic-Bold.ttf", "NotoSansCJK-Bold.ttc", "NotoSansCJK-Regular.ttc")
"""Faces with the letters of other scripts."""
NO_LETTER = "\U0010fffe"
TITLE_SIZES = (68, 58, 50)
MOST_LINES = 4
Font = ImageFont.FreeTypeFont | ImageFont.ImageFont


@dataclass(frozen=True, slots=True)
class Card:
    """What a card says: of which kind a debate is, and what it came to so far; ``figure`` may be empty."""

    title: str
    kind: str
    figure: str
    words: str


@lru_cache(maxsize=128)
def drawn(card: Card, *, face: str = "") -> bytes:
    """Return a card as PNG.

    Shape: ``face`` is the path of a font for every word on it; without one, a font of the machine is looked for, and a
    title whose letters no font has is left out.
    """
    title_text, kind, figure_text, said = (in_a_line(text) for text in (card.title, card.kind, card.figure, card.words))
    image = Image.new("RGB", (WIDTH, HEIGHT), PAPER)
    pen = ImageDraw.Draw(image)
    _draw_brand(pen, face)
    text = font(30, face, TEXT_FACES)
    pen.text((WIDTH - MARGIN, 92), kind, font=text, fill=MUTED, anchor="rm")
    faces = faces_for(title_text, face)
    size, lines = _title(title_text, face, faces) if faces else (TITLE_SIZES[0], [])
    from_right = bidirectional(title_text[:1] or " ") in {"R", "AL"}
    place, anchor = (WIDTH - MARGIN, "ra") if from_right else (MARGIN, "la")
    for number, line in enumerate(lines):
        at = (place, 165 + number * 1.22 * size)
        pen.text(at, line, font=font(size, face, faces), fill=INK, anchor=anchor)
    pen.line([(MARGIN, 505), (WIDTH - MARGIN, 505)], fill=RULE, width=3)
    start = MARGIN
    if figure_text:
        figure = font(72, face, TITLE_FACES)
        pen.text((start, 565), figure_text, font=figure, fill=ACCENT, anchor="lm")
        start += int(figure.getlength(figure_text)) + 32
    words = fitted(said, font(36, face, TEXT_FACES), width=WIDTH - MARGIN - start)
    pen.text((start, 565), words, font=font(36, face, TEXT_FACES), fill=INK, anchor="lm")
    out = BytesIO()
    image.save(out, "PNG", optimize=True)
    return out.getvalue()


def in_a_line(text: str) -> str:
    """Return a text without what is no letter: line breaks, marks of direction, controls."""
    return "".join(letter for letter in " ".join(text.split()) if letter.isprintable())


@lru_cache(maxsize=64)
def font(size: int, face: str, faces: tuple[str, ...] = TEXT_FACES) -> Font:
    """Return the font that was asked for, else the first of ``faces`` that the machine has, else Pillow's own.

    Raises: ``OSError`` where the font that was asked for cannot be read.
    """
    if face:
        return ImageFont.truetype(face, size)
    for name in faces:
        try:
            return ImageFont.truetype(name, size)
        except OSError:
            continue
    return ImageFont.load_default(size)


def faces_for(text: str, face: str) -> tuple[str, ...]:
    """Return the faces of which the first has every letter of a title; none where the machine has no such face."""
    if face:
        return TITLE_FACES
    choices = (TITLE_FACES, *((name,) for name in (*BROAD_FACES, *TEXT_FACES)))
    return next((names for names in choices if has_letters(font(40, face, names), text)), ())


def has_letters(chosen: Font, text: str) -> bool:
    """Say whether a font has every letter of a text: what it lacks, it draws as one and the same box."""
    box = bytes(chosen.getmask(NO_LETTER))
    return all(bytes(chosen.getmask(letter)) != box for letter in set(text) if not letter.isspace())


def _title(text: str, face: str, faces: tuple[str, ...]) -> tuple[int, list[str]]:
    """Return the largest size at which a title fits, and its lines; what does not fit at the smallest is cut."""
    for size in TITLE_SIZES:
        chosen = font(size, face, faces)
        lines = wrapped(text, chosen, width=WIDTH - 2 * MARGIN)
        if len(lines) <= MOST_LINES:
            return size, lines
    last = fitted(f"{lines[MOST_LINES - 1]} {lines[MOST_LINES]}", chosen, width=WIDTH - 2 * MARGIN)
    return size, [*lines[: MOST_LINES - 1], last]


def wrapped(text: str, chosen: Font, *, width: int) -> list[str]:
    """Return the lines of a text, none wider than ``width``; words that are wider are broken."""
    lines: list[str] = []
    line = ""
    for word in text.split():
        longer = f"{line} {word}".strip()
        if chosen.getlength(longer) <= width:
            line = longer
            continue
        lines += [line] if line else []
        line = word
        while chosen.getlength(line) > width:
            most = next(end for end in range(len(line) - 1, 0, -1) if chosen.getlength(line[:end]) <= width)
            lines.append(line[:most])
            line = line[most:]
    return [*lines, line] if line else lines


def fitted(text: str, chosen: Font, *, width: int) -> str:
    """Return a text, or as much of its beginning as is no wider than ``width``, with an ellipsis."""
    if chosen.getlength(text) <= width:
        return text
    while text and chosen.getlength(f"{text}…") > width:
        text = text[:-1].rstrip()
    return f"{text}…"


def _draw_brand(pen: ImageDraw.ImageDraw, face: str) -> None:
    """Draw the scales and the name, as in the head of every page."""

    def at(*points: tuple[float, float]) -> list[tuple[float, float]]:
        return [(MARGIN + 2.4 * x, 62 + 2.4 * y) for x, y in points]

    for line in (at((4, 7), (20, 7)), at((12, 4), (12, 19)), at((8, 20), (16, 20))):
        pen.line(line, fill=ACCENT, width=4)
    for middle in (4, 20):
        pen.line(at((middle - 2.5, 14), (middle, 7), (middle + 2.5, 14)), fill=ACCENT, width=4, joint="curve")
        pen.arc(at((middle - 2.5, 11.5), (middle + 2.5, 16.5)), 0, 180, fill=ACCENT, width=4)
        pen.line(at((middle - 2.5, 14), (middle + 2.5, 14)), fill=ACCENT, width=4)
    pen.text((MARGIN + 76, 92), "Moot", font=font(40, face, TITLE_FACES), fill=INK, anchor="lm")
