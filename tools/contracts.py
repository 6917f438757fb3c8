"""A contract for import-linter: which part may use which library."""

import sys
from collections.abc import Iterator

from grimp import ImportGraph
from importlinter import Contract, ContractCheck, fields, output


class LibrariesContract(Contract):
    """Every part names the libraries that it may import; what is not named is forbidden, unlike with `forbidden`.

    Configuration, one text a part: "part: library library ...". The longest name that fits a module rules it, and the
    standard library is free. A part need not exist yet.
    """

    type_name = "libraries"

    allowed = fields.ListField(subfield=fields.StringField())

    def check(self, graph: ImportGraph, verbose: bool) -> ContractCheck:
        """Find every import of a library from a part that does not name it."""
        rules = dict(self._rules())
        roots = {part.partition(".")[0] for part in rules}
        breaches = []
        for module in sorted(graph.modules):
            if module.partition(".")[0] not in roots:
                continue
            allowed = rules[max((part for part in rules if f"{module}.".startswith(f"{part}.")), key=len)]
            for library in sorted(graph.find_modules_directly_imported_by(module)):
                top = library.partition(".")[0]
                if top not in roots and top not in sys.stdlib_module_names and top not in allowed:
                    found = graph.get_import_details(importer=module, imported=library)
                    lines = ", ".join(str(detail["line_number"]) for detail in found)
                    breaches.append(f"{module} -> {library} (l.{lines})")
        return ContractCheck(kept=not breaches, metadata={"breaches": breaches})

    def render_broken_contract(self, check: ContractCheck) -> None:
        """Print one line a breach."""
        for breach in check.metadata["breaches"]:
            output.print_error(f"- {breach}", bold=False)
        output.new_line()

    def _rules(self) -> Iterator[tuple[str, set[str]]]:
        for text in self.allowed:  # type: ignore[attr-defined]
            part, _, libraries = str(text).partition(":")
            yield part.strip(), set(libraries.split())
