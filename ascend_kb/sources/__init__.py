"""Files into knowledge: reading, checking and compiling the sources under ``data/``."""
