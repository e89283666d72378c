"""Signs that a reading cannot be trusted."""
