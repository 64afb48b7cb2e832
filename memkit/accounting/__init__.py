"""What model calls cost: pure functions over recorded calls."""
