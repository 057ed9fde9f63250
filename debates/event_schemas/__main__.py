"""Write the pages of docs/reference/ that are made from the catalogue: ``python -m debates.event_schemas``."""

from pathlib import Path

from debates.event_schemas import page

DIRECTORY = Path(__file__).resolve().parent.parent.parent / "docs" / "reference"

if __name__ == "__main__":
    (DIRECTORY / "events.md").write_text(page.markdown(), encoding="utf-8")
    (DIRECTORY / "events.schema.json").write_text(page.json_schema(), encoding="utf-8")
