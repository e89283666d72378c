"""`kdscore PHOTO...`, `kdscore kingdom` and `kdscore duel`."""
