"""Pictures of the documentation that are drawn by a program."""
