"""Tables that people make: CSV and Excel."""
