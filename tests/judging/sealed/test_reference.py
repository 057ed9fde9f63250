"""The lists of docs/reference/ledger.md, made from the tables: what is not sealed, and what may change."""

from collections.abc import Iterable

from django.conf import settings

from scoring import sealed

WRITTEN = "<!-- {}: written from scoring/sealed.py and judging/engine/verify.py -->\n"


def listed(what: str) -> str:
    """What the page has between its marks."""
    page = (settings.BASE_DIR / "docs" / "reference" / "ledger.md").read_text(encoding="utf-8")
    return page.split(WRITTEN.format(what))[1].split(f"<!-- end of {what} -->")[0]


def not_sealed() -> str:
    """What no seal covers, and why."""
    lines = ["| Not sealed | Why |", "|---|---|"]
    lines += [f"| `{table}` | {why} |" for table, why in sorted(sealed.UNSEALED.items())]
    for row in sorted(sealed.TABLES, key=lambda row: row.table):
        reasons = sorted(set(row.without.values()))
        for why in reasons:
            columns = quoted(name for name in sorted(row.without) if row.without[name] == why)
            lines.append(f"| `{row.table}`: {columns} | {why} |")
    return "\n".join(lines) + "\n"


def may_change() -> str:
    """Which columns of sealed rows may change, and how."""
    lines = ["| Table | As it goes on | Once | By an erasure |", "|---|---|---|---|"]
    for row in sorted(sealed.TABLES, key=lambda row: row.table):
        erased = ["the row"] if row.removable else []
        erased += [f"`{name}`{' or with time' if name in row.fading else ''}" for name in row.erasable]
        cells = [quoted(row.changing), quoted(row.once), ", ".join(erased)]
        if any(cells):
            lines.append(f"| `{row.table}` | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def quoted(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


def test_the_reference_lists_what_is_not_sealed():
    assert listed("not sealed") == not_sealed()


def test_the_reference_lists_what_may_change():
    assert listed("may change") == may_change()
