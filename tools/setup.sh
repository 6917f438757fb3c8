#!/bin/sh
# Makes the checkout ready: system libraries, .venv, the package. Usage: tools/setup.sh run|test
# Does nothing, and asks no network, when what it made last time still fits pyproject.toml and constraints.txt.
set -eu
cd "$(dirname "$0")/.."

what=$1
wanted="$(cat pyproject.toml constraints.txt tools/setup.sh | cksum)"
ready() { [ -f ".venv/ready-$1" ] && [ "$(cat ".venv/ready-$1")" = "$wanted" ]; }
if ready test || { [ "$what" = run ] && ready run; }; then exit 0; fi

fail() { echo "setup: $*" >&2; exit 1; }

# What Qt, GL and the test suite's virtual screen need from the system.
libraries="libegl1 libgl1 libgl1-mesa-dri libegl-mesa0 libglx-mesa0 libopengl0 libxkbcommon0 libxkbcommon-x11-0
    libxcb-cursor0 libxcb-icccm4 libxcb-keysyms1 libxcb-shape0 libxcb-image0 libxcb-render-util0 libxcb-xinerama0
    libdbus-1-3 libfontconfig1 fonts-dejavu-core"
if [ "$what" = test ]; then libraries="$libraries xvfb"; fi

if command -v dpkg >/dev/null; then
    missing=""
    for package in $libraries python3-venv; do
        dpkg -s "$package" >/dev/null 2>&1 || missing="$missing $package"
    done
    # A python3 that is not the system's brings its own venv module.
    if python3 -c 'import ensurepip, venv' 2>/dev/null; then missing=$(echo "$missing" | sed 's/ python3-venv//'); fi
    if [ -n "$missing" ]; then
        if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
            echo "setup: installing$missing"
            log=$(mktemp)
            { apt-get update -q && DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends $missing; } \
                >"$log" 2>&1 || { tail -5 "$log" >&2; fail "apt-get could not install:$missing"; }
            rm -f "$log"
        else
            echo "setup: if the window or a picture fails, install:$missing"
        fi
    fi
fi

command -v python3 >/dev/null || fail "python3 is not here; install Python 3.11 or newer"
python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))' || fail "$(python3 -V) is too old; Python 3.11 or newer is needed"
if [ ! -x .venv/bin/python ]; then
    python3 -m venv .venv || fail "python3 cannot make a virtual environment; install its venv module"
fi
extras=""
if [ "$what" = test ]; then extras="[test,geo]"; fi
echo "setup: installing skerry$extras into .venv"
.venv/bin/python -m pip install -q --disable-pip-version-check uv || fail "pip could not install uv; is there a network?"
.venv/bin/python -m uv pip install -q --python .venv/bin/python -c constraints.txt -e ".$extras" \
    || fail "the package could not be installed; see above"

# The Khronos glTF validator, for one test, where Node is here.
if [ "$what" = test ] && command -v npm >/dev/null && [ ! -d .venv/node/node_modules/gltf-validator ]; then
    npm install --silent --no-save --no-package-lock --no-audit --no-fund --prefix .venv/node gltf-validator@2.0.0-dev.3.10 \
        >/dev/null 2>&1 || echo "setup: gltf-validator could not be installed; its test will be skipped"
fi
printf '%s' "$wanted" >".venv/ready-$what"
