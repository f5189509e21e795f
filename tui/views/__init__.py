"""From a session to what the widgets draw: pure functions, no widget and no decision."""
