from hypothesis import given, settings, strategies as st, assume
import pytest
from tests.store.test_fulltext import *
from tests.store.test_fulltext import Texts, read
LOG=[]
@settings(max_examples=400, deadline=None, derandomize=True)
@given(st.data())
def test_h(texts, data):
    key = data.draw(st.sampled_from(sorted(texts.raw)))
    text = data.draw(st.sampled_from([text for text in texts.raw[key] if text.strip()]))
    start = data.draw(st.integers(0, len(text) - 1))
    n = data.draw(st.integers(1, 8))
    LOG.append((key,start,n))
def test_show():
    print(len(LOG), LOG[-5:])
