"""What trust in totals is fitted on, and how."""
