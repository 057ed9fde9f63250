"""The text of a file that somebody sent or named: UTF-8 from beginning to end, or refused with where it is not."""

import codecs

from django.core.files.uploadedfile import UploadedFile

from debates.errors import Invalid

BYTE_ORDER = ((codecs.BOM_UTF16_LE, "UTF-16"), (codecs.BOM_UTF16_BE, "UTF-16"))


def text_in(file: UploadedFile, *, name: str, most: int) -> str:
    """Return the text of a file that was uploaded.

    Units: ``most`` is in bytes.
    Raises: ``Invalid`` for what is too large, and as ``decoded``.
    """
    if (file.size or 0) > most:
        raise Invalid(f"{name} is too large: it has {file.size} bytes, and at most {most} are read.")
    return decoded(file.read(), name=name)


def decoded(raw: bytes, *, name: str) -> str:
    """Return the text of bytes.

    Raises: ``Invalid`` for what is empty or no text, saying where it ceases to be UTF-8.
    """
    encoding = next((encoding for mark, encoding in BYTE_ORDER if raw.startswith(mark)), "")
    if encoding:
        raise Invalid(f"{name} is written in {encoding}. Save it as UTF-8 and send it again.")
    if b"\x00" in raw:
        raise Invalid(f"{name} is not a text file.")
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw[: error.start].count(b"\n") + 1
        raise Invalid(
            f"{name} is not UTF-8 text: line {line} has a byte that is none (0x{raw[error.start]:02x}), so it is in "
            "another encoding, or in two. Save all of it as UTF-8 and send it again."
        ) from error
    if not text.strip():
        raise Invalid(f"{name} is empty.")
    return text
