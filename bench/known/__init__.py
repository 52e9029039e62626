"""Known-item tests: a part of a text asks for the rest of it, which stands among all the others."""
