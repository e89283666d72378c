"""Kingdomino Duel: maps, scoring, legality, dice, play (RULES 7)."""
