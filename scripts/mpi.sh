#!/usr/bin/env bash
# Runs the tests of tickless over MPI. Where there is no mpicc, no mpirun or no libclang, which reads the headers of MPI, it first
# installs Open MPI and libclang.
#
#   scripts/mpi.sh [arguments of cargo test]
#   scripts/mpi.sh --install                   installs alone
set -euo pipefail
cd "$(dirname "$0")/.."

export TICKLESS_MPI=yes
. scripts/packages.sh

has_libclang() {
    [ -n "${LIBCLANG_PATH:-}" ] || ldconfig -p 2>/dev/null | grep -q 'libclang[-.0-9]*\.so' ||
        compgen -G '/usr/lib/llvm-*/lib/libclang.so*' >/dev/null
}

if ! command -v mpicc >/dev/null || ! command -v mpirun >/dev/null || ! has_libclang; then
    command -v apt-get >/dev/null || die "mpicc, mpirun or libclang is missing: install Open MPI and libclang"
    say "installing Open MPI and libclang (libopenmpi-dev, openmpi-bin, libclang-dev)"
    apt update
    apt install -y --no-install-recommends libopenmpi-dev openmpi-bin libclang-dev
fi
if [ "${1:-}" = --install ]; then exit 0; fi

cargo test "${built[@]}" --test mpi --bin tickless-mpi "$@"
