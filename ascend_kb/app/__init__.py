"""Use cases shared by all front ends; no Qt."""
