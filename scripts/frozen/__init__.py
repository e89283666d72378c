"""`kdscore` as one folder, for people without Python."""
