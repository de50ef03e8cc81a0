"""The panes of the window; panels say what happened and do not know each other."""
