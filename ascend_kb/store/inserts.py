"""Rows into a new file: collected here, inserted by a second thread while the first one makes the next rows.

SQLite lets other threads of Python run while it executes a statement, but each end of a statement waits for its turn.
So a statement inserts as many rows as it can.
"""

from __future__ import annotations

from collections import deque
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

from peewee import AutoField

from ascend_kb.store import models as m

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable
    from concurrent.futures import Future

_MOST_VALUES = 32_766  # of one statement, in SQLite's usual build
_MOST_ROWS = 2_000  # of one statement: long texts wait in memory
_AHEAD = 8  # statements that may wait
_NUMBERED = (m.Card, m.Entity, m.CardIndex)  # their rows come with their numbers; SQLite numbers the others


class Inserts:
    """Inserts rows through a connection that no other thread uses in the meantime; a context that ends the thread."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._tables = {model: _Table(model) for model in m.TABLES}
        self._lane = ThreadPoolExecutor(1)
        self._waiting: deque[Future[object]] = deque()

    def __enter__(self) -> Inserts:  # noqa: PYI034  (Self is newer than Python 3.10)
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        if kind is not None:
            self._lane.shutdown(wait=False, cancel_futures=True)
            self._connection.interrupt()
        self._lane.shutdown()

    def put(self, model: type[Any], *values: object) -> None:
        """Insert a row at some time before ``finish`` ends; ``values`` in the order of the model's fields."""
        table = self._tables[model]
        table.values += values
        if len(table.values) >= table.full:
            self._flush(table)

    def run(self, work: Callable[[], object]) -> None:
        """Let the second thread do other work on the connection, after what waits."""
        while len(self._waiting) >= _AHEAD:
            self._waiting.popleft().result()
        self._waiting.append(self._lane.submit(work))

    def finish(self) -> None:
        """Insert what is left and wait until all is done.

        Raises:
            sqlite3.Error: a row could not be inserted.
        """
        for table in self._tables.values():
            if table.values:
                self._flush(table)
        while self._waiting:
            self._waiting.popleft().result()

    def _flush(self, table: _Table) -> None:
        values, table.values = table.values, []
        self.run(lambda: table.insert(self._connection, values))


class _Table:
    """The values of rows that wait for one table, one after another."""

    def __init__(self, model: type[Any]) -> None:
        fields = [f for f in model._meta.sorted_fields if model in _NUMBERED or not isinstance(f, AutoField)]
        columns = ", ".join(f'"{field.column_name}"' for field in fields)
        self._width = len(fields)
        self._rows = min(_MOST_ROWS, _MOST_VALUES // self._width)
        self._insert = f'INSERT INTO "{model._meta.table_name}" ({columns}) VALUES '  # noqa: S608  (our own names)
        self._places = "(" + ", ".join("?" * self._width) + ")"
        self.values: list[object] = []
        self.full = self._rows * self._width

    def insert(self, connection: sqlite3.Connection, values: list[object]) -> None:
        if len(values) == self.full:
            connection.execute(self._insert + ", ".join([self._places] * self._rows), values)
        else:
            rows = zip(*[iter(values)] * self._width, strict=True)
            connection.executemany(self._insert + self._places, rows)
