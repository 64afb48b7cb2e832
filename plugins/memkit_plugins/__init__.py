"""The plugins that memkit ships; each registers through the entry-point group that anyone's plugin uses."""
