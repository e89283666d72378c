"""What is reported: wording, text, pictures, HTML, JSON and CSV."""
