"""OpenEXR files of float32 channels."""

from pathlib import Path

import numpy as np
from numpy.typing import NDArray


def write_exr(path: Path, channels: dict[str, NDArray[np.float32]]) -> None:
    """Write channels (rows, cols), top row first, losslessly compressed; the same bytes every time.

    Raises `OSError` if the file cannot be written.
    """
    import OpenEXR

    header = {"compression": OpenEXR.ZIP_COMPRESSION, "type": OpenEXR.scanlineimage}
    file = OpenEXR.File(header, {name: np.ascontiguousarray(values) for name, values in channels.items()})
    try:
        file.write(str(path))
    except RuntimeError as error:
        # 'Failed to write ... image file "PATH". No space left on device.': the system's reason is its last sentence.
        reason = str(error).rstrip(". \n").rpartition('". ')[2] or str(error)
        raise OSError(None, reason) from None


def read_exr(path: Path) -> dict[str, NDArray[np.float32]]:
    """Every channel by name."""
    import OpenEXR

    file = OpenEXR.File(str(path), separate_channels=True)
    return {name: np.asarray(channel.pixels) for name, channel in file.channels().items()}
