"""Explaining: why a chunk is in or out, at which budgets, and what would change that."""
