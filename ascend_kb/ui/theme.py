"""Colours and fonts, all made from the palette's roles, so that light and dark follow the system."""

from __future__ import annotations

from PySide6.QtGui import QColor, QFont, QPalette

_BODY_LINE_HEIGHT = 145  # percent; Chinese needs more than Latin


# Fonts with the simplified forms of Chinese characters, tried in this order behind the system's own font.
_CHINESE = ("Noto Sans CJK SC", "Source Han Sans SC", "PingFang SC", "Microsoft YaHei", "WenQuanYi Micro Hei")


def interface_font(font: QFont) -> QFont:
    """Return the system's font with Chinese fonts to fall back on, so that simplified forms are shown."""
    found = QFont(font)
    found.setFamilies([*font.families(), *_CHINESE])
    return found


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
    h1 {{ font-size: {point_size + 5}pt; font-weight: 600; margin-top: 4px; margin-bottom: 8px; }}
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
    blockquote {{ color: {quiet}; margin-left: 12px; }}
    """
