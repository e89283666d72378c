"""A desk with many tables: who sits where, what they claim, what their photos say, who decided."""
