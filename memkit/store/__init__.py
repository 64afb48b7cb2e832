"""The store: a finite set of markdown files under the virtual root `/memories`. See `memkit.store.files`."""
