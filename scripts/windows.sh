#!/usr/bin/env bash
# Builds the command for Windows and compares small runs of every family by Wine: on the heap, through Vulkan, and through DX12 with kernels
# compiled by FXC. Every digest must be that of the heap on this machine. It runs before a release; CI checks that the command compiles.
#
#   scripts/windows.sh [PATTERN]   all runs, or those whose names match an extended regular expression
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/packages.sh
. scripts/wine.sh

pattern=${1:-.}
target=$(realpath -m "${CARGO_TARGET_DIR:-target}")
folder=$target/windows
if command -v Xvfb >/dev/null; then install_wine; else install_wine xvfb; fi
rustup target add x86_64-pc-windows-gnu
cargo build "${built[@]}"
cargo build --locked --target x86_64-pc-windows-gnu
mkdir -p "$folder"
fetch_fxc "$folder"
x86_64-w64-mingw32-gcc -O1 -Wall -shared -o "$folder/bcryptprimitives.dll" scripts/process_prng.c -ladvapi32
cp "$target/x86_64-pc-windows-gnu/debug/tickless.exe" "$folder"

# Vulkan of Wine is that of this machine, and DX12 of Wine is built on it.
scripts/test.sh --install
if [ -z "${VK_DRIVER_FILES:-}" ]; then
    for file in /usr/share/vulkan/icd.d/lvp_icd*.json; do export VK_DRIVER_FILES=$file; done
fi
if [ -z "${DISPLAY:-}" ]; then
    Xvfb :97 -screen 0 640x480x24 >/dev/null 2>&1 &
    display=$!
    trap 'kill "$display"' EXIT
    export DISPLAY=:97
fi
start_wine "$folder/wine"

here() { "$target/debug/tickless" "$@"; }
there() { "$wine" "$folder/tickless.exe" "$@" 2>"$folder/stderr"; }
digest() { tr -d '\r' | sed -n 's/.*"digest": "\(.*\)".*/\1/p' | tail -n 1; }
adapter() { there devices | tr -d '\r' | awk -v wanted="$1" '/^ *wgpu [0-9]/ { sub(":", "", $2); n = $2 } $1 == "interface" && $2 == wanted { print n; exit }'; }

failed=0 ran=0
miss() { printf 'FAILED %s\n' "$*"; failed=1; }

# Name, arguments, and those of a run on a device.
runs=(
    'torus windows:torus --side 16 --until 40 --window 1'
    'torus appointments:torus --side 16 --until 40 --exact'
    'network in rounds:network examples/networks/ring.toml --until 200 --warmup 50'
    'network of sources:network examples/networks/clinic.toml --until 200 --warmup 50 --window 1'
    'network of classes:network examples/networks/stages.toml --replications 20'
    'resources:network examples/networks/emergency.toml --replications 4'
    'phold:phold --processes 64 --population 4 --until 20'
    'phold in a ring:phold --processes 64 --population 4 --until 20|--pending circular'
    'fire:cells fire --side 32'
    'watershed:cells watershed --side 16'
    'rules:cells rules examples/cells/life.ma --until 1000'
    'searches:search --side 32 --searches 20'
)
vulkan=$(adapter vulkan) dx12=$(adapter dx12)
[ -n "$vulkan" ] && [ -n "$dx12" ] || die "Wine shows no adapter of Vulkan or none of DX12: $(there devices | head -c 500)"
for run in "${runs[@]}"; do
    name=${run%%:*}
    if ! grep -qE "$pattern" <<<"$name"; then continue; fi
    ran=1 run=${run#*:}
    read -ra arguments <<<"${run%%|*}"
    right=$(here "${arguments[@]}" --backend heap --format json --quiet | digest)
    [ -n "$right" ] || die "$name has no digest on this machine"
    case $run in *"|"*) own=${run#*|} ;; *) own= ;; esac
    for backend in heap "wgpu --adapter $vulkan $own" "wgpu --adapter $dx12 $own"; do
        begun=$SECONDS
        # shellcheck disable=SC2086 # options and their values
        found=$(there "${arguments[@]}" --backend $backend --format json --quiet | digest) || true
        printf '%-20s %-20s %4s s  %s\n' "$name" "$backend" "$((SECONDS - begun))" "${found:-$(tr -d '\r' <"$folder/stderr" | head -c 300)}"
        if [ "$found" != "$right" ]; then miss "$name on $backend: $right on this machine"; fi
    done
done
[ "$ran" = 1 ] || die "no run is named so: $pattern"
exit $failed
