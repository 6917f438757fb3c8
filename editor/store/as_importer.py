"""Map files as something to import from, so that merging and importing take them like any other."""

from pathlib import Path

from editor.store.reading import load
from plugins.api import Guess, Job, Params, Scene
from plugins.registry import importer

_MAGIC = b"SQLite format 3\x00"


@importer
class ImportMap:
    """Reads Skerry's own maps whole, with everything painted on them."""

    id = "skerry"
    label = "Skerry map"
    suffixes = (".skerry",)
    Params = Params

    def probe(self, path: Path) -> list[Guess]:
        """By the name and by what every map begins with."""
        with path.open("rb") as file:
            if path.suffix.lower() != ".skerry" or file.read(len(_MAGIC)) != _MAGIC:
                return []
        return [Guess(self.id, "Skerry map", 1.0)]

    def read(self, path: Path, params: object, job: Job) -> Scene:
        """The map as it is saved."""
        scene = load(path)
        return Scene(scene.terrain)
