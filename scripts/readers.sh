#!/usr/bin/env bash
# Runs docs/visits-in-python.md: its commands by the tickless of the target folder, built with --features parquet, its Python by packages of
# PyPI, which are fetched into the target folder. Fails where a block prints other lines than those below it.
#
#   scripts/readers.sh            fetches the packages, where they are not there, and runs the page
#   scripts/readers.sh --fetch    fetches the packages alone
set -euo pipefail
cd "$(dirname "$0")/.."

packages=(polars==2.1.0 pm4py==2.7.23.11 vidigi==2.0.0)

. scripts/packages.sh

target=$(realpath -m "${CARGO_TARGET_DIR:-target}")
folder=$target/readers
# The file that says which packages are there, and for which Python, is written last.
there="$(python3 --version) ${packages[*]}"
if [ "$(cat "$folder/packages" 2>/dev/null)" != "$there" ]; then
    say "fetching ${packages[*]} into $folder"
    needs_pip
    rm -rf "$folder"
    PIP_ROOT_USER_ACTION=ignore python3 -m pip install --quiet --no-compile --no-warn-conflicts --only-binary=:all: --target "$folder/modules" "${packages[@]}" >&2
    printf '%s' "$there" >"$folder/packages"
fi
case ${1:-} in
    '') ;;
    --fetch) exit 0 ;;
    *) say "it takes --fetch or nothing"; exit 2 ;;
esac

[ -x "$target/debug/tickless" ] || die "there is no $target/debug/tickless: cargo build --features parquet makes it"
ln -sfn "$PWD/examples" "$folder/examples"
PATH=$target/debug:$PATH PYTHONPATH=$folder/modules python3 - "$PWD/docs/visits-in-python.md" "$folder" <<'PROGRAM'
import os, re, subprocess, sys

page, folder = sys.argv[1:]
with open(page) as file:
    blocks = re.findall(r"^```(\w+)\n(.*?)^```$", file.read(), re.M | re.S)
os.chdir(folder)
kinds = [kind for kind, _ in blocks]
if kinds != ["sh"] + ["python", "text"] * 3:
    sys.exit(f"{page} has these blocks: {kinds}; it shall have the commands, and three programs with what they print")
printed = ""
for kind, text in blocks:
    if kind in ("sh", "python"):
        # What a program says of itself is on its other stream, and is shown where it fails.
        program = ["bash", "-e"] if kind == "sh" else [sys.executable, "-"]
        run = subprocess.run(program, input=text, text=True, capture_output=True)
        if run.returncode:
            sys.exit(f"{page}: this fails:\n{text}{run.stderr}")
        printed = run.stdout
    elif printed != text:
        sys.exit(f"{page} shows\n{text}and that printed\n{printed}")
PROGRAM
