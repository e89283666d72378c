"""Many photos, sheets of claims, and rankings."""
