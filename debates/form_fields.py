"""Fields of forms that every app's pages share."""

from typing import Any

from django import forms


class LinesField(forms.CharField):
    """A text of several lines, with the ends of lines that were typed: browsers send two characters for each."""

    widget = forms.Textarea

    def to_python(self, value: Any) -> Any:
        text = super().to_python(value)
        return text.replace("\r\n", "\n").replace("\r", "\n") if isinstance(text, str) else text
