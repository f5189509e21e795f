"""What the screens are made of: charts as pure layouts, lists and texts drawn line by line."""
