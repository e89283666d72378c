"""Probabilities become the likeliest kingdoms of the deck, exactly. No pixels here."""
