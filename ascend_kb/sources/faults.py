"""Problems of one file while it is read: each is kept once, and not more than a person would read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascend_kb.core.imported import Complaint, ImportProblem

if TYPE_CHECKING:
    from ascend_kb.sources.decoding import Decoded

MOST_FAULTS = 1000


class Faults:
    """Collects problems; those beyond ``MOST_FAULTS`` are only counted."""

    def __init__(self) -> None:
        self._kept: list[ImportProblem] = []
        self._beyond = 0

    def add(self, complaint: Complaint, line: int, field: str = "", **values: object) -> None:
        """Note a problem."""
        if len(self._kept) < MOST_FAULTS:
            self._kept.append(ImportProblem(complaint, line, field, values))
        else:
            self._beyond += 1

    def add_decoded(self, decoded: Decoded) -> None:
        """Note what was taken out of a text when it was decoded."""
        for complaint, (count, line) in ((Complaint.NUL, decoded.nuls), (Complaint.CONTROL, decoded.controls)):
            if count:
                self.add(complaint, line, count=count)

    def all(self) -> tuple[ImportProblem, ...]:
        """Return the problems in the order of their lines."""
        found = sorted(self._kept, key=lambda problem: problem.line)
        if self._beyond:
            found.append(ImportProblem(Complaint.MORE, found[-1].line, "", {"count": self._beyond}))
        return tuple(found)
