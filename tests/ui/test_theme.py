"""Colours come from the palette, and can be read on it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from PySide6.QtGui import QColor, QFont, QPalette

from ascend_kb.ui import theme

if TYPE_CHECKING:
    from collections.abc import Iterator

    from PySide6.QtWidgets import QApplication

ROLE = QPalette.ColorRole
PALETTES = {"light": theme._palette(theme._LIGHT), "dark": theme._palette(theme._DARK)}


@pytest.fixture(autouse=True)
def _own_colours(qapp: QApplication) -> Iterator[None]:
    before = qapp.palette()
    yield
    qapp.setPalette(before)


def luminance(colour: QColor) -> float:
    """Return the relative luminance as WCAG 2 defines it."""
    weighed = ((0.2126, colour.redF()), (0.7152, colour.greenF()), (0.0722, colour.blueF()))
    return sum(share * (c / 12.92 if c <= 0.04045 else float(((c + 0.055) / 1.055) ** 2.4)) for share, c in weighed)


def contrast(first: QColor, second: QColor) -> float:
    high, low = sorted((luminance(first), luminance(second)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def test_contrast_is_measured_as_usual() -> None:
    assert contrast(QColor("white"), QColor("black")) == pytest.approx(21)


@pytest.mark.parametrize("palette", PALETTES.values(), ids=PALETTES)
@pytest.mark.parametrize(
    ("ink", "paper"),
    [
        (ROLE.Text, ROLE.Base),
        (ROLE.Text, ROLE.AlternateBase),
        (ROLE.WindowText, ROLE.Window),
        (ROLE.ButtonText, ROLE.Button),
        (ROLE.ToolTipText, ROLE.ToolTipBase),
        (ROLE.HighlightedText, ROLE.Highlight),
        (ROLE.PlaceholderText, ROLE.Base),
        (ROLE.Link, ROLE.Base),
    ],
)
def test_text_can_be_read_in_both_themes(palette: QPalette, ink: QPalette.ColorRole, paper: QPalette.ColorRole) -> None:
    assert contrast(palette.color(ink), palette.color(paper)) >= 4.5


@pytest.mark.parametrize("palette", PALETTES.values(), ids=PALETTES)
def test_secondary_text_and_links_can_be_read(palette: QPalette) -> None:
    base = palette.color(ROLE.Base)
    for ink in (theme.muted(palette), theme.link(palette)):
        assert contrast(ink, base) >= 4.5
        assert contrast(ink, theme.raised(palette)) >= 4.4
    assert contrast(theme.border(palette), base) > 1.2


def test_every_colour_of_the_text_follows_the_palette() -> None:
    sheets = {name: theme.document_style(palette, 10) for name, palette in PALETTES.items()}
    used = {name: set(re.findall(r"#[0-9a-f]{6}", sheet)) for name, sheet in sheets.items()}
    assert len(used["light"]) >= 5
    assert used["light"].isdisjoint(used["dark"])


@pytest.mark.parametrize(("points", "small"), [(10.0, 9.0), (6.0, 6), (4.0, 6)])
def test_sizes_follow_the_zoom(points: float, small: float) -> None:
    sheet = theme.document_style(PALETTES["light"], points)
    assert f"font-size: {points}pt" in sheet
    assert f"font-size: {small}pt" in sheet


@pytest.mark.parametrize("name", ["light", "dark"])
def test_a_theme_is_used_and_the_system_comes_back(qapp: QApplication, name: str) -> None:
    theme.use_colours("system")
    system = qapp.palette().color(ROLE.Base)
    theme.use_colours(name)
    assert qapp.palette().color(ROLE.Base) == PALETTES[name].color(ROLE.Base)
    disabled = qapp.palette().color(QPalette.ColorGroup.Disabled, ROLE.Text)
    assert disabled != qapp.palette().color(QPalette.ColorGroup.Active, ROLE.Text)
    theme.use_colours("system")
    assert qapp.palette().color(ROLE.Base) == system


def test_chinese_fonts_stand_behind_the_system_font() -> None:
    font = QFont("Some Font")
    assert theme.interface_font(font).families()[:2] == ["Some Font", "Noto Sans CJK SC"]
    assert font.families() == ["Some Font"]
