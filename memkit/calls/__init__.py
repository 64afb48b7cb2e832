"""Recorded model calls: what was asked once is never paid for again."""
