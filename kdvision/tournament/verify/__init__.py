"""Hand-counted totals against photos."""
