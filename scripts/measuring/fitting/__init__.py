"""What is fitted on scenes: the temperature of the networks, and trust in totals."""
