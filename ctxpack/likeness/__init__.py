"""How alike candidates are, and how near the query: cosines of vectors or of weighed words."""
