"""A made-up article in the format of the series, and the same article as Markdown, web page and Word document."""

from __future__ import annotations

import html
import io
import zipfile
from pathlib import Path
from xml.sax.saxutils import escape

from ascend_kb.sources.articles import plain
from ascend_kb.sources.articles.blocks import Row

TEXT = (Path(__file__).parent / "story.txt").read_text("utf-8")
REPOS = {"paperlib": ("ppl", 5), "glue-kit": ("glk", 3), "fold-data": ("fdd", 2)}


def markdown(text: str = TEXT) -> str:
    """Return the article as Markdown: headings and pipe tables."""
    out: list[str] = []
    in_table = False
    for block in plain.blocks(text):
        if isinstance(block, Row):
            cells = [cell.replace("|", "\\|").replace("\n", "<br>") for cell in block.cells]
            if not in_table:
                out += ["", f"| {' | '.join(cells)} |", f"|{' --- |' * len(cells)}"]
            else:
                out.append(f"| {' | '.join(cells)} |")
            in_table = True
        else:
            out += ["", _heading(block.text) + block.text]
            in_table = False
    return "\n".join(out) + "\n"


def _heading(text: str) -> str:
    if text.startswith(("总览", "组合解读", "排错指引")) or text.partition("（")[0] in REPOS:
        return "## "
    return "### " if text[:2] in ("1.", "2.") else ""


def page(text: str = TEXT) -> str:
    """Return the article as a saved web page with things around it."""
    out = [
        '<!DOCTYPE html><html><head><title>x</title><meta charset="gbk"><style>p{}</style></head>',
        "<body><script>if (a<b) document.write('<table>')</script><div class=nav>",
    ]
    in_table = False
    for block in plain.blocks(text):
        if isinstance(block, Row):
            out += [] if in_table else ["<table><tbody>"]
            cells = (html.escape(cell).replace("\n", "<br/>") for cell in block.cells)
            out.append("<tr>" + "".join(f"<td><p>{cell}</p></td>" for cell in cells) + "</tr>")
            in_table = True
        else:
            out += ["</tbody></table>"] if in_table else []
            tag = "h2" if _heading(block.text) == "## " else "h3" if _heading(block.text) else "p"
            out.append(f"<{tag}>{html.escape(block.text)}</{tag}>")
            in_table = False
    return "\n".join([*out, "</div></body></html>"])


W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'


def docx_body(text: str = TEXT) -> str:
    """Return the body of a Word document that holds the article."""
    out: list[str] = []
    in_table = False
    for block in plain.blocks(text):
        if isinstance(block, Row):
            out += [] if in_table else ["<w:tbl>"]
            out.append("<w:tr>" + "".join(f"<w:tc>{_paragraph(cell)}</w:tc>" for cell in block.cells) + "</w:tr>")
            in_table = True
        else:
            out += ["</w:tbl>"] if in_table else []
            level = {"## ": "2", "### ": "3"}.get(_heading(block.text), "")
            out.append(_paragraph(block.text, level))
            in_table = False
    return "".join([*out, "</w:tbl>" * in_table])


def _paragraph(text: str, style: str = "") -> str:
    properties = f'<w:pPr><w:pStyle w:val="{style}"/></w:pPr>' if style else ""
    half = len(text) // 2  # Word cuts a line into runs as it likes
    runs = "".join(
        f'<w:r><w:t xml:space="preserve">{escape(part)}</w:t></w:r>'.replace("\n", "</w:t><w:br/><w:t>")
        for part in (text[:half], text[half:])
    )
    return f"<w:p>{properties}{runs}</w:p>"


def docx(body: str | None = None, **parts: str) -> bytes:
    """Return a Word document; ``parts`` replaces or adds parts by name, with ``_`` for ``/``."""
    body = docx_body() if body is None else body
    styles = "".join(f'<w:style w:styleId="{n}"><w:name w:val="heading {n}"/></w:style>' for n in range(1, 7))
    files = {
        "word/document.xml": f'<?xml version="1.0"?><w:document {W}><w:body>{body}</w:body></w:document>',
        "word/styles.xml": f"<w:styles {W}>{styles}</w:styles>",
    }
    files |= {name.replace("_", "/") + ".xml": text for name, text in parts.items()}
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return out.getvalue()


def in_all_formats() -> dict[str, bytes]:
    """Return the article by file name, in the four formats."""
    return {
        "story.txt": TEXT.encode(),
        "story.md": markdown().encode(),
        "story.html": page().encode(),
        "story.docx": docx(),
    }
