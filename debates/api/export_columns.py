"""How PostgreSQL writes the columns of an export: as JSON, and as cells that no spreadsheet takes for a formula.

What a column is written as follows from the type of its field. A text stays what it is in JSON; in a cell it begins
with an apostrophe where it could be a formula, and so does each part of it that a spreadsheet may take for a cell.
"""

from collections.abc import Mapping
from typing import Any

from django.db.models import BooleanField, Expression, Func, TextField, Value

WRITTEN: Mapping[str, str] = {
    "ArrayField": "to_jsonb({})::text",
    "BinaryField": "encode({}, 'hex')",
    "DateTimeField": """replace(to_char({} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"+00:00"'), '.000000', '')""",
    "DecimalField": "to_char({}, 'FM9999999999999999999990.009999')",
}
"""Fields of other types are written as PostgreSQL writes them. A time is written as ``isoformat`` does, a number as
``debates.decimals.in_places`` does."""
AS_THEY_ARE = frozenset({
    "ArrayField", "BigIntegerField", "BooleanField", "IntegerField", "JSONField", "PositiveBigIntegerField",
    "PositiveIntegerField", "PositiveSmallIntegerField",
})  # fmt: skip
"""What JSON has words for; everything else is a text."""
OF_OTHERS = frozenset({"ArrayField", "CharField", "JSONField", "TextField"})
"""What somebody may have written who wishes a spreadsheet ill."""

BLANKS = r"\u0009-\u000d\u001c-\u0020\u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000"
FORMULA = r"-+=@\u207a\u207c\u208a\u208c\ufb29\ufe62\ufe63\ufe66\ufe6b\uff0b\uff0d\uff1d\uff20"
"""What begins a formula, also in the wide and small forms that spreadsheets fold."""
NUMBER = r"-?[0-9]+(\.[0-9]+)?$"
BEGINS = rf"^(?!{NUMBER})(?=[\t\r\n]|[{BLANKS}]*[{FORMULA}])"
INNER = rf'([;\t\r\n][{BLANKS};"]*)([{FORMULA}])'
"""Where a spreadsheet may begin another cell if it divides at semicolons or tabs: then a quotation mark within what it
takes for a cell holds nothing together, and a new line begins a row."""
SAFE = f"regexp_replace(regexp_replace({{}}, '{BEGINS}', ''''), '{INNER}', '\\1''\\2', 'g')"


class Column(Func):
    """A column as text; nothing where there is nothing."""

    arity = 1

    def __init__(self, source: Any) -> None:
        super().__init__(source, output_field=TextField())

    @property
    def kind(self) -> str:
        """The type of what is written."""
        return str(self.source_expressions[0].output_field.get_internal_type())

    def written(self) -> str:
        """Return a template in which ``{}`` stands for the column."""
        return WRITTEN.get(self.kind, "{}::text")

    def as_sql(  # type: ignore[override]  # the arguments of Func are of its templates
        self, compiler: Any, connection: Any, **context: Any
    ) -> Any:
        return super().as_sql(compiler, connection, template=self.written().format("%(expressions)s"), **context)


class JsonColumn(Column):
    """A column as JSON. What nobody else wrote has nothing within that JSON would write otherwise."""

    def written(self) -> str:
        text = super().written()
        if self.kind not in AS_THEY_ARE:
            text = f"to_json({text})::text" if self.kind in OF_OTHERS else f"""'"' || {text} || '"'"""
        return f"coalesce({text}, 'null')"


class Cell(Column):
    """A column as a cell of CSV: a text that no spreadsheet takes for a formula, nor any part of it.

    Source: OWASP, "CSV Injection"; docs/reference/api.md, "Exports".
    """

    def written(self) -> str:
        text = super().written()
        return f"nullif({SAFE.format(text) if self.kind in OF_OTHERS else text}, '')"


class Among(Func):
    """Whether a value is in an array."""

    arity, arg_joiner, template, output_field = 2, " = ANY(", "%(expressions)s)", BooleanField()


def json_line(columns: Mapping[str, Any]) -> Expression:
    """Return a row as one line of JSON, as ``json.dumps`` writes it."""
    parts: list[Any] = []
    for name, source in columns.items():
        parts += [Value(f'{", " if parts else "{"}"{name}": '), JsonColumn(source)]
    return Func(*parts, Value("}"), function="concat", output_field=TextField())
