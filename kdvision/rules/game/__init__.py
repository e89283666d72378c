"""Whole games: laying dominoes, drafting, players."""
