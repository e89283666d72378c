"""The page at the table, and the interface for programs: `kdscore serve`."""
