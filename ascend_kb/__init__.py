"""Ascend KB: an offline desktop knowledge browser for Ascend NPU operator issues."""

__version__ = "0.1.0"
