#!/usr/bin/env bash
# Runs the tests of the Python package: its types by mypy and stubtest, its behaviour by pytest, its notebooks by nbval. The module is that of the target folder; packages of
# PyPI are fetched into the target folder.
#
#   scripts/python.sh [arguments of pytest]   fetches the packages, where they are not there, builds the module and runs the tests
#   scripts/python.sh --fetch                 fetches the packages alone
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD

packages=(gymnasium==1.4.0 hypothesis==6.170.17 ipykernel==7.4.0 matplotlib==3.11.2 mypy==2.4.1 nbval==0.11.0 numpy==2.4.6 optuna==5.0.0 pandas==3.1.1 polars==2.1.0 pyarrow==26.0.1 pymoo==0.6.2 pytest==9.2.0 SALib==1.6.0 scipy==1.17.1 tqdm==4.70.0 types-tqdm==4.70.0.20261106 xarray==2026.9.0)

. scripts/packages.sh

target=$(realpath -m "${CARGO_TARGET_DIR:-target}")
folder=$target/python
# The file that says which packages are there, and for which Python, is written last.
there="$(python3 --version) ${packages[*]}"
if [ "$(cat "$folder/packages" 2>/dev/null)" != "$there" ]; then
    say "fetching ${packages[*]} into $folder"
    needs_pip
    rm -rf "$folder"
    # What is used is compiled when it is imported first.
    PIP_ROOT_USER_ACTION=ignore python3 -m pip install --quiet --no-compile --no-warn-conflicts --only-binary=:all: --target "$folder/modules" "${packages[@]}" >&2
    printf '%s' "$there" >"$folder/packages"
fi
if [ "${1:-}" = --fetch ]; then exit 0; fi

# In CI with all that is there by then: what tests need changes features of what the module is built on, which would be compiled once more.
only=(-p tickless -p tickless-python --lib); if [ -n "${TICKLESS_MPI:-}" ]; then only=(--all-targets); fi
cargo build "${built[@]}" "${only[@]}"
case $(uname) in Darwin) module=lib_tickless.dylib ;; *) module=lib_tickless.so ;; esac
rm -rf "$folder/package"
cp -r python "$folder/package"
cp "$target/debug/$module" "$folder/package/tickless/_tickless.abi3.so"
# A software adapter compiles faster so, as in scripts/test.sh.
export LP_NATIVE_VECTOR_WIDTH=${LP_NATIVE_VECTOR_WIDTH:-64} GALLIVM_PERF=${GALLIVM_PERF:-nopt}
export PYTHONPATH=$folder/package:$folder/modules TICKLESS_NETWORKS=$PWD/examples/networks TICKLESS_COMMAND=$target/debug/tickless
cd "$folder/package"
python3 -m mypy tickless tests recipes
python3 -m mypy.stubtest --mypy-config-file pyproject.toml tickless
python3 -m pytest -q -p no:cacheprovider --doctest-modules tickless tests "$@"
# The page of the documents and the notebooks, whose paths are those of a clone. Notebooks have the outputs that are stored in them.
cd "$root"
python3 -m doctest -o NORMALIZE_WHITESPACE docs/python.md
python3 -m pytest -q -p no:cacheprovider --nbval python/notebooks
