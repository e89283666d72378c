"""HTML reports in one file each."""
