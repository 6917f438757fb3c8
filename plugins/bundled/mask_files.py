"""Masks from and to picture files of grey."""

import hashlib
from pathlib import Path
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray

from plugins.api import Job, Params, Report, Scene, SkerryError, TerrainMap, about
from plugins.bundled.mask_target import MaskGenerator, MaskParams, existing
from plugins.decode import png
from plugins.exr import read_exr
from plugins.raster import refuse_beyond
from plugins.registry import exporter, operation
from plugins.sidecar import read_sidecar, write_sidecar
from terrain.masks.combine import Mask

SIDECAR = "masks.json"

_TIFF = (b"II*\x00", b"MM\x00*", b"II+\x00", b"MM\x00+")
_EXR = b"\x76\x2f\x31\x01"
_MEMORY = 4096
"""MiB that a picture may need."""

_NOT_IN_NAMES = str.maketrans(dict.fromkeys('<>:"|?*', "_"))
"""Letters that a mask's name may hold, but not the name of a file on every system."""


class LoadParams(MaskParams, frozen=True, kw_only=True):
    """From which file."""

    file: Annotated[Path, about("Picture: PNG, TIFF or EXR, black 0, white 1, its top row north")] | None = None


@operation
class MaskLoad(MaskGenerator):
    """Load the mask from a picture, spread over the whole map."""

    id = "mask-load"
    label = "Load"
    Params = LoadParams

    def make(self, terrain: TerrainMap, params: LoadParams) -> Mask:
        """The picture's grey, resampled bilinearly from corner to corner."""
        if params.file is None:
            raise SkerryError("name a picture to load: give it with --file")
        grey = _grey(params.file)
        spread = _spread(_spread(grey[::-1], terrain.field.rows).T, terrain.field.cols).T
        return np.ascontiguousarray(spread)


class MaskExportParams(Params, frozen=True, kw_only=True):
    """Which masks."""

    mask: Annotated[str, about("Mask to write; empty: all there are")] = ""


@exporter
class ExportMask:
    """16-bit grey PNG, one value a vertex, top row north: loading it into this map gives the same mask bit for bit."""

    id = "mask"
    label = "Masks: PNG16"
    Params = MaskExportParams

    def write(self, scene: Scene, folder: Path, params: MaskExportParams, job: Job) -> Report:
        """Write each mask and what file is which."""
        from imagecodecs import png_encode

        terrain = scene.terrain
        names = [params.mask] if params.mask else terrain.names("mask")
        if not names:
            raise SkerryError("the map has no masks; make one in the menu Mask first")
        files: list[Path] = []
        masks = []
        for number, name in enumerate(names):
            job.progress(number / len(names), name)
            existing(terrain, name)
            values = np.ascontiguousarray(terrain.extras[f"mask/{name}"][::-1])
            files.append(folder / f"{_file_name(name, [file.stem for file in files])}.png")
            files[-1].write_bytes(png_encode(values))
            masks.append({"name": name, "file": files[-1].name, "sha256": _digest(values)})
        facts = {"first_row": "north", "formula": "weight = v / 65535, one a vertex", "masks": masks}
        write_sidecar(folder / SIDECAR, self.id, terrain, files, facts)
        job.progress(1.0, "written")
        return Report((*files, folder / SIDECAR), (f"{len(files)} of {terrain.field.cols}x{terrain.field.rows}",))

    def check(self, sidecar: Path) -> list[str]:
        """Decode every picture and hold its values against those written, bit for bit."""
        record = read_sidecar(sidecar)
        faults = []
        for entry in record["masks"]:
            values = png.decode(sidecar.with_name(entry["file"]).read_bytes())
            if values.dtype != np.uint16 or values.shape != (record["rows"], record["cols"]):
                faults.append(f"{entry['file']} holds {values.dtype} of {values.shape}, not one uint16 a vertex")
            elif _digest(values) != entry["sha256"]:
                faults.append(f"{entry['file']} does not hold the mask '{entry['name']}' as it was")
        return faults


def _file_name(mask: str, taken: list[str]) -> str:
    """The mask's name where files may have it; a number after it if another file is called so, in any case."""
    plain = mask.translate(_NOT_IN_NAMES)
    name, number = plain, 2
    while name.lower() in [other.lower() for other in taken]:
        name, number = f"{plain} {number}", number + 1
    return name


def _digest(values: NDArray[Any]) -> str:
    return hashlib.sha256(values.astype("<u2").tobytes()).hexdigest()


def _spread(values: Mask, count: int) -> Mask:
    """Linear along the first axis at `count` places from end to end; an axis of equal length stays exact."""
    have = values.shape[0]
    at = np.linspace(0.0, have - 1.0, count)
    low = np.clip(at.astype(np.int64), 0, max(have - 2, 0))
    share = (at - low).astype(np.float32)[:, None]
    near = values[low]
    mixed: Mask = near + share * (values[np.minimum(low + 1, have - 1)] - near)
    return mixed


def _grey(path: Path) -> Mask:
    """A picture as 0..1 (height, width), top row first; raises `SkerryError` with one line that names the file."""
    try:
        with path.open("rb") as file:
            start = file.read(8)
        if start.startswith(png.SIGNATURE):
            samples = _png(path)
        elif start.startswith(_TIFF):
            samples = _tiff(path)
        elif start.startswith(_EXR):
            samples = _exr(path)
        else:
            raise SkerryError("is neither PNG, TIFF nor EXR; save the picture as one of these")
        return _scaled(samples)
    except SkerryError as error:
        raise SkerryError(str(error) if str(path) in str(error) else f"{path}: {error}") from None
    except OSError as error:
        raise SkerryError(f"{path}: cannot be read: {error.strerror or error}") from None
    except Exception as error:
        reason = " ".join(str(error).split())[:200] or type(error).__name__
        raise SkerryError(f"{path}: the file is damaged or of a kind that is not read: {reason}") from None


def _png(path: Path) -> NDArray[Any]:
    data = path.read_bytes()
    header = png.read_header(data)
    if header.colour == png.PALETTE:
        raise SkerryError("has a palette of colours; save it as grey")
    refuse_beyond(_MEMORY, header.height, header.width, header.channels * 2, path)
    return png.decode(data)


def _tiff(path: Path) -> NDArray[Any]:
    import tifffile

    with tifffile.TiffFile(path) as tiff:
        page: Any = tiff.pages[0]
        refuse_beyond(_MEMORY, page.imagelength, page.imagewidth, page.dtype.itemsize * page.samplesperpixel, path)
        samples = np.asarray(page.asarray())
        planes = samples.ndim == 3 and samples.shape[1:] == (page.imagelength, page.imagewidth)
        # Black on white, as scanners write it.
        turned = page.photometric == tifffile.PHOTOMETRIC.MINISWHITE and samples.dtype.kind in "bu"
    samples = np.moveaxis(samples, 0, -1) if planes else samples
    return ~samples if turned else samples


def _exr(path: Path) -> NDArray[Any]:
    channels = {name: values for name, values in read_exr(path).items() if name != "A"}
    if len(channels) == 1:
        return next(iter(channels.values()))
    if set("RGB") <= set(channels):
        return np.stack([channels[name] for name in "RGB"], axis=-1)
    raise SkerryError(f"has the channels {', '.join(channels)}; save it with one channel, or R, G and B")


def _scaled(samples: NDArray[Any]) -> Mask:
    """0..1 from whole numbers of any size or floats; the mean of red, green and blue; alpha is left aside."""
    if samples.dtype.kind in "ui":
        grey = samples.astype(np.float32) / np.float32(np.iinfo(samples.dtype).max)
    else:
        with np.errstate(over="ignore"):
            grey = np.nan_to_num(samples.astype(np.float32), nan=0.0, posinf=1.0, neginf=0.0)
    if grey.ndim == 3:
        grey = grey[..., :3].mean(axis=-1) if grey.shape[-1] >= 3 else grey[..., 0]
    if grey.ndim != 2:
        raise SkerryError(f"has samples of shape {samples.shape}; save it as one grey picture")
    clipped: Mask = np.clip(grey, 0.0, 1.0)
    return clipped
