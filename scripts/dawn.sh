#!/usr/bin/env bash
# Has Dawn, the WebGPU of Chromium, execute small runs of every family, with WebGPU's default limits, no 64-bit integers and no subgroups,
# on whatever Vulkan there is. The runs are recorded on wgpu, where each has the heap's digest; Dawn is asked the same, and every word that
# it answers must be equal.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/packages.sh

[ $# = 0 ] || die "it takes no arguments"
scripts/validate_wgsl.sh --fetch
scripts/test.sh --install
records=$(realpath -m "${CARGO_TARGET_DIR:-target}")/records
rm -rf "$records"
mkdir -p "$records"
TICKLESS_RECORDS=$records CI=dawn cargo test "${built[@]}" --test families -- --ignored --exact records::of_every_family >/dev/null
node scripts/dawn.mjs "$(find "$(realpath -m "${CARGO_TARGET_DIR:-target}")/dawn" -path '*/webgpu/index.js' | head -n 1)" "$records"
