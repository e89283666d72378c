"""What the evaluation is made of: pictures with their truth, damage, mistakes counted, tables."""
