"""Exports of issue trackers into draft cards: JSON of several hosts, CSV and XLSX tables."""
