"""Dates in prose: full ones, and those without a year, which take it from the nearest full date before them."""

from __future__ import annotations

import datetime as dt
import re
from typing import NamedTuple

_DAY = r"3[01]|[12][0-9]|0?[1-9]"
_FULL = rf"(?<!\d)(?P<year>20[0-9]{{2}})[-./年](?P<month>1[0-2]|0?[1-9])[-./月](?P<day>{_DAY})日?(?!\d)"
_SHORT = r"(?<![\d./:#!-])(?P<month2>0[1-9]|1[0-2])-(?P<day2>3[01]|[12][0-9]|0[1-9])(?![\d./-])"
_DATE = re.compile(f"{_FULL}|{_SHORT}")
_YEAR = re.compile(_FULL)


class Date(NamedTuple):
    """A date, ``YYYY-MM-DD``, and where it stands; ``derived`` where its year was taken from another one."""

    start: int
    end: int
    day: str
    derived: bool


def dates(text: str, year: int = 0) -> list[Date]:
    """Return the dates of a text in order; ``year`` is that of the nearest full date before it, or 0."""
    found = []
    for match in _DATE.finditer(text):
        full = match["year"] is not None
        year = int(match["year"]) if full else year
        month, day = (match["month"], match["day"]) if full else (match["month2"], match["day2"])
        if year and (written := _day(year, int(month), int(day))):
            found.append(Date(match.start(), match.end(), written, not full))
    return found


def last_year(text: str) -> int:
    """Return the year of the last full date of a text, or 0."""
    year = 0
    for match in _YEAR.finditer(text):
        year = int(match["year"])
    return year


def _day(year: int, month: int, day: int) -> str:
    try:
        return dt.date(year, month, day).isoformat()
    except ValueError:
        return ""
