"""Single faults of sources, each with the whole report that it must give."""

from __future__ import annotations

from ascend_kb.sources.load import load
from ascend_kb.sources.problems import SourceError
from tests.sources.sample import SAMPLE

CARD = "cards/msopcom/57.md"
MSTT = "cards/mstt/5.md"
THEME = "themes/hooks.md"
FIELDS = (
    "key, title, summary, outcome, evidence, tags, phrasings, grounds, changes, versions, hardware, entities, related, "
    "references, signatures"
)
OUTCOMES = (
    "fixed, fixed-upstream, docs-corrected, by-design, unsupported, planned, workaround, known-defect, out-of-scope, "
    "answered"
)
GROUND_KINDS = (
    "explicit-reference, maintainer-statement, title-match, text-match, cause-match, same-author, timing, "
    "reporter-test, documentation, source-note, none-found"
)
REASONS = "same-cause, same-operator, same-api, same-change, same-component, same-lesson, follow-up, contrast"
MISPLACED = "does not agree with the file's place; this file is for another card or misplaced"
NO_FRONT = "the file must begin with YAML front matter between two lines '---'"
QUOTE = "must be a text; put numbers, yes/no and signs such as ! in double quotes"
GROUNDS = 'grounds:\n  - {kind: same-author, evidence: inferred, zh: "作者对应", en: "The authors correspond"}\n'
# Path, what stands there, what is put instead, and the whole report.
FAULTS: list[tuple[str, str, str, list[str]]] = [
    # closed sets
    (CARD, "outcome: fixed", "outcome: mended", [f"{CARD}:9: outcome 'mended' is unknown; allowed: {OUTCOMES}"]),
    (CARD, "evidence: inferred\ngrounds", "evidence: sure\ngrounds",
     [f"{CARD}:10: evidence 'sure' is unknown; allowed: explicit, official, inferred, unverified"]),
    (CARD, "kind: same-author", "kind: hearsay",
     [f"{CARD}:12: kind 'hearsay' is unknown; allowed: {GROUND_KINDS}"]),
    (CARD, "state: merged", "state: gone",
     [f"{CARD}:17: state 'gone' is unknown; allowed: merged, closed, open, unknown"]),
    (CARD, "relation: inferred", "relation: guessed",
     [f"{CARD}:18: relation 'guessed' is unknown; allowed: explicit, official, inferred"]),
    (CARD, "role: fix", "role: hero",
     [f"{CARD}:19: role 'hero' is unknown; allowed: fix, backport, docs, follow-up, superseded, upstream"]),
    (CARD, "reason: contrast", "reason: mood",
     [f"{CARD}:30: reason 'mood' is unknown; allowed: {REASONS}"]),
    (CARD, "kind: change", "kind: rumour",
     [f"{CARD}:32: kind 'rumour' is unknown; allowed: issue, change, document"]),
    (CARD, "- hook\n", "- hook\n  - hooks\n",
     [f"{CARD}:26: unknown value 'hooks' in tags; allowed: hook, msprobe, crash"]),
    (CARD, "- hook\n", "- hook\n  - a3\n",
     [f"{CARD}:26: unknown value 'a3' in tags; allowed: hook, msprobe, crash"]),
    (CARD, "- a3\n", "- a9\n", [f"{CARD}:23: unknown value 'a9' in hardware; allowed: a3"]),
    (CARD, "  - crash\n", "", [f"{CARD}:24: tags name no failure; at least one is needed (see tags.yaml)"]),
    (CARD, "  - hook\n", "", [f"{CARD}:24: tags name no component; at least one is needed (see tags.yaml)"]),
    # references
    (CARD, "key: mstt#5", "key: mstt#50", [f"{CARD}:30: there is no card 'mstt#50'"]),
    (CARD, "key: mstt#5", "key: msopcom#5", [f"{CARD}:30: there is no card 'msopcom#5'"]),
    (CARD, "key: mstt#5", "key: msopcom#57", [f"{CARD}:30: msopcom#57 is related to itself"]),
    (CARD, "key: mstt#5", "key: mstt",
     [f"{CARD}:30: 'mstt' is not a card key; a key is repo#number, for example msopcom#57 or msc#57"]),
    (THEME, "- mstt#5", "- mstt#50", [f"{THEME}:8: there is no card 'mstt#50'"]),
    ("guide.yaml", '"msopcom#57"', '"msopcom#57", "msc#57"', ["guide.yaml:4: there is no card 'msc#57'"]),
    # keys and places
    (CARD, "key: msopcom#57", "key: msopcom57",
     [f"{CARD}:2: 'msopcom57' is not a card key; a key is repo#number, for example msopcom#57 or msc#57"]),
    (MSTT, "key: mstt#5", "key: mstt#6",
     [f"{CARD}:30: there is no card 'mstt#5'",
      f"{MSTT}:2: key 'mstt#6' {MISPLACED}",
      f"{THEME}:8: there is no card 'mstt#5'"]),
    (THEME, "id: hooks", "id: hook", [f"{THEME}:2: theme id 'hook' does not agree with the file's name"]),
    ("repos.yaml", "- name: mstt", "- name: msgt",
     [f"{MSTT}:2: repo 'mstt' is unknown; allowed: msopcom, msgt",
      "repos.yaml:7: msgt declares 1 cards, but 0 are here"]),
    ("repos.yaml", '"Entry"}\n  cards: 1', '"Entry"}\n  cards: 2',
     ["repos.yaml:7: mstt declares 2 cards, but 1 are here"]),
    ("repos.yaml", "abbreviation: mtt", "abbreviation: MSC", ["repos.yaml:3: 'msc' stands 2 times; it must be unique"]),
    ("tags.yaml", "  - {id: crash", "  - {id: hook, zh: 甲, en: B}\n  - {id: crash",
     ["tags.yaml:2: 'hook' stands 2 times; it must be unique"]),
    ("tags.yaml", "zh: 精度比对", "zh: 崩溃", ["tags.yaml:5: label '崩溃' names two tags: msprobe and crash"]),
    ("sections.yaml", "en: Fix}\n", "en: Fix}\n- {id: fix, zh: 改法, en: Mend}\n",
     ["sections.yaml:3: 'fix' stands 2 times; it must be unique"]),
    # sections
    (CARD, "## 修复\n", "## 修正\n",
     [f"{CARD}:39: section '修复' is missing below '# 中文'",
      f"{CARD}:48: unknown section '修正'; allowed: 现象, 根因, 修复, 处理步骤, 依据"]),
    (CARD, "## 修复\n\n!183 改成模板。\n\n", "", [f"{CARD}:39: section '修复' is missing below '# 中文'"]),
    (CARD, "!183 改成模板。\n", "", [f"{CARD}:48: section '修复' is empty"]),
    (CARD, "## 依据\n", "## 依据\n\n无\n\n## 现象\n", [f"{CARD}:64: section '现象' stands twice"]),
    (CARD, "# 中文\n", "# 中国\n",
     [f"{CARD}:39: the part '# 中文' is missing", f"{CARD}:39: unknown heading '# 中国'; allowed: # 中文, # English"]),
    (CARD, "# 中文\n", "题外话\n\n# 中文\n", [f"{CARD}:39: text stands above the heading '# 中文'"]),
    (CARD, "# 中文\n", "# 中文\n\n题外话\n", [f"{CARD}:39: text stands between '# 中文' and the first section"]),
    ("about.md", "# English\n", "# 中文\n", ["about.md:5: heading '# 中文' stands twice"]),
    # YAML
    (CARD, 'zh: "返回值', 'zh: "返回"值', [f"{CARD}:7: broken YAML: did not find expected key"]),
    ("repos.yaml", "- name: mstt", "  - name: mstt", ["repos.yaml:7: broken YAML: did not find expected key"]),
    (CARD, "outcome: fixed\n", "outcome: fixed\noutcome: planned\n",
     [f"{CARD}:10: field 'outcome' stands twice in the front matter"]),
    (CARD, "outcome: fixed\n", "outcome: fixed\nmood: good\n",
     [f"{CARD}:10: unknown field 'mood' in the front matter; allowed: {FIELDS}"]),
    (CARD, "outcome: fixed\n", "", [f"{CARD}:2: the front matter lacks the field 'outcome'"]),
    (CARD, "    state: merged\n", "", [f"{CARD}:14: changes lacks the field 'state'"]),
    (CARD, '\n  en: "The result has 32 bits only."', "", [f"{CARD}:7: summary lacks the field 'en'"]),
    (CARD, '"The result has 32 bits only."', '" "', [f"{CARD}:8: en must not be empty"]),
    (CARD, '["msopcom 26.1.0"]', "[26.1]", [f"{CARD}:21: fixed {QUOTE}"]),
    (CARD, '["msopcom 26.1.0"]', '["26.1.0"]',
     [f"{CARD}:21: fixed must be 'Product version', for example 'CANN 8.3.RC2'"]),
    (CARD, '"返回值只有 32 位。"', "!183 已修复", [f"{CARD}:7: zh {QUOTE}"]),
    (CARD, '"返回值只有 32 位。"', "yes", [f"{CARD}:7: zh {QUOTE}"]),
    (CARD, '"返回值只有 32 位。"', "# 注释", [f"{CARD}:7: zh {QUOTE}"]),
    (CARD, "number: 183", "number: 0", [f"{CARD}:15: number must be a whole number from 1 up, not '0'"]),
    (CARD, "number: 183", "number: 18.3", [f"{CARD}:15: number must be a whole number from 1 up, not '18.3'"]),
    (CARD, "2026-07-09", "2026-02-30", [f"{CARD}:16: date '2026-02-30' is no date; allowed: YYYY-MM-DD"]),
    (CARD, "2026-07-09", "07-09", [f"{CARD}:16: date '07-09' is no date; allowed: YYYY-MM-DD"]),
    (CARD, "2026-07-09", "２０２６-07-09", [f"{CARD}:16: date '２０２６-07-09' is no date; allowed: YYYY-MM-DD"]),
    (CARD, "date: 2026-07-09", "date_derived: true", [f"{CARD}:16: date_derived needs a date"]),
    ("knowledge.yaml", "2026-09-08", "today", ["knowledge.yaml:2: as_of 'today' is no date; allowed: YYYY-MM-DD"]),
    ("knowledge.yaml", '"1.0"', "1.0", [f"knowledge.yaml:1: version {QUOTE}"]),
    (CARD, "repo: Ascend/msopcom", "repo: msopcom", [f"{CARD}:14: repo 'msopcom' must be owner/name"]),
    (CARD, "repo: cann/ops-nn, ", "", [f"{CARD}:32: a reference of kind change needs repo and number"]),
    (CARD, ', "大内存误报"', "", [f"{CARD}:34: phrasings in zh: 1 given; 2 to 40 are needed"]),
    (CARD, '"大内存误报"', ", ".join(f'"{i}"' for i in range(40)),
     [f"{CARD}:34: phrasings in zh: 41 given; 2 to 40 are needed"]),
    (CARD, '{literals: ["out of bounds"]}', "x", [f"{CARD}:37: signatures must be a mapping with the fields literals"]),
    (CARD, "  - hook\n  - crash\n", "  hook\n",
     [f"{CARD}:24: tags name no component; at least one is needed (see tags.yaml)",
      f"{CARD}:24: tags name no failure; at least one is needed (see tags.yaml)", f"{CARD}:25: tags must be a list"]),
    (CARD, GROUNDS, "", [f"{CARD}:10: evidence 'inferred' needs at least one entry in grounds"]),
    (CARD, "# 中文\n", "",
     [f"{CARD}:39: text stands above the heading '# 中文'", f"{CARD}:39: the part '# 中文' is missing"]),
    ("about.md", SAMPLE["about.md"], "", ["about.md:1: the part '# 中文' is missing"]),
    (CARD, "---\n# 中文", "# 中文", [f"{CARD}:1: {NO_FRONT}"]),
    # a fault in a file that others look things up in is not repeated for each of them
    ("repos.yaml", SAMPLE["repos.yaml"], "[]\n", ["repos.yaml:1: the file has no entry"]),
    ("tags.yaml", SAMPLE["tags.yaml"], "- x\n",
     ["tags.yaml:1: tags.yaml must be a mapping with the fields component, failure, hardware"]),
    ("sections.yaml", SAMPLE["sections.yaml"], "[]\n",
     ["sections.yaml:1: sections without a name: symptom, cause, fix, recipe, evidence; all are needed"]),
]  # fmt: skip


def report(texts: dict[str, str]) -> list[str]:
    """Return what is wrong with a set of sources."""
    try:
        load(texts)
    except SourceError as error:
        return list(map(str, error.problems))
    return []
