#!/usr/bin/env bash
# Runs every test of tickless. Where there is no Vulkan adapter it first installs a software one (Mesa's lavapipe), and
# where there is no NVRTC, with which kernels are compiled for CUDA, it fetches that from PyPI into the target folder.
#
#   scripts/test.sh [arguments of cargo test]
#   scripts/test.sh --install                   installs what CI needs, alone
#
# In CI (CI is set) the tests always run on lavapipe, so that every machine tests the same; elsewhere on the adapter
# that `tickless --backend auto` takes. On lavapipe and without arguments two executables of tests run at a time, and each says the
# processor seconds that it took. VK_DRIVER_FILES, where it is set, is left as it is.
set -euo pipefail
cd "$(dirname "$0")/.."

# Mesa 22.3 and 24.0 end a loop after 65,535 iterations without an error; 25 does not.
mesa_needed=25

. scripts/packages.sh

# The description of lavapipe that the Vulkan loader reads; its name differs between versions of Mesa.
lavapipe() {
    local file
    for file in /usr/share/vulkan/icd.d/lvp_icd*.json /etc/vulkan/icd.d/lvp_icd*.json; do
        if [ -e "$file" ]; then echo "$file"; return; fi
    done
}

# Whether a version of mesa-vulkan-drivers is new enough.
is_new() { [ -n "$1" ] && dpkg --compare-versions "$1" ge "$mesa_needed"; }

installed() {
    dpkg-query -W -f='${db:Status-Abbrev}${Version}\n' "$1" 2>/dev/null | sed -n 's/^ii *//p'
}

candidate() { apt-cache policy mesa-vulkan-drivers 2>/dev/null | sed -n 's/^ *Candidate: //p' | grep -v none; }

# Adds Debian's backports to the package sources, from the place that has the release itself.
add_backports() {
    local entry file=/etc/apt/sources.list.d/tickless-backports
    entry=$(scripts/backports.sh /etc/apt bookworm)
    [ -n "$entry" ] ||
        die "no entry of 'bookworm' with 'main' in /etc/apt, of which one for backports could be made:" \
            "add bookworm-backports to the package sources, or install Mesa $mesa_needed or newer, and run again"
    case $entry in deb\ *) file=$file.list ;; *) file=$file.sources ;; esac
    printf '%s\n' "$entry" | as_root tee "$file" >/dev/null
    if ! apt update || ! apt-cache policy | grep -q bookworm-backports; then
        as_root rm "$file"
        die "the backports that /etc/apt leads to cannot be read (this entry was tried and removed again):" "$entry"
    fi
}

install_lavapipe() {
    if ! command -v apt-get >/dev/null; then
        [ -n "$(lavapipe)" ] || die "no lavapipe, and no apt-get: install Mesa's Vulkan drivers (25 or newer)"
        return 0
    fi
    if is_new "$(installed mesa-vulkan-drivers)" && [ -n "$(installed libvulkan1)" ]; then return 0; fi
    say "installing a software Vulkan adapter (libvulkan1, mesa-vulkan-drivers)"
    apt update
    local from=()
    if ! is_new "$(candidate)"; then
        local codename
        codename=$(. /etc/os-release && echo "${VERSION_CODENAME:-}")
        [ "$codename" = bookworm ] ||
            die "this release offers Mesa '$(candidate)', and $mesa_needed is needed: enable its updates and run again"
        if ! apt-cache policy | grep -q bookworm-backports; then add_backports; fi
        from=(-t bookworm-backports)
    fi
    apt install -y --no-install-recommends "${from[@]}" libvulkan1 mesa-vulkan-drivers
    [ -n "$(lavapipe)" ] || die "mesa-vulkan-drivers brought no lavapipe"
}

# NVIDIA's run-time compiler, for which no GPU is needed: the CUDA toolkit's, or the one of its Python package.
nvrtc_package='nvidia-cuda-nvrtc>=13,<14'

nvrtc() { find "$1" -name 'libnvrtc.so.*' 2>/dev/null | head -n 1; }

install_nvrtc() {
    local folder=${CARGO_TARGET_DIR:-target}/nvrtc
    if [ -n "$(nvrtc /usr/local/cuda/lib64)" ] || ldconfig -p 2>/dev/null | grep -q 'libnvrtc\.so\.1[234] '; then return 0; fi
    if [ -z "$(nvrtc "$folder")" ]; then from_pypi NVRTC "$nvrtc_package" "$folder"; fi
    TICKLESS_NVRTC=$(realpath "$(nvrtc "$folder")")
    export TICKLESS_NVRTC
}

command -v cargo >/dev/null || die "cargo is missing: install Rust (https://rustup.rs)"
if ! command -v cc >/dev/null; then
    say "installing a linker (gcc, libc6-dev)"
    apt update
    apt install -y --no-install-recommends gcc libc6-dev
fi

if [ "${1:-}" = --install ]; then
    if [ -z "${VK_DRIVER_FILES:-}" ]; then install_lavapipe; fi
    if [ -z "${TICKLESS_NVRTC:-}" ] && [ "$(uname)" = Linux ]; then install_nvrtc; fi
    exit 0
fi

# Building first makes the command, which knows best whether there is a GPU that works.
cargo test "${built[@]}" --no-run "$@"
has_gpu() {
    local command profile
    for profile in debug release; do
        command=${CARGO_TARGET_DIR:-target}/$profile/tickless
        if [ -x "$command" ]; then
            "$command" torus --side 2 --until 1 --backend wgpu >/dev/null 2>&1 &&
                "$command" devices --format json | grep '"kind"' | grep -qv '"software"'
            return
        fi
    done
    return 1
}

if [ -z "${VK_DRIVER_FILES:-}" ] && { [ -n "${CI:-}" ] || ! has_gpu; }; then
    install_lavapipe
    VK_DRIVER_FILES=$(lavapipe)
    export VK_DRIVER_FILES
fi
case ${VK_DRIVER_FILES:-} in *lvp_icd*) software=yes ;; *) software= ;; esac
# A processor that compiles kernels takes a fifth of the time with vectors of two lanes and no passes that make code
# faster; and with the same lanes everywhere, every machine tests the same. Other adapters do not read these.
export LP_NATIVE_VECTOR_WIDTH=${LP_NATIVE_VECTOR_WIDTH:-64} GALLIVM_PERF=${GALLIVM_PERF:-nopt}
if [ -z "${TICKLESS_NVRTC:-}" ] && [ "$(uname)" = Linux ]; then install_nvrtc; fi
# What Mesa asks of LLVM, in an order in which it takes half the time; and the same time whatever was compiled before.
if [ -n "$software" ] && [ "$(uname)" = Linux ] && [ -z "${LD_PRELOAD:-}" ]; then
    passes=$(realpath "${CARGO_TARGET_DIR:-target}")/llvm_passes.so
    cc -O1 -shared -fPIC -o "$passes" scripts/llvm_passes.c -ldl
    export LD_PRELOAD=$passes
fi

# The modules of an executable of tests one after the other, each in a process of its own: kernels of all networks in one process take
# 2 GB of memory.
by_module() {
    local all module failed=0
    all=$("$1" --list | sed -n 's/: test$//p')
    # A name without a module is a module of its own.
    for module in $(sed 's/::.*//' <<<"$all" | sort -u); do
        # shellcheck disable=SC2046 # the names of tests have no spaces
        "$1" --exact $(grep -E "^$module(::|$)" <<<"$all") || failed=1
    done
    return $failed
}
export -f by_module

# One executable of tests, or the documentation and the tests in it. What it says is shown when it has ended.
one() {
    . scripts/packages.sh
    local said how=Ran begun=$SECONDS command=("$1")
    # What kernels are made of, reductions over subgroups among it, in vectors of four lanes: larger subgroups, and fewer of them.
    if [[ ${1##*/} = parts-* ]]; then command=(env LP_NATIVE_VECTOR_WIDTH=128 "$1"); fi
    # Cells go through many rounds with few kernels, which are soon faster for what they take longer to compile.
    if [[ ${1##*/} = cells-* ]]; then command=(env GALLIVM_PERF= "$1"); fi
    if [[ ${1##*/} = network-* ]]; then command=(by_module "$1"); fi
    if [ "$1" = documentation ]; then command=(env RUSTDOC="$PWD/scripts/rustdoc.sh" cargo test "${built[@]}" --doc); fi
    said=$(mktemp)
    TIMEFORMAT='%U %S'
    { time "${command[@]}" >"$said" 2>&1; } 2>"$said.time" || how=FAILED
    printf '\n     %s: %s, %s s, %s processor seconds\n' "$how" "$1" "$((SECONDS - begun))" "$(awk 'END { printf "%.0f", $1 + $2 }' "$said.time")"
    cat "$said"
    rm "$said" "$said.time"
    [ "$how" = Ran ]
}
export -f one

# Two executables at a time: each ends with a test that takes longer than the others, and cargo would wait for it.
two_at_a_time() {
    # The longest first: the last one that begins keeps the others waiting.
    local all name long=(network command cells processes tickless_command tickless_queueing conformance cuda pathfinding ranks examples)
    all=$(CARGO_TERM_COLOR=never cargo test "${built[@]}" --no-run 2>&1 |
        sed -n 's/^ *Executable .*(\(.*\))$/\1/p')
    [ -n "$all" ] || die "cargo names no executable of tests"
    # scripts/mpi.sh runs those over MPI.
    all=$(grep -vE '/mpi-[0-9a-f]*$' <<<"$all")
    { for name in "${long[@]}"; do grep -E "/$name-[0-9a-f]*$" <<<"$all" || true; done
      for name in "${long[@]}"; do all=$(grep -vE "/$name-[0-9a-f]*$" <<<"$all"); done
      echo documentation; echo "$all"; } |
        xargs -P 2 -I '{}' bash -c 'one "{}"' || die "tests have failed: look for FAILED above"
}

# Without an adapter every device test fails instead of being skipped.
export CI=${CI:-local}
if [ $# = 0 ] && [ -n "$software" ]; then two_at_a_time; else cargo test "${built[@]}" "$@"; fi
