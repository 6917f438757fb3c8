"""The one exception that reaches a person: a single line saying what, where and what to do."""


class SkerryError(Exception):
    """Work that cannot be done, with a line fit to be shown as it is."""


class ParamError(SkerryError):
    """A parameter has a name or a value that is not allowed: wrong usage rather than failed work."""


class Cancelled(SkerryError):
    """The person asked for the work to stop; nothing was changed."""

    def __init__(self) -> None:
        super().__init__("cancelled")
