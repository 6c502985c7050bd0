#!/usr/bin/env bash
# Compiles every kernel by FXC, Direct3D's compiler for shader model 5.1, which is what wgpu uses on Windows without DXC. Wine runs it; no
# adapter is needed. Prints the kernels that are refused or take longer than 10 s, and the slowest ten, and fails where there is one.
#
#   scripts/fxc.sh [PATTERN]       of all kernels, or of those whose names match an extended regular expression
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/packages.sh

limit=10
folder=$(realpath -m "${CARGO_TARGET_DIR:-target}")/fxc
wine=$(command -v wine64 || echo /usr/lib/wine/wine64)
if [ ! -x "$wine" ] || ! command -v x86_64-w64-mingw32-gcc >/dev/null; then
    say "installing Wine and a compiler for Windows (wine64, gcc-mingw-w64-x86-64)"
    apt update
    apt install -y --no-install-recommends wine64 gcc-mingw-w64-x86-64
fi
mkdir -p "$folder/hlsl"
# FXC comes with ANGLE, of which PyPI has a build for Windows.
if [ ! -e "$folder/d3dcompiler_47.dll" ]; then
    say "fetching FXC (kivy_deps.angle) into $folder"
    python3 -m pip download --quiet --no-deps --only-binary=:all: --platform win_amd64 --dest "$folder" 'kivy_deps.angle==0.5.0' >&2
    python3 -m zipfile -e "$folder"/kivy_deps_angle*.whl "$folder/angle"
    cp "$(find "$folder/angle" -name d3dcompiler_47.dll)" "$folder"
fi
x86_64-w64-mingw32-gcc -O1 -Wall -o "$folder/fxc.exe" scripts/fxc.c

rm -f "$folder"/hlsl/*
TICKLESS_HLSL=$folder/hlsl cargo test "${built[@]}" --test shaders -- --ignored --exact hlsl_for_fxc >/dev/null
cd "$folder"
# Without a window, and with this FXC in place of Wine's own.
export WINEPREFIX=$folder/wine WINEDEBUG=-all WINEDLLOVERRIDES='d3dcompiler_47=n;mscoree=;mshtml=' wine limit
"$wine" wineboot -i >/dev/null 2>&1
compiled() {
    local said=0
    set -o pipefail
    timeout "$limit" "$wine" fxc.exe "$1" 2>/dev/null | tr -d '\r' || said=$?
    if [ "$said" = 124 ]; then printf '%s slow %s more than %s s\n' "$limit"000 "$1" "$limit"; fi
}
export -f compiled
find hlsl -name '*.hlsl' | sort | { grep -E "${1:-.}" || true; } |
    xargs -P "$(nproc)" -I '{}' bash -c 'compiled "{}"' >said.txt
[ -s said.txt ] || die "no kernel is named so"
grep -v ' compiled ' said.txt || true
say "$(grep -c ' compiled ' said.txt || true) of $(wc -l <said.txt) kernels are compiled; the slowest, in milliseconds:"
sort -rn said.txt | head -n 10
! grep -qv ' compiled ' said.txt
