#!/usr/bin/env bash
# clippy for cargo as the compiler of this workspace (RUSTC_WORKSPACE_WRAPPER): what is built is linted by the way. Of the library
# what there is without CUDA is linted as well, on a core that has nothing to do meanwhile; nothing is built of that.
set -uo pipefail

arguments=" $* "
case $arguments in
    *' --test '*) exec clippy-driver "$@" ;;
    *' --crate-name tickless '*' --crate-type lib '*' feature="cuda" '*) ;;
    *) exec clippy-driver "$@" ;;
esac

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
without() {
    local arguments=()
    while [ $# -gt 0 ]; do
        case "$1 ${2:-}" in
            '--cfg feature="cuda"' | '--extern cudarc='* | '--extern dirs='* | '--extern libloading='*) shift 2 ;;
            --emit=*) arguments+=(--emit=metadata); shift ;;
            '--out-dir '*) arguments+=(--out-dir "$folder"); shift 2 ;;
            *) arguments+=("$1"); shift ;;
        esac
    done
    clippy-driver "${arguments[@]}"
}
without "$@" 2>"$folder/said" &
other=$!
clippy-driver "$@"
built=$?
wait "$other"
linted=$?
# cargo reads it as it does what the compiler says.
cat "$folder/said" >&2
exit $((built > 0 ? built : linted))
