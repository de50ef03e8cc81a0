"""The reference for start-up: a bare PySide6 window with a tree, a table and a browser, filled with the same rows.

Run with the path of a JSON file {tree: [[name, count]], rows: [[cell, ...]], html: text}; ends when all is painted.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from PySide6.QtCore import QEvent, QObject, Qt, QTimer
from PySide6.QtWidgets import (
    QApplication,
    QMainWindow,
    QSplitter,
    QTableWidget,
    QTableWidgetItem,
    QTextBrowser,
    QTreeWidget,
    QTreeWidgetItem,
)


class Watch(QObject):
    """Ends the program once table and browser have been painted."""

    def __init__(self, *viewports: QObject) -> None:
        super().__init__()
        self.waiting = set(viewports)
        for viewport in viewports:
            viewport.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Note the first paint of each viewport."""
        if event.type() == QEvent.Type.Paint and watched in self.waiting:
            self.waiting.discard(watched)
            if not self.waiting:
                QTimer.singleShot(0, QApplication.quit)
        return False


def main() -> None:
    """Open the window and end."""
    content = json.loads(Path(sys.argv[1]).read_text("utf-8"))
    app = QApplication(sys.argv[:1])
    window = QMainWindow()
    window.menuBar().addMenu("File").addAction("Quit")
    tree = QTreeWidget()
    tree.setColumnCount(2)
    tree.addTopLevelItems([QTreeWidgetItem([name, count]) for name, count in content["tree"]])
    rows = content["rows"]
    table = QTableWidget(len(rows), len(rows[0]))
    for i, row in enumerate(rows):
        for j, cell in enumerate(row):
            table.setItem(i, j, QTableWidgetItem(cell))
    browser = QTextBrowser()
    browser.setHtml(content["html"])
    splitter = QSplitter(Qt.Orientation.Horizontal)
    for widget in (tree, table, browser):
        splitter.addWidget(widget)
    window.setCentralWidget(splitter)
    window.resize(1360, 820)
    window.show()
    watch = Watch(table.viewport(), browser.viewport())
    app.exec()
    del watch


if __name__ == "__main__":
    main()
