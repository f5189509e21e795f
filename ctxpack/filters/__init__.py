"""Filters, before anything is chosen: bans, duplicates, cut-offs, the cliff, the count."""
