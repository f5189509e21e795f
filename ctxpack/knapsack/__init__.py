"""The 0/1 knapsack in whole numbers: exact and certified, by table, and for every capacity."""
