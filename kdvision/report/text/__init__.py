"""Score sheets as text, plain and for terminals."""
