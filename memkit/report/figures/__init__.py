"""Figures as inline SVG: pure functions of numbers, the same bytes for the same numbers."""
