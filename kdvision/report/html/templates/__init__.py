"""Templates, style and script of the HTML reports."""
