"""Tests of ascend_kb.sources.exports."""
