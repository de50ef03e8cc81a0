"""A small knowledge that has everything once, and links over it."""

from __future__ import annotations

import pytest

from ascend_kb.core.card import (
    Card,
    Change,
    Entity,
    ForeignRepo,
    Ground,
    Reference,
    Related,
    Repo,
    SectionName,
    Tag,
    Version,
)
from ascend_kb.core.catalog import Catalog
from ascend_kb.core.keys import CardKey
from ascend_kb.core.language import Bilingual
from ascend_kb.core.links import LinkMap
from ascend_kb.core.vocabulary import (
    ChangeState,
    EntityKind,
    Evidence,
    GroundKind,
    Outcome,
    Reason,
    ReferenceKind,
    Relation,
    Role,
    SectionId,
    TagFacet,
)

TITLES = {CardKey("msopcom", 57): 'Hooks <b> "miss" & fail', CardKey("op-plugin", 40): "Kernel | pipe"}


@pytest.fixture
def catalog() -> Catalog:
    """Two repositories, two foreign ones, three tags."""
    return Catalog(
        repos=(
            Repo("msopcom", "Ascend", "msc", Bilingual("算子工具", "Operator tools"), Bilingual("用途", "Purpose"), 2),
            Repo("op-plugin", "Ascend", "opl", Bilingual("插件", "Plug-in"), Bilingual("用途", "Purpose"), 1),
        ),
        foreign=(ForeignRepo("cann", "sip"), ForeignRepo("Ascend", "pytorch")),
        section_names=(
            SectionName(SectionId.SYMPTOM, Bilingual("现象", "Symptom")),
            SectionName(SectionId.RECIPE, Bilingual("处理步骤", "Recipe")),
        ),
        tags=(
            Tag("hook", TagFacet.COMPONENT, Bilingual("接口劫持", "API hooking")),
            Tag("false-alarm", TagFacet.FAILURE, Bilingual("误报", "False alarm")),
            Tag("a2", TagFacet.HARDWARE, Bilingual("昇腾 A2", "Atlas A2")),
        ),
    )


@pytest.fixture
def links() -> LinkMap:
    """Cards msopcom#57 and op-plugin#40, the known repositories, and the own changes 183 and 22."""
    return LinkMap(
        names={"msc": "msopcom", "msopcom": "msopcom", "opl": "op-plugin", "op-plugin": "op-plugin"},
        owners={
            "ascend/msopcom": "Ascend/msopcom",
            "msopcom": "Ascend/msopcom",
            "ascend/op-plugin": "Ascend/op-plugin",
            "op-plugin": "Ascend/op-plugin",
            "cann/sip": "cann/sip",
            "sip": "cann/sip",
        },
        has_card=TITLES.__contains__,
        title=lambda key: TITLES.get(key, ""),
        changes={183: "https://gitcode.com/Ascend/msopcom/pull/183", 22: "https://gitcode.com/Ascend/msopcom/pull/22"},
    )


RECIPE_ZH = """1. 看日志，见 msc#57。

   ```bash
   grep -n 'a|b' log.txt \\
     | head
   ```

2. 打开 `a<b>`：

   ```python
   print("no command")
   ```

3. 再运行：

   ```console
   # whoami
   root
   ```
"""
COMMANDS_ZH = "grep -n 'a|b' log.txt \\\n  | head\nwhoami\n"


@pytest.fixture
def card() -> Card:
    """A card with a value in every field, each of them unmistakable."""
    return Card(
        key=CardKey("msopcom", 57),
        owner="Ascend",
        title=Bilingual("标题 <甲> & *乙*", "Title <A> & *B*"),
        summary=Bilingual("摘要一句", "One sentence summary"),
        outcome=Outcome.WORKAROUND,
        evidence=Evidence.INFERRED,
        sections={
            "zh": {SectionId.SYMPTOM: "症状正文", SectionId.CAUSE: "原因正文", SectionId.FIX: "修复正文 !183",
                   SectionId.RECIPE: RECIPE_ZH, SectionId.EVIDENCE: "依据正文"},
            "en": {},
        },
        grounds=(
            Ground(GroundKind.REPORTER_TEST, Evidence.OFFICIAL, Bilingual("报告者说好了", "The reporter said so")),
            Ground(GroundKind.TIMING, Evidence.INFERRED, Bilingual("时间很近", "The dates are close")),
        ),
        changes=(
            Change("Ascend/msopcom", 183, ChangeState.MERGED, Relation.EXPLICIT, Role.FIX, "br_release_MindStudio",
                   "2026-03-04", title="fix a|b"),
            Change("cann/sip", 9, ChangeState.OPEN, Relation.OFFICIAL, Role.UPSTREAM),
            Change("Ascend/msopcom", 22, ChangeState.CLOSED, Relation.INFERRED, Role.SUPERSEDED, "master",
                   "2025-01-02", date_derived=True),
        ),
        affected=(Version("CANN", "8.3.RC2"), Version("MindStudio", "26.0.0")),
        fixed=(Version("CANN", "8.5.0"),),
        hardware=("a2",),
        tags=("hook", "false-alarm"),
        entities=(Entity(EntityKind.API, "aclrtMalloc_Host"), Entity(EntityKind.CODE, "E`1`")),
        related=(Related(CardKey("op-plugin", 40), Reason.CONTRAST, Bilingual("正好相反", "The very opposite")),),
        references=(
            Reference(ReferenceKind.ISSUE, Bilingual("上游的问题", "Issue upstream"), "cann/sip", 31),
            Reference(ReferenceKind.CHANGE, Bilingual("上游的变更", "Change upstream"), "cann/sip", 32),
            Reference(ReferenceKind.DOCUMENT, Bilingual("手册第三章", "Manual, chapter 3")),
        ),
        phrasings={"zh": ("为什么*漏报*",), "en": ("why does it miss", "hook misses calls")},
        signatures=(("ERROR", "hook"),),
    )  # fmt: skip
