"""The reference for the command line: Python that imports peewee, opens the file and runs one SELECT."""

from __future__ import annotations

import sys

from peewee import SqliteDatabase


def main() -> None:
    """Run one SELECT over the file named on the command line."""
    database = SqliteDatabase(f"file:{sys.argv[1]}?mode=ro&immutable=1", uri=True)
    for row in database.execute_sql("SELECT number, title_zh FROM card WHERE title_zh LIKE ? LIMIT 20", ("%内存%",)):  # type: ignore[no-untyped-call]
        print(*row)


if __name__ == "__main__":
    main()
