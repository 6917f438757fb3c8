#!/bin/bash
# Runs every check, group by group, and says at the end what passed. Exit status 1 if any failed.
cd "$(dirname "$0")/.." || exit 1
bin=$PWD/.venv/bin
logs=$(mktemp -d)
trap 'rm -rf "$logs"' EXIT
failed=()
seconds=()

group() {
    local name=$1 start=$SECONDS
    shift
    printf '\n== %s\n' "$name"
    "$@" 2>&1 | tee "$logs/$name"
    local status=${PIPESTATUS[0]}
    [ "$status" = 0 ] || failed+=("$name")
    seconds+=("$name $((SECONDS - start)) s")
}

suite() {
    local name=$1
    shift
    local folders=()
    while [ $# -gt 0 ] && [ "$1" != -- ]; do
        [ -d "$1" ] || [ -f "$1" ] && folders+=("$1")
        shift
    done
    shift
    [ ${#folders[@]} = 0 ] || group "$name" env "$@" "$bin/python" -m pytest -q "${folders[@]}"
}

group ruff "$bin/ruff" check .
group format "$bin/ruff" format --check .
group types "$bin/mypy"
group imports "$bin/lint-imports"
suite library tests/terrain tests/ocean tests/plugins tests/editor tests/demo tests/project -- -u DISPLAY -u WAYLAND_DISPLAY
suite bounds-checked tests/terrain/test_bounds.py tests/terrain/test_pick.py tests/terrain/test_factors.py \
    tests/terrain/test_rasterise.py -- NUMBA_BOUNDSCHECK=1 NUMBA_CACHE_DIR="$PWD/.venv/bounds-checked"
suite panels tests/panels -- QT_QPA_PLATFORM=offscreen
suite gpu tests/gpu tests/images -- -u DISPLAY PYOPENGL_PLATFORM=egl EGL_PLATFORM=surfaceless
suite viewport tests/viewport -- -u QT_QPA_PLATFORM

count() { cat "$logs"/* | grep -E '^[0-9].* in [0-9.]+s' | grep -oE "[0-9]+ $1" | awk '{ n += $1 } END { print n + 0 }'; }
printf '\n== summary\n'
printf '%s\n' "${seconds[@]}"
[ ${#failed[@]} = 0 ] || printf 'failed: %s\n' "${failed[*]}"
echo "$(count passed) passed, $(($(count failed) + $(count error))) failed, $(count skipped) skipped"
[ ${#failed[@]} = 0 ]
