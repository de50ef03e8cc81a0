"""Tests of ascend_kb.sources.rules."""
