"""Comparing memories: a matrix of variants over the same questions, with paired statistics and a bill."""
