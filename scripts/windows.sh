#!/usr/bin/env bash
# Builds the command for Windows and compares small runs of every family by Wine: on the heap, through Vulkan, and through DX12 with kernels
# compiled by FXC. Every digest must be that of the heap on this machine. Then it tries what Windows has of its own: paths, ends of lines,
# Ctrl-C. It runs before a release; CI checks that the command compiles.
#
#   scripts/windows.sh [PATTERN]   all of it, or what has a name that matches an extended regular expression
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/packages.sh
. scripts/wine.sh
. scripts/small_runs.sh

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
adapter() { there devices | tr -d '\r' | awk -v wanted="$1" '/^ *wgpu [0-9]/ { sub(":", "", $2); n = $2 } $1 == "interface" && $2 == wanted { print n; exit }'; }

failed=0 ran=0
miss() { printf 'FAILED %s\n' "$*"; failed=1; }

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

# What is no run on a device: a name, and a command that fails where it is wrong.
smoke() {
    local name=$1
    shift
    if ! grep -qE "$pattern" <<<"$name"; then return; fi
    ran=1
    if "$@"; then printf '%-20s right\n' "$name"; else miss "$name"; fi
}
# A folder whose name is not ASCII, as this machine and as Windows name it.
own=$folder/grün_日本
rm -rf "$own"
mkdir -p "$own"
windows="Z:${own//\//\\}"

# Whether there are two digests, and they are equal.
is() { [ -n "$1" ] && [ "$1" = "$2" ]; }
ends_with() {
    local wanted=$1 code=0
    shift
    there "$@" >"$folder/stdout" || code=$?
    [ "$code" = "$wanted" ]
}
exit_codes() {
    ends_with 0 torus --side 8 --until 20 --backend heap && ends_with 2 torus --side 0 && grep -q -- '--side' "$folder/stderr" &&
        ends_with 2 network "$windows\\none.toml" && grep -q 'none.toml' "$folder/stderr"
}
ends_of_lines() {
    local file right
    for file in examples/networks/clinic.toml examples/cells/life.ma; do
        sed 's/$/\r/' "$file" >"$own/${file##*/}"
    done
    right=$(here network examples/networks/clinic.toml --until 200 --warmup 50 --backend heap --format json | digest)
    is "$right" "$(there network "$windows\\clinic.toml" --until 200 --warmup 50 --backend heap --format json | digest)" || return 1
    right=$(here cells rules examples/cells/life.ma --until 1000 --backend heap --format json | digest)
    is "$right" "$(there cells rules "$windows\\life.ma" --until 1000 --backend heap --format json | digest)"
}
files() {
    local arguments=(cells rules examples/cells/life.ma --until 1000 --backend heap --quiet)
    here "${arguments[@]}" --values "$own/here.csv" --log "$own/here.log" >/dev/null
    there "${arguments[@]}" --values "$windows\\there.csv" --log "$windows\\there.log" --report "$windows\\page.html" >/dev/null
    cmp "$own/here.csv" "$own/there.csv" && cmp "$own/here.log" "$own/there.log" && grep -q '</html>' "$own/page.html"
}
a_result_is_repeated() {
    there torus --side 8 --until 20 --backend heap --format json >"$own/result.json"
    ends_with 0 rerun "$windows\\result.json" || return 1
    sed -i 's/"until": 20.0/"until": 21.0/' "$own/result.json"
    ends_with 1 rerun "$windows\\result.json"
}
# Ctrl-C leaves a checkpoint, from which the run goes on to the end that nobody's Ctrl-C has.
ctrl_c() {
    local code=0 run arguments=(phold --processes 1024 --population 16 --until 6000 --backend heap --format json --quiet)
    "$wine" "$folder/tickless.exe" "${arguments[@]}" --checkpoint "$windows\\run.ckpt" >"$own/interrupted.json" 2>/dev/null &
    run=$!
    sleep 6
    kill -INT "$run"
    wait "$run" || code=$?
    [ "$code" = 130 ] && grep -q '"interrupted": true' "$own/interrupted.json" || return 1
    is "$(here "${arguments[@]}" | digest)" "$(there resume "$windows\\run.ckpt" --format json --quiet | digest)"
}
smoke 'exit codes' exit_codes
smoke 'ends of lines' ends_of_lines
smoke 'files and pages' files
smoke 'rerun' a_result_is_repeated
smoke 'ctrl-c' ctrl_c
[ "$ran" = 1 ] || die "no run is named so: $pattern"
exit $failed
