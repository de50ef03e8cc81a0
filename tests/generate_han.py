"""Makes ascend_kb/core/han.py from OpenCC's table: ``python -m tests.generate_han``."""

from __future__ import annotations

from pathlib import Path

HAN = Path(__file__).resolve().parent.parent / "ascend_kb" / "core" / "han.py"
_BLOCKS = ((0x3400, 0x4DBF), (0x4E00, 0x9FFF), (0x20000, 0x2A6DF))
_WIDTH = 100  # characters of a line


def pairs() -> dict[str, str]:
    """Return Traditional -> Simplified for all characters that OpenCC maps one to one, chains followed to their end."""
    from opencc import OpenCC

    convert = OpenCC("t2s").convert
    characters = [chr(code) for first, last in _BLOCKS for code in range(first, last + 1)]
    table = {c: simplified for c in characters if (simplified := convert(c)) != c and len(simplified) == 1}
    ends = {}
    for start, first in table.items():
        end, seen = first, {start}
        while end in table and table[end] not in seen:
            seen.add(end)
            end = table[end]
        ends[start] = end
    return {start: end for start, end in ends.items() if end != start and end not in ends}


def source(table: dict[str, str]) -> str:
    """Return the text of han.py for a table."""
    return (
        '"""Traditional to Simplified Chinese, one character to one, so that positions in a text stay the same.\n\n'
        f"Generated from OpenCC's t2s table (Apache-2.0) by `python -m tests.generate_han`; {len(table)} characters.\n"
        '"""\n\n'
        f"TRADITIONAL = (\n{_wrapped(''.join(table))}\n)\n"
        f"SIMPLIFIED = (\n{_wrapped(''.join(table.values()))}\n)\n"
    )


def _wrapped(text: str) -> str:
    return "\n".join(f'    "{text[i : i + _WIDTH]}"' for i in range(0, len(text), _WIDTH))


if __name__ == "__main__":
    HAN.write_text(source(pairs()), "utf-8", newline="\n")
