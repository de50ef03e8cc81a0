"""Tests of ascend_kb.core."""
