"""What a logged step or turn says of itself, read by program: the call, its receipt, exit codes, files, worlds."""
