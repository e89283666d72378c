"""The rules measured: how fast games are played, and which player wins."""
