"""Rules that recognise changes, outcome, evidence, versions and names in the prose of an answer."""
