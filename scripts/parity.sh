#!/usr/bin/env bash
# Full parity on a GPU, before a release: every model on every form of the kernels (64-bit words native or of two, with
# subgroups, on NVIDIA's through CUDA alone, and without, runtime checks, CUDA with launches in order and early), all sizes, and each family by a thousand
# schedules of workgroups and lanes, digests held against the heap. On a software adapter the same tests run only the forms that differ: there a kernel compiles for seconds.
#
#   scripts/parity.sh                    builds the tests and runs them
#   scripts/parity.sh --collect FOLDER   builds them into a folder, to be carried to a machine without Rust
#   scripts/parity.sh --run FOLDER       runs what was collected, at the root of a checkout
set -euo pipefail
cd "$(dirname "$0")/.."

tests=(parts conformance exact network processes phold cells ranks pathfinding families)

say() { printf 'parity.sh: %s\n' "$*" >&2; }

collect() {
    mkdir -p "$1"
    local name arguments=()
    for name in "${tests[@]}"; do arguments+=(--test "$name"); done
    cargo test --locked --features cuda --no-run "${arguments[@]}"
    cargo test --locked --features cuda --no-run --message-format=json "${arguments[@]}" 2>/dev/null |
        python3 -c '
import json, shutil, sys
for line in sys.stdin:
    message = json.loads(line)
    if message.get("executable") and message["target"]["kind"] == ["test"]:
        shutil.copy(message["executable"], sys.argv[1] + "/" + message["target"]["name"])' "$1"
    for name in "${tests[@]}"; do [ -x "$1/$name" ] || { say "no test named $name was built"; exit 1; }; done
}

# Runs one test of an executable; what it prints is shown where it fails.
run_test() {
    local output
    if output=$("$1" --exact "$2" 2>&1); then echo "ok $2"; else printf '%s\nFAILED %s\n' "$output" "$2"; return 1; fi
}
export -f run_test

run() {
    local name names failed=()
    # Without an adapter a test fails instead of being skipped.
    export CI=parity TICKLESS_SCHEDULES=1000
    for name in "${tests[@]}"; do
        say "$name"
        # A process a test: each opens a device for each form, and a driver loses the devices of a process that has had many.
        names=$("$1/$name" --list --format terse | sed -n 's/: test$//p' |
            grep -vxFf <("$1/$name" --list --ignored --format terse | sed -n 's/: test$//p')) || failed+=("$name has no test")
        xargs -P 4 -I{} bash -c 'run_test "$0" "$1"' "$1/$name" {} <<<"$names" || failed+=("$name")
    done
    if [ ${#failed[@]} -gt 0 ]; then say "failed: ${failed[*]}"; exit 1; fi
    say "every model is equal on every form"
}

case ${1:-} in
    '') folder=$(mktemp -d); trap 'rm -rf "$folder"' EXIT; collect "$folder"; run "$folder" ;;
    --collect) collect "${2:?a folder}" ;;
    --run) run "${2:?a folder}" ;;
    *) say "it takes --collect FOLDER or --run FOLDER"; exit 2 ;;
esac
