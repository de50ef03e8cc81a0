"""Private data in a log is masked; what tells about the fault stays."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ascend_kb.core.redaction import owners, redact
from tests.pace import loops

MASKED = {
    "/home/lin/my_cli/__init__.py": "<path>/__init__.py",
    "~/proj/a": "<path>",
    "C:\\Users\\Lin\\a.txt": "<path>\\a.txt",
    "scp a b@10.8.0.14:/data/": "scp a <email>:<path>",
    "root@node17:/ws# msopprof": "<user>@<host>:/ws# msopprof",
    "[dev@box ~]$ ls": "[<user>@<host> ~]$ ls",
    "from 192.168.40.12:60008": "from <ip>:60008",
    "at fe80::1 and 2001:db8::ff00:42:8329": "at <ip> and <ip>",
    "mac aa:bb:cc:dd:ee:ff": "mac <mac>",
    "mail lin.yu@corp.cn": "mail <email>",
    "token=abcdefg": "token=<secret>",
    "Authorization: Bearer xyz12345": "Authorization: Bearer <secret>",
    "hf_abcdefghij0123": "<secret>",
    "https://registry.local:5000/v2/": "https://<host>",
    "db01.prod.internal": "<host>",
    "user=zhang": "user=<user>",
}
KEPT = (
    "2026-07-05-08:15:33.092 c10::Error::Error at_npu::native",
    "/usr/local/Ascend/cann/lib64/libacl_rt.so",
    "n_fft/2 and 8/48 torch.ops.npu.x cann-9.1.0 torch_npu 2.9.0.post1",
    "https://gitcode.com/Ascend/mstt/issues/1",
    "[ERROR] aclrtMallocHost failed, size 137438953472, ret 507035",
    "RuntimeError: swiglu_mode should be 0, 1 or 2, but got 3.",
)


@pytest.mark.parametrize("text", MASKED)
def test_private_data_is_masked(text: str) -> None:
    assert redact(text) == MASKED[text]


@pytest.mark.parametrize("text", KEPT)
def test_what_tells_about_the_fault_stays(text: str) -> None:
    assert redact(text) == text


def test_a_user_name_of_a_path_is_masked_everywhere() -> None:
    text = redact("/home/wangwu/a.py\njob of wangwu failed, wangwu_x stays")
    assert text == "<path>/a.py\njob of <user> failed, wangwu_x stays"


def test_names_that_stand_elsewhere_can_be_given() -> None:
    assert redact("job of wangwu", ["wangwu"]) == "job of <user>"


@given(st.text(max_size=300))
def test_every_text_can_be_masked(text: str) -> None:
    masked = redact(text)
    for name in owners(text):
        assert f"/home/{name}" not in masked


@given(st.text(alphabet="a1:./@~-_\\<>= \n", max_size=200))
def test_signs_of_private_data_in_any_order_can_be_masked(text: str) -> None:
    redact(text)


MAILS = st.from_regex(r"[a-z][a-z0-9_.+-]{1,12}@[a-z]{2,9}\.(com|cn)", fullmatch=True)


@given(st.ip_addresses(v=4), st.ip_addresses(v=6), MAILS)
def test_addresses_never_stay(old: object, new: object, mail: str) -> None:
    masked = redact(f"from {old} to {new}")
    assert str(old) not in masked
    assert str(new) == "::" or str(new) not in masked
    assert mail not in redact(f"mail {mail} end")


@pytest.mark.parametrize("piece", ["a@", "a.", "1.", "1:", "/", "~/", "a:", "token", "://", "\\", "host=", "ey", "::"])
def test_time_grows_with_the_length_only(piece: str) -> None:
    short, long = (piece * 100_000)[:50_000], (piece * 100_000)[:200_000]
    assert loops(lambda: redact(long)) < 8 * loops(lambda: redact(short)) + 2
