"""Commands as an operator types them."""

import io

import pytest
from django.core.management import CommandError, call_command

NOBODY = "00000000-0000-0000-0000-000000000000"


def said(*words: object) -> str:
    out = io.StringIO()
    call_command(*[str(word) for word in words], stdout=out)
    return out.getvalue()


def refused(*words: object) -> tuple[int, str]:
    """The exit status and the sentence of a command that ends with an error."""
    with pytest.raises(CommandError) as refusal:
        said(*words)
    return refusal.value.returncode, str(refusal.value)
