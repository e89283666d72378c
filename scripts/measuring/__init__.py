"""What the evaluation is made of: cases with their truth, and the counting of mistakes."""
