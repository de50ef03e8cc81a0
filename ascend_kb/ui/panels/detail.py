"""The detail pane: a card's head with its facts and the copy button, the text, and a find bar."""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, Qt, QUrl, Signal
from PySide6.QtGui import QPalette, QTextCursor
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QMenu,
    QSizePolicy,
    QTextEdit,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from ascend_kb.core.i18n import current, tr
from ascend_kb.core.links import SCHEME
from ascend_kb.core.vocabulary import label
from ascend_kb.ui import theme
from ascend_kb.ui.panels.find import FindBar
from ascend_kb.ui.widgets.browser import SafeBrowser

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QAction

    from ascend_kb.app.library import Document
    from ascend_kb.core.card import Card
    from ascend_kb.core.catalog import Catalog

MOST_MARKED = 500  # matches in one text
SHOW_ALL = f"{SCHEME}://show-all"


_ESCAPES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;"})


def _escaped(text: str) -> str:
    """Return plain text for use in HTML; the html module would take a millisecond of every start."""
    return text.translate(_ESCAPES)


class DetailPanel(QWidget):
    """Shows a card or a page."""

    link_clicked = Signal(str)
    link_hovered = Signal(str)

    def __init__(self, copy: QAction, copy_menu: Sequence[QAction]) -> None:
        super().__init__()
        self.title = QLabel()
        self.title.setTextFormat(Qt.TextFormat.PlainText)
        self.title.setWordWrap(True)
        self.title.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.title.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.MinimumExpanding)
        self.facts = QLabel()
        self.facts.setTextFormat(Qt.TextFormat.RichText)
        self.facts.setWordWrap(True)
        self.facts.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.MinimumExpanding)
        self.facts.setTextInteractionFlags(Qt.TextInteractionFlag.LinksAccessibleByMouse)
        self.facts.linkActivated.connect(self.link_clicked)
        self.copy_button = QToolButton()
        self.copy_button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextOnly)
        self.copy_button.setPopupMode(QToolButton.ToolButtonPopupMode.MenuButtonPopup)
        menu = QMenu(self.copy_button)
        menu.addActions(list(copy_menu))
        self.copy_button.setMenu(menu)
        self.copy_button.clicked.connect(copy.trigger)
        self.browser = SafeBrowser()
        self.browser.setFrameShape(QFrame.Shape.NoFrame)
        self.browser.anchorClicked.connect(
            lambda url: self.link_clicked.emit(url.toString(QUrl.ComponentFormattingOption.FullyEncoded))
        )
        self.browser.highlighted.connect(lambda url: self.link_hovered.emit(url.toString()))
        self.find_bar = FindBar(self.browser)
        self._document: Document | None = None
        self._summary = ""
        self._matches: tuple[tuple[int, int], ...] = ()
        self._points = self.font().pointSizeF()
        self._zoom = 0
        self._lay_out()
        self.retranslate()

    def _lay_out(self) -> None:
        line = QHBoxLayout()
        line.setSpacing(12)
        line.addWidget(self.facts, 1)
        line.addWidget(self.copy_button, 0, Qt.AlignmentFlag.AlignTop)
        head = QVBoxLayout()
        head.setSpacing(6)
        head.addWidget(self.title)
        head.addLayout(line)
        self._head = QWidget()
        self._head.setBackgroundRole(QPalette.ColorRole.Base)
        self._head.setAutoFillBackground(True)
        self._head.setLayout(head)
        head.setContentsMargins(12, 10, 12, 6)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self._head)
        layout.addWidget(self.find_bar)
        layout.addWidget(self.browser, 1)
        self._style()

    def retranslate(self) -> None:
        """Take the texts in the language of the interface."""
        self.copy_button.setText(tr("Copy recipe"))
        self.copy_button.setToolTip(tr("Copy the recipe as rich and plain text (Ctrl+C); the arrow shows other forms"))
        self.browser.setAccessibleName(tr("Text of the card"))
        self.find_bar.retranslate()
        if self._document is None:
            self.show_nothing()

    def show_card(self, card: Card, document: Document, catalog: Catalog) -> None:
        """Show a card."""
        self.title.setText(f"{card.key}  {card.title.get(current())}")
        self.facts.setText(self._facts_of(card, catalog))
        self._summary = f'<p class="summary">{_escaped(card.summary.get(current()))}</p>'
        self.facts.show()
        self.copy_button.show()
        self._show(document)

    def show_page(self, title: str, document: Document) -> None:
        """Show a theme, a guide entry or another page."""
        self.title.setText(title)
        self._summary = ""
        self.facts.hide()
        self.copy_button.hide()
        self._show(document)

    def show_nothing(self) -> None:
        """Show what to do where no card is selected."""
        self.title.setText("")
        self._head.hide()
        self._document = None
        self.show_matches(())
        self.browser.setPlainText(tr("Select a card to read it here."))

    @property
    def is_empty(self) -> bool:
        """Whether nothing is shown."""
        return self._document is None

    def _facts_of(self, card: Card, catalog: Catalog) -> str:
        language = current()
        quiet = theme.muted(self.palette()).name()
        accent = theme.link(self.palette()).name()

        def chip(facet: str, value: str, label: str) -> str:
            address = _escaped(f"{SCHEME}://filter/{facet}/{value}")
            return f'<a href="{address}" style="color:{accent};text-decoration:none">{_escaped(label)}</a>'

        def quiet_text(text: str) -> str:
            return f'<span style="color:{quiet}">{_escaped(text)}</span>'

        line = [
            f"<b>{chip('outcome', card.outcome.value, label(card.outcome).get(language))}</b>",
            quiet_text(tr("evidence:") + " ")
            + chip("evidence", card.evidence.value, label(card.evidence).get(language)),
        ]
        if card.latest_change:
            line.append(quiet_text(tr("changed {date}", date=card.latest_change)))
        if card.affected:
            line.append(quiet_text(tr("affects {versions}", versions=", ".join(map(str, card.affected)))))
        if card.fixed:
            line.append(quiet_text(tr("fixed in {versions}", versions=", ".join(map(str, card.fixed)))))
        tags = [chip("tag", tag, catalog.tag(tag, language)) for tag in (*card.tags, *card.hardware)]
        return " &nbsp;·&nbsp; ".join(line) + "<br>" + " &nbsp; ".join(tags)

    def _show(self, document: Document) -> None:
        self._head.show()
        self._document = document
        if document.is_plain:
            self.browser.setPlainText(document.content)
        else:
            name = _escaped(tr("Show all"))
            more = f'<p><a href="{SHOW_ALL}">{name}</a></p>' if document.cut else ""
            self.browser.setHtml(f"<body>{self._summary}{document.content}{more}</body>")
        self.show_matches(())
        self.find_bar.count()

    def show_matches(self, places: tuple[tuple[int, int], ...]) -> None:
        """Mark what the search found in the text; of very many the first ones."""
        self._matches = places
        marks = []
        background, foreground = theme.match(self.palette())
        for start, end in places[:MOST_MARKED]:
            mark = QTextEdit.ExtraSelection()
            cursor = QTextCursor(self.browser.document())
            cursor.setPosition(start)
            cursor.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
            mark.cursor = cursor
            mark.format.setBackground(background)
            mark.format.setForeground(foreground)
            marks.append(mark)
        self.browser.setExtraSelections(marks)

    @property
    def match_count(self) -> int:
        """How often the text holds what was looked for."""
        return len(self._matches)

    def go_to_match(self, *, backward: bool) -> int:
        """Select the next match, going round at the end; returns its number from 1, 0 where there is none."""
        if not self._matches:
            return 0
        cursor = self.browser.textCursor()
        starts = [start for start, _ in self._matches]
        at = cursor.selectionStart() if backward else cursor.selectionEnd()
        number = (bisect_left(starts, at) - (1 if backward else 0)) % len(starts)
        start, end = self._matches[number]
        cursor.setPosition(start)
        cursor.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
        self.browser.setTextCursor(cursor)
        self.browser.ensureCursorVisible()
        return number + 1

    @property
    def zoom_level(self) -> int:
        """By how many points the text is larger than usual."""
        return self._zoom

    def zoom_to(self, level: int) -> None:
        """Show the text ``level`` points larger than usual."""
        level = max(-6, min(24, level))
        if level != self._zoom:
            self._zoom = level
            self._style()

    def _style(self) -> None:
        palette = self.palette()
        points = self._points + self._zoom
        font = self.title.font()
        font.setPointSizeF(self._points + 3)
        font.setBold(True)
        self.title.setFont(font)
        self.browser.document().setDocumentMargin(12)
        self.browser.document().setIndentWidth(26)
        base = self.browser.font()
        base.setPointSizeF(points)
        self.browser.setFont(base)
        self.browser.document().setDefaultStyleSheet(theme.document_style(palette, points))
        view = QPalette()  # names the link colour alone, so that all others follow the program's palette
        view.setColor(QPalette.ColorRole.Link, theme.link(palette))
        self.browser.setPalette(view)
        if self._document is not None:
            place = self.browser.verticalScrollBar().value()
            matches = self._matches
            self._show(self._document)
            self.show_matches(matches)
            self.browser.verticalScrollBar().setValue(place)

    def changeEvent(self, event: QEvent) -> None:
        """Follow the colours of the system."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and hasattr(self, "_head"):
            self._style()
