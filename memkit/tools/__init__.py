"""What a model may call: tools made from typed functions, and the calls that reach them."""
