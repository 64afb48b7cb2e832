"""Measures of answers, evidence and their differences: pure functions on records."""
