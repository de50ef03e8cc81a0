"""A small set of sources, whole and without a fault, that tests break one line at a time."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

CARD = """\
---
key: msopcom#57
title:
  zh: "单次申请超过 4G 误报越界"
  en: "Allocations above 4 GB are reported"
summary:
  zh: "返回值只有 32 位。"
  en: "The result has 32 bits only."
outcome: fixed
evidence: inferred
grounds:
  - {kind: same-author, evidence: inferred, zh: "作者对应", en: "The authors correspond"}
changes:
  - repo: Ascend/msopcom
    number: 183
    date: 2026-07-09
    state: merged
    relation: inferred
    role: fix
versions:
  fixed: ["msopcom 26.1.0"]
hardware:
  - a3
tags:
  - hook
  - crash
entities:
  api: [malloc]
related:
  - {key: mstt#5, reason: contrast, zh: "对照", en: "for contrast"}
references:
  - {kind: change, repo: cann/ops-nn, number: 7, title: {zh: "上游变更", en: "Upstream change"}}
phrasings:
  zh: ["申请大块内存后误报", "大内存误报"]
  en: ["false report above 4 GB", "large block reported"]
signatures:
  - {literals: ["out of bounds"]}
---
# 中文

## 现象

一次分配超过 4G 后报越界。

## 根因

`CeilByAlignSize` 返回 `uint32_t`。

## 修复

!183 改成模板。

## 处理步骤

1. 查看返回类型：

   ```bash
   grep -rn "CeilByAlignSize" .
   ```

## 依据

- 由作者对应推断。
"""

OTHER = """\
---
key: mstt#5
title: {zh: "比对报唯一键冲突", en: "Comparison reports a unique conflict"}
summary: {zh: "两侧 step 不齐。", en: "Steps do not match."}
outcome: answered
evidence: official
tags: [msprobe, crash]
phrasings:
  zh: ["比对失败", "唯一键冲突"]
  en: ["comparison fails", "unique conflict"]
---
# 中文

## 现象

比对失败。

## 根因

step 不齐。

## 修复

换版本。

## 处理步骤

1. 升级。

## 依据

维护者答复。
"""

SAMPLE: dict[str, str] = {
    "about.md": "# 中文\n\n来源与规则。\n\n# English\n\nSources and rules.\n",
    "cards/msopcom/57.md": CARD,
    "cards/mstt/5.md": OTHER,
    "foreign.yaml": "- {owner: cann, name: ops-nn}\n",
    "guide.yaml": """\
- id: "false-report"
  symptom: {zh: "误报", en: "false report"}
  first_action: {zh: "核对劫持面", en: "check the hooks"}
  cards: ["msopcom#57"]
""",
    "knowledge.yaml": 'version: "1.0"\nas_of: 2026-09-08\ntitle: {zh: "样例", en: "Sample"}\n',
    "repos.yaml": """\
- name: msopcom
  owner: Ascend
  abbreviation: msc
  title: {zh: "组件库", en: "Components"}
  purpose: {zh: "底座", en: "Base"}
  cards: 1
- name: mstt
  owner: Ascend
  abbreviation: mtt
  title: {zh: "工具集", en: "Tools"}
  purpose: {zh: "入口", en: "Entry"}
  cards: 1
""",
    "sections.yaml": """\
- {id: symptom, zh: 现象, en: Symptom}
- {id: cause, zh: 根因, en: Root cause}
- {id: fix, zh: 修复, en: Fix}
- {id: recipe, zh: 处理步骤, en: Recipe}
- {id: evidence, zh: 依据, en: Evidence}
""",
    "tags.yaml": """\
component:
  - {id: hook, zh: 接口劫持, en: API hooking}
  - {id: msprobe, zh: 精度比对, en: msprobe}
failure:
  - {id: crash, zh: 崩溃, en: Crash}
hardware:
  - {id: a3, zh: A3, en: Atlas A3}
""",
    "themes/hooks.md": """\
---
id: hooks
position: 1
title: {zh: "劫持面", en: "Hooks"}
summary: {zh: "先核对。", en: "Check first."}
cards:
  - msopcom#57
  - mstt#5
---
# 中文

教训。
""",
}


def changed(path: str, old: str, new: str) -> dict[str, str]:
    """Return the sample with one piece of one file replaced; the piece must stand there exactly once."""
    assert SAMPLE[path].count(old) == 1, f"{old!r} stands {SAMPLE[path].count(old)} times in {path}"
    return SAMPLE | {path: SAMPLE[path].replace(old, new)}


def write_folder(folder: Path, texts: dict[str, str]) -> Path:
    """Write source texts as files below a folder."""
    for name, text in texts.items():
        place = folder / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(text.encode())
    return folder
