"""The game: terrain, dominoes, kingdoms and their score. Standard library only."""
