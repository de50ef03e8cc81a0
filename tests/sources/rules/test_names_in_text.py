"""Entities, tags, versions and people in prose."""

from __future__ import annotations

import pytest

from ascend_kb.core.card import Tag
from ascend_kb.core.language import Bilingual
from ascend_kb.core.vocabulary import EntityKind, TagFacet
from ascend_kb.sources.rules.entities import MOST_ENTITIES, read_entities, read_tags
from ascend_kb.sources.rules.people import without_names
from ascend_kb.sources.rules.versions import read_versions
from tests.pace import loops


@pytest.mark.parametrize(
    ("text", "kind", "name"),
    [
        ("劫持aclrtMallocHost后", EntityKind.API, "aclrtMallocHost"),
        ("走npu_quant_matmul报错", EntityKind.API, "npu_quant_matmul"),
        ("用torch.compile时", EntityKind.API, "torch.compile"),
        ("见tools/msopst/compare_data.py:127行", EntityKind.FILE, "tools/msopst/compare_data.py"),
        ("设ASCEND_RT_VISIBLE_DEVICES后", EntityKind.OPTION, "ASCEND_RT_VISIBLE_DEVICES"),
        ("加--no-check选项", EntityKind.OPTION, "--no-check"),
        ("失败ret 107001", EntityKind.CODE, "107001"),
        ("遇错误码2326打印", EntityKind.CODE, "2326"),
        ("EZ9999内部错误", EntityKind.CODE, "EZ9999"),
        ("算子QuantScatter越界", EntityKind.OPERATOR, "QuantScatter"),
        ("用msprobe比对", EntityKind.PRODUCT, "msprobe"),
        ("参数swiglu_mode限死", EntityKind.TERM, "swiglu_mode"),
    ],
)
def test_entities(text: str, kind: EntityKind, name: str) -> None:
    assert (kind, name) in read_entities(text)


def test_entities_stand_once_and_are_bounded() -> None:
    assert len(read_entities("a_b a_b A_B")) == 1
    assert (
        len(read_entities(" ".join(f"name_{chr(97 + n % 26)}{chr(97 + n // 26)}" for n in range(200)))) == MOST_ENTITIES
    )


def test_tags_are_found_by_their_labels_in_both_languages() -> None:
    tags = (
        Tag("oob", TagFacet.FAILURE, Bilingual("越界", "Out of bounds")),
        Tag("fft", TagFacet.COMPONENT, Bilingual("FFT", "FFT")),
        Tag("A3", TagFacet.HARDWARE, Bilingual("A3（910C）", "A3 (910C)")),
    )
    assert read_tags("A3上FFT越界", tags) == (("oob", "fft"), ("A3",))
    assert read_tags("offtrack out of bounds PA3", tags) == (("oob",), ())
    assert read_tags("x", ()) == ((), ())


@pytest.mark.parametrize(
    ("title", "answer", "affected", "fixed"),
    [
        ("CANN 8.3.RC2上报异常", "已在CANN 9.0修复", ["CANN 8.3.RC2"], ["CANN 9.0"]),
        ("报错", "实测CANN 9.0.0+torch_npu 2.9.0.post1可用", [], ["CANN 9.0.0", "torch_npu 2.9.0.post1"]),
        ("报错", "!188为26.1.0同步", [], ["paper 26.1.0"]),
        ("26.1.0/master资料有误", "改", ["paper 26.1.0"], []),
        ("报错", "9.2.0 CANN包已去除接口", ["CANN 9.2.0"], []),
        ("报错", "装mindstudio_opst-26.1.0 whl回归通过", [], ["mindstudio_opst 26.1.0"]),
        ("报错", "误差0.1，约1.6x，第2.5节，Python 3.11", [], []),
    ],
)
def test_versions(title: str, answer: str, affected: list[str], fixed: list[str]) -> None:
    made = read_versions(title, answer, "paper")
    assert ([str(v) for v in made[0]], [str(v) for v in made[1]]) == (affected, fixed)


@pytest.mark.parametrize(
    ("text", "made"),
    [
        ("请 @some-one 看", "请 用户 看"),
        ("@the-author 已回复 @keeper", "提问者 已回复 维护者"),
        ("写信到 a@b.example", "写信到 a@b.example"),
        ("`@name` 与\n```\n@name\n```", "`@name` 与\n```\n@name\n```"),
        ("@torch.jit 与 @property 与 @f(x)", "@torch.jit 与 @property 与 @f(x)"),
        ("@cache\ndef f():", "@cache\ndef f():"),
        ("@scope/package", "@scope/package"),
    ],
)
def test_account_names_become_roles(text: str, made: str) -> None:
    assert without_names(text, "zh", {"the-author": "reporter", "keeper": "maintainer"}) == made


def test_roles_have_english_names() -> None:
    assert without_names("ask @keeper", "en", {"keeper": "maintainer"}) == "ask a maintainer"


@pytest.mark.parametrize(
    "piece",
    [
        "a_",
        "A",
        "aA",
        "a/",
        "a.",
        "@",
        "@a",
        "`",
        "```",
        "1.",
        "CANN ",
        "CANN-1.",
        "--",
        "ret ",
        "~",
        "+",
        "a-",
        "@a\n",
    ],
)
def test_time_grows_with_the_length(piece: str) -> None:
    def spent(count: int) -> float:
        text = piece * count
        return loops(lambda: (read_entities(text), read_versions("", text, ""), without_names(text, "zh")))

    assert spent(16_000) < 10 * spent(4_000) + 2
