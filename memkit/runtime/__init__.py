"""Running a model with tools."""
