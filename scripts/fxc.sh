#!/usr/bin/env bash
# Compiles every kernel by FXC, Direct3D's compiler for shader model 5.1, which is what wgpu uses on Windows without DXC. Wine runs it; no
# adapter is needed. Prints the kernels that are refused or take longer than 10 s, and the slowest ten, and fails where there is one. A kernel
# that takes longer than 10 s may be refused in the end: FXC has a minute for each.
#
#   scripts/fxc.sh [PATTERN]       of all kernels, or of those whose names match an extended regular expression
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/packages.sh

limit=10 patience=60
folder=$(realpath -m "${CARGO_TARGET_DIR:-target}")/fxc
. scripts/wine.sh
install_wine
mkdir -p "$folder/hlsl"
fetch_fxc "$folder"
x86_64-w64-mingw32-gcc -O1 -Wall -o "$folder/fxc.exe" scripts/fxc.c

rm -f "$folder"/hlsl/*
TICKLESS_HLSL=$folder/hlsl cargo test "${built[@]}" --test shaders -- --ignored --exact hlsl_for_fxc >/dev/null
cd "$folder"
export patience
start_wine "$folder/wine"
compiled() {
    local said=0
    set -o pipefail
    timeout "$patience" "$wine" fxc.exe "$1" 2>/dev/null | tr -d '\r' || said=$?
    case $said in
        0 | 1) ;;
        124) printf '%s slow %s more than %s s\n' "$patience"000 "$1" "$patience" ;;
        *) printf '0 failed %s Wine ends with %s\n' "$1" "$said" ;;
    esac
}
export -f compiled
find hlsl -name '*.hlsl' | sort | { grep -E "${1:-.}" || true; } |
    xargs -P "$(nproc)" -I '{}' bash -c 'compiled "{}"' |
    awk -v most="$limit"000 '$2 == "compiled" && $1 > most { $2 = "slow" } { print }' >said.txt
[ -s said.txt ] || die "no kernel is named so"
grep -v ' compiled ' said.txt || true
say "$(grep -c ' compiled ' said.txt || true) of $(wc -l <said.txt) kernels are compiled in time; the slowest, in milliseconds:"
sort -rn said.txt | head -n 10
! grep -qv ' compiled ' said.txt
