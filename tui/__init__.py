"""The terminal: the app and the command. Decides nothing: it asks the engine and the log."""
