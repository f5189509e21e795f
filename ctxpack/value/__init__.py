"""What a chunk is worth: ranks, gains, scores, word scores, calibrated chances."""
