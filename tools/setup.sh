#!/bin/sh
# Makes the checkout ready: system libraries, .venv, the package. Usage: tools/setup.sh run|test
# Does nothing, and asks no network, when what it made last time still fits this folder and the files that say what is
# needed. PYTHON=python3.13 chooses another Python for a new .venv.
set -eu
cd "$(dirname "$0")/.."

what=$1
wanted="$(cat pyproject.toml constraints.txt tools/setup.sh | cksum) $PWD"
ready() { [ "$(cat ".venv/ready-$1" 2>/dev/null)" = "$wanted" ]; }
if ready test || { [ "$what" = run ] && ready run; }; then exit 0; fi

fail() { echo "setup: $*" >&2; exit 1; }

# A command whose output is shown only if it fails.
quietly() {
    log=$(mktemp)
    if "$@" >"$log" 2>&1; then rm -f "$log"; else tail -n 5 "$log" >&2; rm -f "$log"; return 1; fi
}

# Prints those of the named Debian packages that are not installed; newer releases call some of them NAMEt64.
installed() { [ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" = installed ]; }
absent() {
    for package in "$@"; do
        installed "$package" || installed "${package}t64" || printf ' %s' "$package"
    done
}

apt_install() {
    DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends "$@"
}

python=${PYTHON:-python3}
command -v "$python" >/dev/null || fail "$python is not here; install Python 3.11 or newer"
new_enough() { "$1" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; }
new_enough "$python" || fail "$("$python" -V 2>&1) is too old; Python 3.11 or newer is needed (PYTHON=... chooses one)"

# What Qt, GL and the test suite's virtual screen need from a Debian or Ubuntu.
if command -v dpkg-query >/dev/null; then
    libraries="libegl1 libgl1 libgl1-mesa-dri libegl-mesa0 libglx-mesa0 libopengl0 libxkbcommon0 libxkbcommon-x11-0
        libxcb-cursor0 libxcb-icccm4 libxcb-keysyms1 libxcb-shape0 libxcb-image0 libxcb-render-util0 libxcb-xinerama0
        libwayland-cursor0 libglib2.0-0 libdbus-1-3 libfontconfig1 fonts-dejavu-core"
    if [ "$what" = test ]; then libraries="$libraries xvfb"; fi
    # shellcheck disable=SC2086 # one word a package
    missing=$(absent $libraries)
    # Debian takes the parts that make a virtual environment out of its python3.
    if ! "$python" -c 'import ensurepip, venv' 2>/dev/null; then missing="$missing python3-venv"; fi
    if [ -n "$missing" ]; then
        if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
            echo "setup: installing$missing"
            quietly apt-get update -q || fail "apt-get update failed; is there a network? It would have installed:$missing"
            # shellcheck disable=SC2086
            quietly apt_install $missing || fail "apt-get could not install:$missing"
        else
            echo "setup: not here, and only root can install them: sudo apt-get install$missing"
        fi
    fi
fi

# A moved or copied checkout, an interrupted set-up and a removed Python leave a .venv that no longer works.
made_in=$(cat .venv/made-in 2>/dev/null || echo "$PWD")
if [ "$made_in" != "$PWD" ] || ! new_enough .venv/bin/python || ! .venv/bin/python -m pip -V >/dev/null 2>&1; then
    quietly "$python" -m venv --clear .venv ||
        fail "$python cannot make a virtual environment; install its venv module (Debian: python3-venv)"
fi
printf '%s' "$PWD" >.venv/made-in

package=.
if [ "$what" = test ]; then package=".[test,geo]"; fi
echo "setup: installing skerry and what it needs into .venv (the first time this takes a minute)"
# uv is several times faster than pip; where it cannot be had or cannot reach the index, pip does the same.
export UV_SYSTEM_CERTS=1
if ! { .venv/bin/python -m pip install -q --disable-pip-version-check uv &&
    .venv/bin/python -m uv pip install -q --compile-bytecode --python .venv/bin/python -c constraints.txt -e "$package"; } 2>/dev/null
then
    quietly .venv/bin/python -m pip install -q --disable-pip-version-check -c constraints.txt -e "$package" ||
        fail "the package could not be installed; is there a network?"
fi

# The Khronos glTF validator, for one test, where Node is here.
validator=gltf-validator@2.0.0-dev.3.10
if [ "$what" = test ] && command -v npm >/dev/null && [ ! -d .venv/node/node_modules/gltf-validator ]; then
    quietly npm install --no-save --no-package-lock --no-audit --no-fund --prefix .venv/node "$validator" ||
        echo "setup: $validator could not be installed; its test will be skipped"
fi
# Compiled once here, the editor starts in a third of the time, even where Python is told to leave no bytecode.
env -u PYTHONDONTWRITEBYTECODE .venv/bin/python -m compileall -q terrain ocean plugins editor || true
if [ "$what" = run ]; then
    echo "setup: compiling the kernels (once)"
    quietly .venv/bin/python -c "from editor.commands import warm_kernels; warm_kernels()" || true
fi
printf '%s' "$wanted" >".venv/ready-$what"
