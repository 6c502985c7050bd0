#!/usr/bin/env bash
# Runs every test of tickless. Where there is no Vulkan adapter it first installs a software one (Mesa's lavapipe).
#
#   scripts/test.sh [arguments of cargo test]
#
# In CI (CI is set) the tests always run on lavapipe, so that every machine tests the same; elsewhere on the adapter
# that `tickless --backend auto` takes. VK_DRIVER_FILES, where it is set, is left as it is.
set -euo pipefail
cd "$(dirname "$0")/.."

# Mesa 22.3 and 24.0 end a loop after 65,535 iterations without an error; 25 does not.
mesa_needed=25

say() { printf 'test.sh: %s\n' "$*" >&2; }
die() { say "$*"; exit 1; }

as_root() {
    if [ "$(id -u)" = 0 ]; then "$@"
    elif command -v sudo >/dev/null; then sudo "$@"
    else die "packages are missing ($*), and there is no sudo: run this as root once"
    fi
}

apt() { as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq -o Dpkg::Use-Pty=0 "$@" >/dev/null; }

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
        if ! apt-cache policy | grep -q bookworm-backports; then
            echo 'deb http://deb.debian.org/debian bookworm-backports main' |
                as_root tee /etc/apt/sources.list.d/tickless-backports.list >/dev/null
            apt update
        fi
        from=(-t bookworm-backports)
    fi
    apt install -y --no-install-recommends "${from[@]}" libvulkan1 mesa-vulkan-drivers
    [ -n "$(lavapipe)" ] || die "mesa-vulkan-drivers brought no lavapipe"
}

command -v cargo >/dev/null || die "cargo is missing: install Rust (https://rustup.rs)"
if ! command -v cc >/dev/null; then
    say "installing a linker (gcc, libc6-dev)"
    apt update
    apt install -y --no-install-recommends gcc libc6-dev
fi

# Building first makes the command, which knows best whether there is an adapter that works.
cargo test --locked --no-run "$@"
has_adapter() {
    local command profile
    for profile in debug release; do
        command=${CARGO_TARGET_DIR:-target}/$profile/tickless
        if [ -x "$command" ]; then
            "$command" torus --side 2 --until 1 --backend wgpu >/dev/null 2>&1
            return
        fi
    done
    return 1
}

if [ -z "${VK_DRIVER_FILES:-}" ] && { [ -n "${CI:-}" ] || ! has_adapter; }; then
    install_lavapipe
    VK_DRIVER_FILES=$(lavapipe)
    export VK_DRIVER_FILES
fi
# Without an adapter every device test fails instead of being skipped.
CI=${CI:-local} cargo test --locked "$@"
