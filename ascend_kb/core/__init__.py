"""Pure values and rules: no files, no database, no Qt."""
