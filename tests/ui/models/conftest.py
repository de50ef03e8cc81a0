"""Models are checked by Qt's own tester and by that of pytest-qt."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QAbstractItemModel

if TYPE_CHECKING:
    from pytestqt.modeltest import ModelTester

Check = Callable[[QAbstractItemModel], None]


@pytest.fixture
def check_model(qtmodeltester: ModelTester) -> Check:
    """Check a model with both testers."""

    def check(model: QAbstractItemModel) -> None:
        for force_py in (True, False):
            qtmodeltester.check(model, force_py=force_py)  # type: ignore[no-untyped-call]

    return check
