"""Types questions key by key into the real window over one file and prints what it took as JSON.

``tests.benchmarks.window_scale`` runs it in a process of its own: ``python -m ...typing_window FILE [TEXT]``.
"""

from __future__ import annotations

import json
import resource
import sqlite3
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QEvent, QEventLoop, QObject, Qt, QTimer
from PySide6.QtGui import QInputMethodEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from ascend_kb.core.text import index_tokens, normalise, searchable
from ascend_kb.store.models import INDEX_WEIGHTS
from ascend_kb.ui import theme
from ascend_kb.ui.application import Application

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtGui import QPaintEvent

    from ascend_kb.ui.window import MainWindow

TYPED = (
    "timeline pcsampling", "内存越界误报", "aclnnMatMul", "算子 报错", "save_npugraph_tensor", "为什么编译失败",
    "MemoryManage illegal free", "910B 图模式 精度", "PR 3646", "hccl 超时 多卡", "量化", "UNIQUE constraint failed",
)  # fmt: skip
SETTLE = 150  # milliseconds after the rows are painted in which the window may still be blocked
PATIENCE = 30_000
_ROWS = 100


class Heart(QObject):
    """Beats every millisecond; a longer pause is a time in which the GUI thread did nothing else."""

    def __init__(self) -> None:
        super().__init__()
        self.longest: list[float] = []  # for each watch, without the excused time
        self._last = 0.0
        self._worst = 0.0
        self._excused = 0.0
        self._timer = QTimer(self)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.setInterval(1)
        self._timer.timeout.connect(self._on_beat)

    def watch(self) -> None:
        """Begin to watch."""
        self._last, self._worst, self._excused = time.perf_counter(), 0.0, 0.0
        self._timer.start()

    def rest(self) -> None:
        """End to watch and keep the longest pause in milliseconds."""
        self._on_beat()
        self._timer.stop()
        self.longest.append(self._worst * 1000)

    def excuse(self, work: Callable[..., None]) -> Callable[..., None]:
        """Return ``work`` with its time taken out of the pauses."""

        def excused(*values: Any) -> None:
            started = time.perf_counter()
            work(*values)
            self._excused += time.perf_counter() - started

        return excused

    def _on_beat(self) -> None:
        now = time.perf_counter()
        self._worst = max(self._worst, now - self._last - self._excused)
        self._last, self._excused = now, 0.0


class Painted(QObject):
    """Calls back when rows, or the text that there are none, have been painted after the list was changed."""

    def __init__(self, window: MainWindow, done: Callable[[], None]) -> None:
        super().__init__(window)
        self._table = window.cards.table
        self._done = done
        self._is_changed = False
        self._is_expected = True
        self._table.model().modelReset.connect(self._on_reset)
        self._table.viewport().installEventFilter(self)
        for widget in window.cards.findChildren(QWidget):
            if widget is not self._table and not self._table.isAncestorOf(widget):
                widget.installEventFilter(self)

    def expect(self) -> None:
        """Wait for the next change; what follows it, the exact order, is not waited for."""
        self._is_changed, self._is_expected = False, True

    def _on_reset(self) -> None:
        self._is_changed = self._is_expected

    def eventFilter(self, watched: QObject, event: QEvent | QPaintEvent) -> bool:
        """Take note of a paint; the rows stand on the screen when it has been handled."""
        if event.type() == QEvent.Type.Paint and self._is_changed:
            model = self._table.model()
            is_table = watched is self._table.viewport()
            if (model.index(0, 0).data() != "…") if is_table and model.rowCount() else not model.rowCount():
                self._is_changed = self._is_expected = False
                QTimer.singleShot(0, self._done)
        return False


class Typist:
    """Presses keys and takes the time."""

    def __init__(self, window: MainWindow) -> None:
        self.window = window
        self.heart = Heart()
        self.loop = QEventLoop()
        self.painted = Painted(window, self._on_painted)
        self.taken: list[float] = []
        self._pressed = 0.0
        browser = window.detail.browser
        browser.setHtml = self.heart.excuse(browser.setHtml)  # type: ignore[method-assign]

    def _on_painted(self) -> None:
        self.taken.append((time.perf_counter() - self._pressed) * 1000)
        QTimer.singleShot(SETTLE, self.loop.quit)

    def press(self, keys: str) -> None:
        """Press keys (one that counts, after blanks) and wait until rows are painted and all is quiet."""
        box = self.window.search.box
        self.painted.expect()
        late = QTimer()
        late.setSingleShot(True)
        late.timeout.connect(self.loop.quit)
        late.start(PATIENCE)
        before = len(self.taken)
        self.heart.watch()
        self._pressed = time.perf_counter()
        for key in keys:
            _type(box, key)
        self.loop.exec()
        self.heart.rest()
        late.stop()
        if len(self.taken) == before:
            raise TimeoutError(f"nothing was painted within {PATIENCE} ms after {box.text()!r}")

    def clear(self) -> None:
        """Empty the search box, and wait; what it takes is not counted."""
        self.painted.expect()
        self._pressed = time.perf_counter()
        self.window.search.box.clear()
        self.loop.exec()
        self.taken.pop()


class Bare:
    """The same file asked by plain SQL: one ranked full-text query and the rows that it finds."""

    def __init__(self, file: Path) -> None:
        self._database = sqlite3.connect(f"{file.resolve().as_uri()}?mode=ro&immutable=1", uri=True)
        weights = ", ".join(map(str, INDEX_WEIGHTS))
        self._statement = (
            "SELECT card.number, card.title_zh, card.outcome, card.evidence, card.latest_change, card.tag_line_zh"  # noqa: S608
            " FROM cardindex JOIN card ON card.id = cardindex.rowid"
            f" WHERE cardindex MATCH ? ORDER BY bm25(cardindex, {weights}) LIMIT {_ROWS}"
        )

    def ask(self, text: str) -> float:
        """Return the milliseconds that the query of a text takes."""
        phrases = []
        for term in searchable(normalise(text)).split():
            tokens = index_tokens(term)
            if "一" <= term[-1] <= "鿿":
                tokens[-1] = term[-1]
            phrases.append('"' + " ".join(tokens) + '" *')
        started = time.perf_counter()
        self._database.execute(self._statement, (" AND ".join(phrases),)).fetchall()
        return (time.perf_counter() - started) * 1000

    def close(self) -> None:
        """Let the file go."""
        self._database.close()


def measure(file: Path, typed: tuple[str, ...] = TYPED) -> dict[str, Any]:
    """Open the window over a file, type, and return all times in milliseconds and the peak memory in MiB."""
    started = time.perf_counter()
    application = Application(keeps_nothing=True)
    window = application.open_window(file)
    first = QEventLoop()
    opened = Painted(window, first.quit)
    QTimer.singleShot(PATIENCE, first.quit)
    first.exec()
    open_ms = (time.perf_counter() - started) * 1000
    opened.deleteLater()
    typist = Typist(window)
    window.search.box.setFocus()
    _wait(1000)  # counts and the first card
    bare = Bare(file)
    asked = []
    for text in typed:
        for end, keys in _strokes(text):
            typist.press(keys)
            asked.append(bare.ask(text[:end]))
        typist.clear()
    bare.close()
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    cards = window.session.library.card_count()
    window.close()
    return {
        "cards": cards, "open": open_ms, "painted": typist.taken, "bare": asked, "blocked": typist.heart.longest,
        "memory": memory,
    }  # fmt: skip


def _type(box: QWidget, key: str) -> None:
    """Type a character; Chinese comes from an input method, which has no key for it."""
    if key.isascii():
        QTest.keyClicks(box, key)
        return
    event = QInputMethodEvent()
    event.setCommitString(key)
    QApplication.sendEvent(box, event)


def _strokes(text: str) -> list[tuple[int, str]]:
    """Return the keys one by one, blanks together with the next: a blank alone changes nothing."""
    strokes = []
    begin = 0
    for i, character in enumerate(text, 1):
        if character != " ":
            strokes.append((i, text[begin:i]))
            begin = i
    return strokes


def _wait(milliseconds: int) -> None:
    loop = QEventLoop()
    QTimer.singleShot(milliseconds, loop.quit)
    loop.exec()


def main() -> None:
    """Print the measures of the file that is named."""
    qt = QApplication(sys.argv[:1])
    QApplication.setFont(theme.interface_font(QApplication.font()))
    print(json.dumps(measure(Path(sys.argv[1]), tuple(sys.argv[2:]) or TYPED)))
    del qt


if __name__ == "__main__":
    main()
