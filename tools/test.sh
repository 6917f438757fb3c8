#!/bin/bash
# Runs every check, group by group, and says at the end what passed. Exit status 1 if any failed.
cd "$(dirname "$0")/.." || exit 1
bin=$PWD/.venv/bin
logs=$(mktemp -d)
trap 'rm -rf "$logs"' EXIT
trap 'exit 130' INT
failed=()
summary=()

# group NAME COMMAND...: runs it, shows what it prints, and keeps its verdict for the end.
group() {
    local name=$1 start=$SECONDS verdict
    shift
    printf '\n== %s\n' "$name"
    "$@" 2>&1 | tee "$logs/$name"
    local status=${PIPESTATUS[0]}
    if [ "$status" != 0 ]; then failed+=("$name"); fi
    verdict=$(grep -E "$totals" "$logs/$name" | tail -n 1)
    if [ -z "$verdict" ]; then verdict=$([ "$status" = 0 ] && echo ok || echo "FAILED (exit status $status)"); fi
    summary+=("$(printf '%-15s %4d s  %s' "$name" $((SECONDS - start)) "$verdict")")
}
# pytest's closing line.
totals='^[0-9]+ [a-z]+(, [0-9]+ [a-z]+)* in [0-9.]+s'

# suite NAME FOLDER... -- ENV...: pytest over those folders that hold tests, in that environment. `no_qt` before it: the
# tests run, and must run, without Qt.
no_qt() { pytest_options=(-p no:pytest-qt); "$@"; pytest_options=(); }
pytest_options=()
suite() {
    local name=$1 folders=()
    shift
    while [ "$1" != -- ]; do
        if [ -n "$(find "$1" -name 'test_*.py' 2>/dev/null)" ]; then folders+=("$1"); fi
        shift
    done
    shift
    if [ ${#folders[@]} = 0 ]; then
        summary+=("$(printf '%-15s %4d s  %s' "$name" 0 "no tests yet")")
    else
        group "$name" env "$@" "$bin/python" -m pytest -q --color=no "${pytest_options[@]}" "${folders[@]}"
    fi
}


group ruff "$bin/ruff" check .
group format "$bin/ruff" format --check .
group types "$bin/python" -m mypy
group imports "$bin/lint-imports"
no_qt suite library tests/terrain tests/ocean tests/plugins tests/editor tests/demo tests/project -- \
    -u DISPLAY -u WAYLAND_DISPLAY
no_qt suite bounds-checked tests/terrain tests/ocean -- NUMBA_BOUNDSCHECK=1 NUMBA_CACHE_DIR="$PWD/.venv/bounds-checked"
suite panels tests/panels -- QT_QPA_PLATFORM=offscreen
no_qt suite gpu tests/gpu -- -u DISPLAY PYOPENGL_PLATFORM=egl EGL_PLATFORM=surfaceless
no_qt suite images tests/images -- -u DISPLAY PYOPENGL_PLATFORM=egl EGL_PLATFORM=surfaceless
suite viewport tests/viewport -- -u QT_QPA_PLATFORM

count() { cat "$logs"/* | grep -E "$totals" | grep -oE "[0-9]+ $1" | awk '{ n += $1 } END { print n + 0 }'; }
printf '\n== summary\n'
printf '%s\n' "${summary[@]}"
if [ ${#failed[@]} != 0 ]; then printf 'failed: %s\n' "${failed[*]}"; fi
echo "$(count passed) passed, $(count failed) failed, $(count error) errors, $(count skipped) skipped in $SECONDS.00s"
[ ${#failed[@]} = 0 ]
