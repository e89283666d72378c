"""What is fitted on scenes: temperature and prior of the networks, the ground, trust in totals."""
