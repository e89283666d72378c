"""How well seams tell dominoes."""
