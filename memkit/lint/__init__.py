"""What is wrong with a store, found without a model, and the mending of what can be mended safely."""
