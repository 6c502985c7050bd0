#!/usr/bin/env bash
# Shows that every kernel is WGSL by the specification: Dawn, the WebGPU of Chromium, compiles each one. Unlike naga it
# checks that barriers are in uniform control flow. No GPU and no driver is needed. Dawn comes as a package for Node.js,
# which is fetched into the target folder; nothing of it is part of tickless.
#
# Kernels with native 64-bit integers are left out: WGSL has no such type, it is naga's extension. They have the control
# flow of the kernels in words.
#
#   scripts/validate_wgsl.sh            fetches Dawn, where it is not there, and validates
#   scripts/validate_wgsl.sh --fetch    fetches Dawn alone, so that it is there later
set -euo pipefail
cd "$(dirname "$0")/.."

dawn_package='webgpu@0.6.2'

. scripts/packages.sh

target=$(realpath -m "${CARGO_TARGET_DIR:-target}")
dawn=$target/dawn/$dawn_package
kernels=$target/kernels

for tool in node npm; do
    if ! command -v "$tool" >/dev/null; then
        say "$tool is missing: install Node.js 20 or newer with npm; Dawn, which checks the kernels, is a package for it"
        exit 1
    fi
done
if [ ! -e "$dawn/done" ]; then
    say "fetching Dawn ($dawn_package) into $dawn"
    rm -rf "$dawn"
    mkdir -p "$dawn"
    npm install --silent --no-audit --no-fund --ignore-scripts --prefix "$dawn" "$dawn_package" >&2
    touch "$dawn/done"
fi
case ${1:-} in
    '') ;;
    --fetch) exit 0 ;;
    *) say "it takes --fetch or nothing"; exit 2 ;;
esac
rm -rf "$kernels"
mkdir -p "$kernels"
# With an example, dependencies have the features that tests ask for: those need not compile them once more.
cargo build --quiet "${built[@]}" --bin tickless --example ten_lines
for reductions in '' --subgroups; do
    # shellcheck disable=SC2086 # nothing where it is empty
    "$target/debug/tickless" kernels --form words $reductions --write "$kernels/plain$reductions"
done
node scripts/validate_wgsl.mjs "$dawn/node_modules/webgpu/index.js" "$kernels"/*
