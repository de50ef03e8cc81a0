"""The command line; it never imports Qt."""
