"""The best order of a set of chunks: where each goes, so that the most of its value is used."""
