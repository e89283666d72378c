"""What all cuttings of a kingdom into dominoes say: how many, which pairs, which order."""
