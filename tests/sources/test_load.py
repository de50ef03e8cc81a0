"""Every fault of a source is named by file, line and what is allowed; all in one run."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ascend_kb.core.errors import KBError
from ascend_kb.core.keys import CardKey
from ascend_kb.core.vocabulary import Outcome
from ascend_kb.sources.load import digest, load, read_texts
from ascend_kb.sources.problems import SourceError
from tests.sources.faults import CARD, FAULTS, MISPLACED, MSTT, NO_FRONT, report
from tests.sources.sample import OTHER, SAMPLE, changed, write_folder

if TYPE_CHECKING:
    from pathlib import Path

    from hypothesis.strategies import SearchStrategy


def test_the_sample_has_no_fault() -> None:
    knowledge = load(SAMPLE)
    assert [str(card.key) for card in knowledge.cards] == ["msopcom#57", "mstt#5"]
    assert knowledge.cards[0].outcome is Outcome.FIXED
    assert knowledge.themes[0].cards == (CardKey("msopcom", 57), CardKey("mstt", 5))


@pytest.mark.parametrize(("path", "old", "new", "expected"), FAULTS, ids=[f[3][-1][:70] for f in FAULTS])
def test_a_fault_is_named_by_file_line_and_what_is_allowed(path: str, old: str, new: str, expected: list[str]) -> None:
    assert report(changed(path, old, new)) == expected


@pytest.mark.parametrize(
    ("path", "text", "expected"),
    [
        ("cards/nowhere/5.md", OTHER.replace("mstt#5", "nowhere#5"),
         ["cards/nowhere/5.md:2: repo 'nowhere' is unknown; allowed: msopcom, mstt"]),
        ("cards/mstt/6.md", OTHER,
         ["cards/mstt/6.md:2: duplicate key 'mstt#5'; it stands in cards/mstt/5.md already",
          f"cards/mstt/6.md:2: key 'mstt#5' {MISPLACED}"]),
        ("cards/mstt/6.md", OTHER.replace("[msprobe, crash]", "[msprobe, crash, x]"),
         ["cards/mstt/6.md:2: duplicate key 'mstt#5'; it stands in cards/mstt/5.md already",
          f"cards/mstt/6.md:2: key 'mstt#5' {MISPLACED}",
          "cards/mstt/6.md:7: unknown value 'x' in tags; allowed: hook, msprobe, crash"]),
        *((name, OTHER, [f"{name}:1: a file of this name has no place here; see docs/card-format.md"])
          for name in ("5.md", "cards/5.md", "cards/mstt/old/5.md", "cards/mstt/5.yaml", "notes.yaml")),
        ("themes/empty.md", "", [f"themes/empty.md:1: {NO_FRONT}"]),
    ],
)  # fmt: skip
def test_a_file_too_many_is_named(path: str, text: str, expected: list[str]) -> None:
    assert report(SAMPLE | {path: text}) == expected


@pytest.mark.parametrize("name", ["about.md", "foreign.yaml", "guide.yaml", "knowledge.yaml", "tags.yaml"])
def test_a_missing_file_is_named_once(name: str) -> None:
    assert report({path: text for path, text in SAMPLE.items() if path != name}) == [f"{name}:1: the file is missing"]


def test_all_faults_of_all_files_are_found_in_one_run() -> None:
    texts = dict(SAMPLE)
    expected = []
    taken = set()
    for path, old, new, faults in FAULTS:
        if path not in taken and all(fault.startswith(f"{path}:") for fault in faults):
            taken.add(path)
            texts[path] = texts[path].replace(old, new)
            expected += faults
    texts[MSTT] = OTHER.replace("outcome: answered", "outcome: x\nmood: y").replace("维护者答复。", "\udcb0")
    expected.append(f"{MSTT}:{texts[MSTT].count(chr(10))}: the file is not UTF-8; save it as UTF-8")
    assert len(taken) >= 7
    assert report(texts) == sorted(expected, key=lambda line: (line.split(":")[0], int(line.split(":")[1]), line))


def test_several_faults_of_one_card_are_found_in_one_run() -> None:
    text = SAMPLE[CARD]
    for piece in ("fixed\nevidence", "2026-07-09", "- a3", "## 依据"):
        assert text.count(piece) == 1
        text = text.replace(piece, piece[:3] + "x" + piece[3:])
    assert [int(line.split(":")[1]) for line in report(SAMPLE | {CARD: text})] == [9, 16, 23, 39, 60]


def test_a_card_that_cannot_be_read_is_not_reported_missing_elsewhere() -> None:
    assert report(SAMPLE | {MSTT: "---\n{\n---\n"}) == [f"{MSTT}:2: broken YAML: did not find expected node content"]


def test_the_error_counts_the_faults_and_says_what_stays() -> None:
    with pytest.raises(SourceError) as caught:
        load(changed(CARD, "outcome: fixed", "outcome: x\nmood: y"))
    assert caught.value.message.split("\n")[0] == "2 faults in the sources"
    assert caught.value.hint == "mend the lines named above; the knowledge file was left as it was"


# --- files -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("data", "line"),
    [
        (OTHER.encode("gb18030"), 3),
        (OTHER.encode("utf-16"), 1),
        (OTHER.encode().replace("换版本".encode(), b"\xff\xfe"), 24),
        (OTHER.encode() + b"\xed\xa0\x80", 33),
        (OTHER.encode()[:-5], 32),
    ],
    ids=["gb18030", "utf-16", "stray bytes", "surrogate", "cut"],
)
def test_a_file_that_is_not_utf8_is_named_with_its_line(tmp_path: Path, data: bytes, line: int) -> None:
    folder = write_folder(tmp_path, SAMPLE)
    (folder / MSTT).write_bytes(data)
    assert report(read_texts(folder)) == [f"{MSTT}:{line}: the file is not UTF-8; save it as UTF-8"]


@pytest.mark.parametrize(
    "written",
    [lambda b: b"\xef\xbb\xbf" + b, lambda b: b.replace(b"\n", b"\r\n"), lambda b: b.rstrip() + b"\n\n\n"],
    ids=["BOM", "CRLF", "blank lines at the end"],
)
def test_the_way_a_file_is_written_makes_no_difference(tmp_path: Path, written: object) -> None:
    assert callable(written)
    folder = write_folder(tmp_path, SAMPLE)
    for name, text in SAMPLE.items():
        (folder / name).write_bytes(written(text.encode()))
    texts = read_texts(folder)
    assert load(texts)._replace(sources={}) == load(SAMPLE)._replace(sources={})
    assert digest(texts) == digest(SAMPLE)


def test_other_files_in_the_folder_are_left_alone(tmp_path: Path) -> None:
    folder = write_folder(tmp_path, SAMPLE | {"kb.sqlite": "x", "cards/mstt/5.md~": "x", "cards/mstt/picture.png": "x"})
    assert read_texts(folder) == SAMPLE
    assert list(read_texts(folder)) == sorted(SAMPLE)


@pytest.mark.parametrize("make", ["missing", "file"])
def test_what_is_no_folder_is_refused_by_name(tmp_path: Path, make: str) -> None:
    path = tmp_path / "sources"
    if make == "file":
        path.write_text("x", "utf-8")
    with pytest.raises(KBError) as caught:
        read_texts(path)
    assert caught.value.message == f"{path} is not a folder of knowledge sources"
    assert caught.value.hint == "name the folder that holds repos.yaml and cards/"


def test_an_empty_folder_lacks_every_file(tmp_path: Path) -> None:
    missing = ["about.md", "foreign.yaml", "guide.yaml", "knowledge.yaml", "repos.yaml", "sections.yaml", "tags.yaml"]
    found = report(read_texts(tmp_path))
    assert [line for line in found if line.endswith("the file is missing")] == [
        f"{name}:1: the file is missing" for name in missing
    ]


# --- the digest ------------------------------------------------------------------------------------------------------


def test_the_digest_names_every_text_and_every_path() -> None:
    same = dict(reversed(SAMPLE.items()))
    assert digest(same) == digest(SAMPLE)
    for name in SAMPLE:
        assert digest(SAMPLE | {name: SAMPLE[name] + "x"}) != digest(SAMPLE)
        moved = dict(SAMPLE)
        moved[name + "x"] = moved.pop(name)
        assert digest(moved) != digest(SAMPLE)


def test_the_digest_does_not_see_how_characters_are_composed() -> None:
    composed = {"a.md": "é"}
    assert digest(composed) == digest({"a.md": unicodedata.normalize("NFD", "é")})
    assert digest(composed) != digest({"a.md": "e"})


# --- whatever stands in the files ------------------------------------------------------------------------------------


def _mangled() -> SearchStrategy[tuple[str, str]]:
    """A file of the sample with a piece cut out and something put in."""

    def mangle(name: str, start: int, length: int, put: str) -> tuple[str, str]:
        text = SAMPLE[name]
        at = start % (len(text) + 1)
        return name, text[:at] + put + text[at + length :]

    noise = st.text(st.characters(codec="utf-8"), max_size=8) | st.sampled_from(
        ["---\n", "- ", "\n\n", "{", "]", '"', "&a ", "*a", "!!python/object:os.system ", "# 中文\n", "```", "\t", "\0"]
    )
    return st.builds(mangle, st.sampled_from(sorted(SAMPLE)), st.integers(0, 5000), st.integers(0, 40), noise)


@settings(max_examples=250, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
@given(_mangled())
def test_mangled_sources_are_accepted_or_reported_and_nothing_else(mangled: tuple[str, str]) -> None:
    name, text = mangled
    for line in report(SAMPLE | {name: text}):
        path, number, message = line.split(":", 2)
        assert path in SAMPLE
        assert 1 <= int(number) <= (text if path == name else SAMPLE[path]).count("\n") + 1
        assert message.strip()
