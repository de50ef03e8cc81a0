"""Articles of the series, in any format, into draft cards, themes and guide rows."""
