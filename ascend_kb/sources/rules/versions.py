"""Versions of products that a text names, and whether they are affected or have the fix."""

from __future__ import annotations

import re

from ascend_kb.core.card import Version

_NUMBER = r"[0-9]{1,4}(?:\.[0-9A-Za-z]{1,12}){1,4}(?:\+[0-9A-Za-z]{1,20})?"
_PRODUCTS = (
    "CANN|torch_npu|torch-npu|PyTorch|MindSpore|MindIE|vLLM-Ascend|vLLM|Triton-Ascend|Triton|driver|firmware|Python|HDK"
)
_VERSION = re.compile(
    rf"(?<![\w./-])(?P<product>{_PRODUCTS}|[A-Za-z][\w]{{1,40}}(?=-[0-9]))"
    rf"(?:[ ]?版本)?[ :=-]{{0,2}}v?(?P<number>{_NUMBER})(?![\w])"
    rf"|(?<![\w.+-])(?P<before>{_NUMBER})[ ](?P<of>{_PRODUCTS})(?![\w])"
    rf"|(?<![\w.+/-])(?P<branch>[0-9]{{1,3}}\.[0-9]{{1,3}}\.[0-9]{{1,3}})(?=(?:分支|同步|[ ]branch|/master|[)）]))",
    re.ASCII | re.IGNORECASE,
)
_NAMES = {name.lower(): name for name in _PRODUCTS.split("|")} | {"torch-npu": "torch_npu"}
_FIX_AFTER = re.compile(r"[^。；;]{0,12}?(?:修复|可用|起|支持|分支|同步|合入|已解决|回归通过|双分支)|\+|及以上")
_FIX_BEFORE = re.compile(r"(?:升级?到?|升至|合入|已在|修复于|使用|安装|装)\s?\Z|(?:master[与和/、])\Z", re.IGNORECASE)
_NO_FIX = re.compile(r"[^。；;]{0,12}?(?:不支持|未支持|去除|暂不|报错|异常|为内部)")


def read_versions(title: str, answer: str, repo: str) -> tuple[tuple[Version, ...], tuple[Version, ...]]:
    """Return the affected versions and those with the fix; ``repo`` is the product that bare branches belong to."""
    affected: dict[Version, None] = {}
    fixed: dict[Version, None] = {}
    for text, is_title in ((title, True), (answer, False)):
        for found in _VERSION.finditer(text):
            version = _version(found, repo)
            if version.product.lower().startswith("python"):
                continue
            if is_title:
                affected[version] = None
                continue
            before = text[max(0, found.start() - 12) : found.start()]
            if _NO_FIX.match(text, found.end()):
                affected[version] = None
            elif _FIX_BEFORE.search(before) or _FIX_AFTER.match(text, found.end()) or found["branch"]:
                fixed[version] = None
    return tuple(v for v in affected if v not in fixed), tuple(fixed)


def _version(found: re.Match[str], repo: str) -> Version:
    if found["branch"]:
        return Version(repo, found["branch"])
    product, number = found["product"] or found["of"], found["number"] or found["before"]
    return Version(_NAMES.get(product.lower(), product), number.rstrip("."))
