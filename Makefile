# Everything a newcomer types: make run, make test, make demo. Each sets up what it needs first.
.PHONY: help run test demo pictures erosion bench format lint types clean
.SILENT:

help:
	echo "make run   [MAP=file]  open the editor (with the sample island, or a map)"
	echo "make test              run every check"
	echo "make demo  [DEM=file]  author an island without a display: import, sculpt, export, pictures in out/"
	echo "make bench [NAME=...]  measure how fast the main jobs are here"
	echo "make pictures [NAME=...]  make the pictures of the docs by replaying pointer recordings in the window"
	echo "make erosion [DEM=file]  pictures of every process of erosion and of the islands, in out/erosion"
	echo "make lint              check style, types and imports; make types checks types alone"
	echo "make format            tidy the sources"
	echo "make clean             remove what was made: .venv, out, caches"

run:
	tools/setup.sh run
	.venv/bin/python run_editor.py $(if $(MAP),"$$MAP")

test:
	tools/setup.sh test
	tools/test.sh

demo:
	tools/setup.sh run
	.venv/bin/python -m demo $(if $(DEM),"$$DEM")

erosion:
	tools/setup.sh run
	DEM="$(DEM)" .venv/bin/python -m demo.erosion

pictures:
	tools/setup.sh test
	.venv/bin/python -m demo.pictures $(NAME)

bench:
	tools/setup.sh run
	.venv/bin/python -m editor.cli bench $(NAME)

format:
	tools/setup.sh test
	.venv/bin/ruff check --fix . && .venv/bin/ruff format .

lint: types
	.venv/bin/ruff check . && .venv/bin/ruff format --check . && .venv/bin/lint-imports

types:
	tools/setup.sh test
	.venv/bin/python -m mypy

clean:
	rm -rf .venv out .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
