"""How dominoes look where they end, and where their two squares meet."""
