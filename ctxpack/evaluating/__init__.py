"""Measuring settings on questions whose answers are known: hit rates, places, differences."""
