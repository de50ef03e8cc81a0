"""Tests of ascend_kb.sources.articles."""
