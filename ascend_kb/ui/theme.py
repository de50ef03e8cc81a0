"""Colours and fonts, all made from the palette's roles, so that light and dark follow the system."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QFont, QFontDatabase, QPalette
from PySide6.QtWidgets import QApplication

_BODY_LINE_HEIGHT = 145  # percent; Chinese needs more than Latin


# Fonts with the simplified forms of Chinese characters, tried in this order behind the system's own font.
_CHINESE = ("Noto Sans CJK SC", "Source Han Sans SC", "PingFang SC", "Microsoft YaHei", "WenQuanYi Micro Hei")


def interface_font(font: QFont) -> QFont:
    """Return the system's font with Chinese fonts to fall back on, so that simplified forms are shown."""
    found = QFont(font)
    found.setFamilies([*font.families(), *_CHINESE])
    return found


def fixed_font(points: float) -> QFont:
    """Return a font whose letters are equally wide, with Chinese fonts to fall back on."""
    found = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
    found.setFamilies([*filter(None, found.families()), "monospace", "Noto Sans Mono CJK SC", *_CHINESE])
    found.setStyleHint(QFont.StyleHint.Monospace)
    found.setPointSizeF(points)
    return found


_R = QPalette.ColorRole
_LIGHT = {
    _R.Window: "#f3f4f6", _R.WindowText: "#1b1f24", _R.Base: "#ffffff", _R.AlternateBase: "#f6f8fa", _R.Text: "#1b1f24",
    _R.Button: "#eceef1", _R.ButtonText: "#1b1f24", _R.ToolTipBase: "#ffffff", _R.ToolTipText: "#1b1f24",
    _R.Highlight: "#2563b8", _R.HighlightedText: "#ffffff", _R.PlaceholderText: "#5b6470", _R.Link: "#0b5cad",
}  # fmt: skip
_DARK = {
    _R.Window: "#22262b", _R.WindowText: "#e4e7eb", _R.Base: "#1a1d21", _R.AlternateBase: "#20242a", _R.Text: "#e4e7eb",
    _R.Button: "#2d3238", _R.ButtonText: "#e4e7eb", _R.ToolTipBase: "#2d3238", _R.ToolTipText: "#e4e7eb",
    _R.Highlight: "#2f6fc4", _R.HighlightedText: "#ffffff", _R.PlaceholderText: "#98a1ac", _R.Link: "#7ab7ff",
}  # fmt: skip
_DISABLED = (_R.WindowText, _R.Text, _R.ButtonText)


def _palette(colours: dict[QPalette.ColorRole, str]) -> QPalette:
    palette = QPalette(QColor(colours[_R.Button]), QColor(colours[_R.Window]))
    for role, name in colours.items():
        palette.setColor(role, QColor(name))
    for role in _DISABLED:
        faded = _mixed(QColor(colours[_R.Text]), QColor(colours[_R.Base]), 0.45)
        palette.setColor(QPalette.ColorGroup.Disabled, role, faded)
    return palette


def use_colours(name: str) -> None:
    """Use the colours ``light`` or ``dark``, or those of the system for any other name."""
    chosen = {"light": _LIGHT, "dark": _DARK}.get(name)
    if chosen is not None:
        QApplication.setPalette(_palette(chosen))
    elif QApplication.testAttribute(Qt.ApplicationAttribute.AA_SetPalette):
        QApplication.setPalette(QPalette())


def _mixed(first: QColor, second: QColor, share: float) -> QColor:
    """Return ``share`` of ``first`` and the rest of ``second``."""
    return QColor.fromRgbF(
        first.redF() * share + second.redF() * (1 - share),
        first.greenF() * share + second.greenF() * (1 - share),
        first.blueF() * share + second.blueF() * (1 - share),
    )


def border(palette: QPalette) -> QColor:
    """Return the colour of lines between things."""
    return _mixed(palette.color(QPalette.ColorRole.Text), palette.color(QPalette.ColorRole.Base), 0.2)


def muted(palette: QPalette) -> QColor:
    """Return the colour of secondary text; 4.5:1 against the base in both themes."""
    return _mixed(palette.color(QPalette.ColorRole.Text), palette.color(QPalette.ColorRole.Base), 0.68)


def raised(palette: QPalette) -> QColor:
    """Return the background of code, chips and table heads."""
    return _mixed(palette.color(QPalette.ColorRole.Text), palette.color(QPalette.ColorRole.Base), 0.06)


def link(palette: QPalette) -> QColor:
    """Return the colour of links; the palette's own is too dark for some dark themes."""
    dark = palette.color(QPalette.ColorRole.Base).lightness() < 128
    return QColor("#7ab7ff") if dark else QColor("#0b5cad")


def match(palette: QPalette) -> tuple[QColor, QColor]:
    """Return background and text of what a search found; they stand by themselves, on selected rows too."""
    dark = palette.color(QPalette.ColorRole.Base).lightness() < 128
    return (QColor("#6b5200"), QColor("#fff6d6")) if dark else (QColor("#ffe08a"), QColor("#2b2100"))


def warning(palette: QPalette) -> QColor:
    """Return the colour of what speaks against something; 4.5:1 against the base in both themes."""
    dark = palette.color(QPalette.ColorRole.Base).lightness() < 128
    return QColor("#f0a35e") if dark else QColor("#9a4a00")


def document_style(palette: QPalette, point_size: float) -> str:
    """Return the style sheet of the detail pane (the subset of CSS that QTextDocument knows).

    ``point_size`` is that of normal text.
    """
    text, base = palette.color(QPalette.ColorRole.Text).name(), palette.color(QPalette.ColorRole.Base).name()
    line, code, quiet = border(palette).name(), raised(palette).name(), muted(palette).name()
    small = max(point_size - 1, 6)
    return f"""
    body {{ color: {text}; background-color: {base}; font-size: {point_size}pt; }}
    p, li {{ line-height: {_BODY_LINE_HEIGHT}%; }}
    p {{ margin-top: 4px; margin-bottom: 8px; }}
    li {{ margin-bottom: 4px; }}
    h1 {{ font-size: {point_size + 3}pt; font-weight: 600; margin-top: 4px; margin-bottom: 8px; }}
    h2 {{ font-size: {point_size + 2}pt; font-weight: 600; margin-top: 16px; margin-bottom: 6px; }}
    h3 {{ font-size: {point_size + 1}pt; font-weight: 600; margin-top: 12px; margin-bottom: 4px; }}
    a {{ color: {link(palette).name()}; text-decoration: none; }}
    code {{ font-family: monospace; font-size: {small}pt; background-color: {code}; }}
    pre {{ font-family: monospace; font-size: {small}pt; margin: 0; white-space: pre-wrap; }}
    p.copy {{ margin-top: 4px; margin-bottom: 2px; font-size: {small}pt; }}
    table {{ border-collapse: collapse; border-color: {line}; margin-bottom: 10px; }}
    table.code {{ width: 100%; }}
    th {{ background-color: {code}; padding: 5px 8px; text-align: left; border: 1px solid {line}; font-weight: 600; }}
    td {{ padding: 5px 8px; border: 1px solid {line}; }}
    table.code td {{ padding: 8px 10px; background-color: {code}; }}
    p.summary {{ color: {quiet}; margin-bottom: 4px; }}
    blockquote {{ color: {quiet}; margin-left: 12px; }}
    """
