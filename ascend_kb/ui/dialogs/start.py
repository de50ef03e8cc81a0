"""What to do when the knowledge file cannot be opened at start."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QFileDialog, QMessageBox

from ascend_kb.app import paths
from ascend_kb.core.i18n import tr

if TYPE_CHECKING:
    from ascend_kb.core.errors import KBError


def ask_for_file(error: KBError) -> Path | None:
    """Return the knowledge file that the user wants instead, or None to quit."""
    box = QMessageBox(QMessageBox.Icon.Warning, "Ascend KB", error.message)
    box.setInformativeText(error.hint)
    other = box.addButton(tr("Open another file…"), QMessageBox.ButtonRole.AcceptRole)
    bundle = box.addButton(tr("Use the bundled knowledge"), QMessageBox.ButtonRole.AcceptRole)
    box.addButton(tr("Quit"), QMessageBox.ButtonRole.RejectRole)
    box.exec()
    if box.clickedButton() is bundle:
        return paths.bundled_knowledge()
    if box.clickedButton() is other:
        name, _kind = QFileDialog.getOpenFileName(None, tr("Open knowledge file"))
        return Path(name) if name else None
    return None
