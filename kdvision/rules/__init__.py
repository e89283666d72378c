"""The game: terrain, dominoes, kingdoms, scoring, legality. Standard library only."""
