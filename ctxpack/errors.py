"""The one error that the engine raises on purpose."""


class InputError(ValueError):
    """Bad input or wrong usage, said in one plain sentence: what is wrong, where, what to do.

    The command prints the sentence and exits with 2; it never carries a traceback to a user.
    """
