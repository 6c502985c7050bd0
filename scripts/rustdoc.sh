#!/usr/bin/env bash
# rustdoc for cargo (RUSTDOC): before it runs the tests in the documentation it writes that, of the same build, and warnings are
# errors. By itself, cargo doc would check every dependency once more.
set -euo pipefail

arguments=() tests=
for argument in "$@"; do
    if [ "$argument" = --test ]; then tests=yes; else arguments+=("$argument"); fi
done
if [ -n "$tests" ]; then rustdoc "${arguments[@]}" -D warnings --out-dir "${CARGO_TARGET_DIR:-target}/doc"; fi
exec rustdoc "$@"
