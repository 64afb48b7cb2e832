"""A run, finished or under way, as data: its tables, its statistics, its gates, and how it differs from another."""
