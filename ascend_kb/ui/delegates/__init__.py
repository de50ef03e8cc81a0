"""How cells of tables are drawn."""
