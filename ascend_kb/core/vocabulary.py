"""The closed sets of values that cards use, with their labels in both languages."""

from __future__ import annotations

from enum import Enum

from ascend_kb.core.language import Bilingual


class Outcome(str, Enum):
    """How an issue ended."""

    FIXED = "fixed"
    FIXED_UPSTREAM = "fixed-upstream"
    DOCS_CORRECTED = "docs-corrected"
    BY_DESIGN = "by-design"
    UNSUPPORTED = "unsupported"
    PLANNED = "planned"
    WORKAROUND = "workaround"
    KNOWN_DEFECT = "known-defect"
    OUT_OF_SCOPE = "out-of-scope"
    ANSWERED = "answered"


class Evidence(str, Enum):
    """How well a claim is backed, best first."""

    EXPLICIT = "explicit"
    OFFICIAL = "official"
    INFERRED = "inferred"
    UNVERIFIED = "unverified"


class GroundKind(str, Enum):
    """Why a claim is believed."""

    EXPLICIT_REFERENCE = "explicit-reference"
    MAINTAINER_STATEMENT = "maintainer-statement"
    TITLE_MATCH = "title-match"
    TEXT_MATCH = "text-match"
    CAUSE_MATCH = "cause-match"
    SAME_AUTHOR = "same-author"
    TIMING = "timing"
    REPORTER_TEST = "reporter-test"
    DOCUMENTATION = "documentation"
    SOURCE_NOTE = "source-note"
    NONE_FOUND = "none-found"


class ChangeState(str, Enum):
    """What became of a change (pull request)."""

    MERGED = "merged"
    CLOSED = "closed"
    OPEN = "open"
    UNKNOWN = "unknown"


class Relation(str, Enum):
    """How a change is tied to its card."""

    EXPLICIT = "explicit"
    OFFICIAL = "official"
    INFERRED = "inferred"


class Role(str, Enum):
    """What a change does for its card."""

    FIX = "fix"
    BACKPORT = "backport"
    DOCS = "docs"
    FOLLOW_UP = "follow-up"
    SUPERSEDED = "superseded"
    UPSTREAM = "upstream"


class Reason(str, Enum):
    """Why two cards are related."""

    SAME_CAUSE = "same-cause"
    SAME_OPERATOR = "same-operator"
    SAME_API = "same-api"
    SAME_CHANGE = "same-change"
    SAME_COMPONENT = "same-component"
    SAME_LESSON = "same-lesson"
    FOLLOW_UP = "follow-up"
    CONTRAST = "contrast"


class EntityKind(str, Enum):
    """What kind of thing an entity is."""

    API = "api"
    OPERATOR = "operator"
    FILE = "file"
    OPTION = "option"
    CODE = "code"
    PRODUCT = "product"
    TERM = "term"


class ReferenceKind(str, Enum):
    """What kind of outside source a reference names."""

    ISSUE = "issue"
    CHANGE = "change"
    DOCUMENT = "document"


class TagFacet(str, Enum):
    """The facet a tag belongs to."""

    COMPONENT = "component"
    FAILURE = "failure"
    HARDWARE = "hardware"


class SectionId(str, Enum):
    """The parts of a card's body, in order."""

    SYMPTOM = "symptom"
    CAUSE = "cause"
    FIX = "fix"
    RECIPE = "recipe"
    EVIDENCE = "evidence"


# Members of two sets may have the same value, and then they are equal: the type belongs to the key.
_LABELS: dict[tuple[type[Enum], Enum], Bilingual] = {
    (type(member), member): label
    for member, label in (
        (Outcome.FIXED, Bilingual("已修复", "Fixed")),
        (Outcome.FIXED_UPSTREAM, Bilingual("上游已修复", "Fixed upstream")),
        (Outcome.DOCS_CORRECTED, Bilingual("文档已更正", "Docs corrected")),
        (Outcome.BY_DESIGN, Bilingual("设计如此", "By design")),
        (Outcome.UNSUPPORTED, Bilingual("不支持", "Unsupported")),
        (Outcome.PLANNED, Bilingual("开发中", "Planned")),
        (Outcome.WORKAROUND, Bilingual("可规避", "Workaround")),
        (Outcome.KNOWN_DEFECT, Bilingual("已知缺陷", "Known defect")),
        (Outcome.OUT_OF_SCOPE, Bilingual("不归本仓", "Out of scope")),
        (Outcome.ANSWERED, Bilingual("已答复", "Answered")),
        (Evidence.EXPLICIT, Bilingual("显式关联", "Explicit")),
        (Evidence.OFFICIAL, Bilingual("官方答复", "Official")),
        (Evidence.INFERRED, Bilingual("推断", "Inferred")),
        (Evidence.UNVERIFIED, Bilingual("未核实", "Unverified")),
        (GroundKind.EXPLICIT_REFERENCE, Bilingual("变更引用本条", "Change cites the issue")),
        (GroundKind.MAINTAINER_STATEMENT, Bilingual("维护者说明", "Maintainer's statement")),
        (GroundKind.TITLE_MATCH, Bilingual("标题对应", "Titles agree")),
        (GroundKind.TEXT_MATCH, Bilingual("正文对应", "Texts agree")),
        (GroundKind.CAUSE_MATCH, Bilingual("根因对应", "Same root cause")),
        (GroundKind.SAME_AUTHOR, Bilingual("作者相同", "Same author")),
        (GroundKind.TIMING, Bilingual("时间吻合", "Timing agrees")),
        (GroundKind.REPORTER_TEST, Bilingual("报告者实测", "Tested by the reporter")),
        (GroundKind.DOCUMENTATION, Bilingual("文档佐证", "Corroborated by documentation")),
        (GroundKind.SOURCE_NOTE, Bilingual("来源说明", "Stated by the source")),
        (GroundKind.NONE_FOUND, Bilingual("未找到依据", "Nothing found")),
        (ChangeState.MERGED, Bilingual("已合并", "merged")),
        (ChangeState.CLOSED, Bilingual("已关闭未合并", "closed unmerged")),
        (ChangeState.OPEN, Bilingual("未合并", "open")),
        (ChangeState.UNKNOWN, Bilingual("状态未知", "state unknown")),
        (Relation.EXPLICIT, Bilingual("显式关联", "explicit")),
        (Relation.OFFICIAL, Bilingual("官方指明", "official")),
        (Relation.INFERRED, Bilingual("推断关联", "inferred")),
        (Role.FIX, Bilingual("修复", "fix")),
        (Role.BACKPORT, Bilingual("分支同步", "backport")),
        (Role.DOCS, Bilingual("文档", "docs")),
        (Role.FOLLOW_UP, Bilingual("后续", "follow-up")),
        (Role.SUPERSEDED, Bilingual("被取代", "superseded")),
        (Role.UPSTREAM, Bilingual("上游", "upstream")),
        (Reason.SAME_CAUSE, Bilingual("同一根因", "same root cause")),
        (Reason.SAME_OPERATOR, Bilingual("同一算子", "same operator")),
        (Reason.SAME_API, Bilingual("同一接口", "same API")),
        (Reason.SAME_CHANGE, Bilingual("同一变更", "same change")),
        (Reason.SAME_COMPONENT, Bilingual("同一组件", "same component")),
        (Reason.SAME_LESSON, Bilingual("同一教训", "same lesson")),
        (Reason.FOLLOW_UP, Bilingual("后续", "follow-up")),
        (Reason.CONTRAST, Bilingual("对照", "contrast")),
    )
}


def label(member: Enum) -> Bilingual:
    """Return what a member of a set is called."""
    return _LABELS[type(member), member]


def allowed(values: type[Enum]) -> str:
    """Return the values of a set as they are listed in messages: ``a, b, c``."""
    return ", ".join(str(v.value) for v in values)
