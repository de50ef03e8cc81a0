"""JSON output against docs/schema: what is printed is valid, and the schemas do refuse what is not."""

from __future__ import annotations

import copy
import json
from typing import TYPE_CHECKING, Any

import pytest
from jsonschema import Draft202012Validator

from ascend_kb.core import vocabulary as v
from ascend_kb.core.diagnosis import Band
from ascend_kb.core.facts import FactKind
from ascend_kb.core.query import Match
from tests.cli.calling import ROOT, call

if TYPE_CHECKING:
    from pathlib import Path

SCHEMAS = {path.stem: json.loads(path.read_text("utf-8")) for path in sorted((ROOT / "docs" / "schema").glob("*.json"))}
SAMPLES = ROOT / "tests" / "data"
OUTPUT = {
    "search": ["search", "内存"],
    "show": ["show", "msc#57"],
    "repos": ["repos"],
    "guide": ["guide"],
    "themes": ["themes"],
    "check": ["check"],
    "diagnose": ["diagnose", str(SAMPLES / "sample.log")],
    "evaluate": ["evaluate", str(SAMPLES / "exam.jsonl")],
}
WITHOUT_LANGUAGE = ("check", "evaluate")


def validator(name: str) -> Draft202012Validator:
    """Return the validator of a command's output."""
    return Draft202012Validator(SCHEMAS[name])


def faults(name: str, value: Any) -> list[str]:
    """Return what a schema has against a value."""
    return [f"{error.json_path}: {error.message}" for error in validator(name).iter_errors(value)]


def every_key() -> list[str]:
    """Return the keys of all cards."""
    keys: list[str] = []
    for repo in call("repos", "--format", "json").json:
        keys += call("search", "--repo", repo["name"], "--limit", "0", "--format", "json").keys
    return keys


def test_there_is_one_schema_for_each_command_that_prints_json() -> None:
    assert set(SCHEMAS) == set(OUTPUT)


@pytest.mark.parametrize("name", OUTPUT)
def test_a_schema_is_a_valid_schema_of_the_draft_that_it_names(name: str) -> None:
    Draft202012Validator.check_schema(SCHEMAS[name])
    assert SCHEMAS[name]["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    assert SCHEMAS[name]["title"].startswith(f"ascend-kb {name}")


@pytest.mark.parametrize("language", ["zh", "en"])
@pytest.mark.parametrize("name", OUTPUT)
def test_output_is_valid(name: str, language: str) -> None:
    arguments = OUTPUT[name] if name in WITHOUT_LANGUAGE else [*OUTPUT[name], "--lang", language]
    assert faults(name, call(*arguments, "--format", "json").json) == []


@pytest.mark.parametrize("language", ["zh", "en"])
def test_every_card_is_valid(language: str) -> None:
    keys = every_key()
    assert len(keys) == 50
    for key in keys:
        assert faults("show", call("show", key, "--format", "json", "--lang", language).json) == [], key


@pytest.mark.parametrize(
    "arguments",
    [
        ["--repo", "msc", "--limit", "0"],
        ["qzjxqzjx"],
        ["误报 zzqxj"],
        ["CeilByAlignSize zzqxj wwvkq"],
        ["--", "-x"],
        ["--limit", "0", "aclnn", "的"],
    ],
    ids=" ".join,
)
def test_found_rows_are_valid_whether_they_answer_or_not(arguments: list[str]) -> None:
    assert faults("search", call("search", "--format", "json", *arguments).json) == []


def test_problems_of_a_damaged_file_are_valid(damaged: Path) -> None:
    made = call("check", str(damaged), "--format", "json").json
    assert made["ok"] is False
    assert faults("check", made) == []


def _objects(value: Any) -> list[dict[str, Any]]:
    if isinstance(value, dict):
        return [value, *(x for inner in value.values() for x in _objects(inner))]
    return [x for inner in value for x in _objects(inner)] if isinstance(value, list) else []


@pytest.mark.parametrize("name", OUTPUT)
def test_output_without_one_of_its_fields_is_refused(name: str) -> None:
    made = call(*OUTPUT[name], "--format", "json").json
    first = made[0] if isinstance(made, list) else made
    for field in first:
        broken = copy.deepcopy(made)
        del (broken[0] if isinstance(broken, list) else broken)[field]
        assert faults(name, broken), field


@pytest.mark.parametrize("name", OUTPUT)
def test_output_of_another_kind_is_refused(name: str) -> None:
    made = call(*OUTPUT[name], "--format", "json").json
    for field in _objects(made)[0]:
        broken = copy.deepcopy(made)
        _objects(broken)[0][field] = 1.5 if field != "score" else "1.5"
        assert faults(name, broken), field
    others: list[Any] = [None, "text", 1, {"error": "x"}, [1], [[]]]
    for other in others:
        assert faults(name, other), other


@pytest.mark.parametrize("name", OUTPUT)
def test_more_fields_are_allowed(name: str) -> None:
    made = call(*OUTPUT[name], "--format", "json").json
    _objects(made)[0]["later"] = {"any": "thing"}
    assert faults(name, made) == []


def test_a_check_that_is_ok_has_no_problems_and_the_other_way_round() -> None:
    problem = {"where": "pages", "what": "torn"}
    assert faults("check", {"ok": True, "problems": []}) == faults("check", {"ok": False, "problems": [problem]}) == []
    assert faults("check", {"ok": True, "problems": [problem]})
    assert faults("check", {"ok": False, "problems": []})


def _values(kind: type[Any]) -> list[str]:
    return [member.value for member in kind]


@pytest.mark.parametrize("language", ["zh", "en"])
def test_a_log_that_no_card_explains_is_valid(tmp_path: Path, language: str) -> None:
    log = tmp_path / "log"
    log.write_text(
        "[ERROR] call aclnnLayerNorm failed, ret 507035\nuser=zhang dtype DT_DOUBLE is not in the list\n", "utf-8"
    )
    made = call("diagnose", str(log), "--format", "json", "--lang", language).json
    assert made["band"] in ("related", "none")
    assert made["draft"]
    assert faults("diagnose", made) == []


def test_schemas_name_the_values_of_the_diagnosis() -> None:
    diagnose = SCHEMAS["diagnose"]["properties"]
    assert diagnose["band"]["enum"] == _values(Band)
    assert diagnose["matches"]["items"]["properties"]["band"]["enum"] == _values(Band)[:-1]
    assert diagnose["facts"]["items"]["properties"]["kind"]["enum"] == _values(FactKind)


def test_schemas_name_the_values_of_the_vocabulary() -> None:
    show, search = SCHEMAS["show"]["properties"], SCHEMAS["search"]["items"]["properties"]
    assert show["outcome"]["enum"] == search["outcome"]["enum"] == _values(v.Outcome)
    assert SCHEMAS["show"]["$defs"]["evidence"]["enum"] == search["evidence"]["enum"] == _values(v.Evidence)
    assert search["match"]["enum"] == _values(Match)
    change = show["changes"]["items"]["properties"]
    assert change["state"]["enum"] == _values(v.ChangeState)
    assert change["relation"]["enum"] == _values(v.Relation)
    assert change["role"]["enum"] == _values(v.Role)
    assert show["grounds"]["items"]["properties"]["kind"]["enum"] == _values(v.GroundKind)
    assert show["entities"]["items"]["properties"]["kind"]["enum"] == _values(v.EntityKind)
    assert show["related"]["items"]["properties"]["reason"]["enum"] == _values(v.Reason)
    assert show["references"]["items"]["properties"]["kind"]["enum"] == _values(v.ReferenceKind)
    assert list(show["sections"]["properties"]) == show["sections"]["required"] == _values(v.SectionId)
