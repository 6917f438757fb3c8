"""Store: one map is one SQLite file; docs of its tables in `schema`, of one tile in `codec`."""

from editor.store.reading import load
from editor.store.saving import Saving, save_document
from editor.store.schema import SCHEMA, stamp_of
from editor.store.writing import save

__all__ = ["SCHEMA", "Saving", "load", "save", "save_document", "stamp_of"]
