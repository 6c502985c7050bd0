#!/usr/bin/env bash
# Small runs of every family through CUDA under NVIDIA's compute-sanitizer: no access out of bounds, no race in the memory of a workgroup, no
# memory read before it is written, no barrier that some threads miss; and the heap's digest. Last it takes a barrier out of a reduction,
# which must be found. It runs before a release, on a machine with an NVIDIA GPU and the CUDA toolkit.
#
#   scripts/sanitize.sh             builds the command and runs it
#   scripts/sanitize.sh COMMAND     runs a command that was built elsewhere, with the feature cuda and debug assertions, at the root of a
#                                   checkout
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/packages.sh
. scripts/small_runs.sh

tickless=${1:-}
if [ -z "$tickless" ]; then
    CARGO_PROFILE_RELEASE_DEBUG_ASSERTIONS=true cargo build --locked --release --features cuda
    tickless=${CARGO_TARGET_DIR:-target}/release/tickless
fi
command -v compute-sanitizer >/dev/null || die "compute-sanitizer is missing: it comes with the CUDA toolkit"
said=$(mktemp -d)
trap 'rm -rf "$said"' EXIT

# A tool over a run: what it found, and the digest.
watched() {
    local tool=$1
    shift
    rm -f "$said/log" "$said/json"
    touch "$said/log" "$said/json"
    compute-sanitizer --tool "$tool" --print-limit 5 --log-file "$said/log" "$tickless" "$@" --backend cuda --format json --quiet \
        >"$said/json" 2>"$said/stderr" || true
    sed -n 's/.*\(ERROR SUMMARY\|RACECHECK SUMMARY\): //p' "$said/log" | tail -n 1
}

failed=0
for run in "${runs[@]}"; do
    name=${run%%:*} run=${run#*:}
    read -ra arguments <<<"${run%%|*}"
    case $run in *"|"*) read -ra own <<<"${run#*|}" ;; *) own=() ;; esac
    "$tickless" "${arguments[@]}" --backend heap --format json --quiet >"$said/heap"
    [ -n "$(digest <"$said/heap")" ] || die "$name has no digest on the heap"
    for tool in memcheck racecheck initcheck synccheck; do
        found=$(watched "$tool" "${arguments[@]}" "${own[@]}")
        printf '%-20s %-10s %s\n' "$name" "$tool" "${found:-$(head -c 300 "$said/stderr" "$said/log")}"
        [[ $found = 0\ * ]] && [ "$(digest <"$said/json")" = "$(digest <"$said/heap")" ] || failed=1
    done
done

[ "$failed" = 0 ] || exit 1
# The same tool finds what is missing here.
cp -r shaders "$said/shaders"
sed -i '0,/    workgroupBarrier();/{/    workgroupBarrier();/d}' "$said/shaders/lib/entry_subgroups.wgsl"
found=$(TICKLESS_SHADERS=$said/shaders watched racecheck torus --side 64 --until 40 --window 1)
printf '%-20s %-10s %s\n' "a barrier less" racecheck "$found"
case $found in '' | 0\ *) die "racecheck does not find a barrier that is missing" ;; esac
