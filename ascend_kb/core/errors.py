"""Errors that are not our fault."""


class KBError(Exception):
    """Something outside the program is wrong: a file, an argument, the environment.

    ``message`` says in plain words what is wrong and names the file, line or field; ``hint`` says what to do.
    Front ends show both without a traceback. Every other exception is a bug.
    """

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
