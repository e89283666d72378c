"""Castles of every kind that stand on start tiles: how they are drawn."""
