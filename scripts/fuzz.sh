#!/usr/bin/env bash
# Fuzzes what reads the texts of users, one target after the other. It needs a nightly compiler and cargo-fuzz.
#
#   scripts/fuzz.sh [SECONDS of each [TARGET ...]]
#
# It begins with the examples, results and logs of small runs, and what earlier calls have found (fuzz/corpus).
set -euo pipefail
cd "$(dirname "$0")/.."
# No driver is opened: what is read is fuzzed, and nothing runs on a device.
export VK_DRIVER_FILES=/dev/null

seconds=${1:-60}
shift || true
[ $# -gt 0 ] || set -- $(cd fuzz/fuzz_targets && basename -s .rs ./*)

corpus() { mkdir -p "fuzz/corpus/$1"; cat > "fuzz/corpus/$1/seed-$2"; }
tickless() { cargo run --quiet -- "$@"; }

seeds() {
    local name file law
    for file in examples/networks/*.toml; do sed s/1000/100/ "$file" | corpus network "$(basename "$file")"; done
    for file in examples/cells/*.ma; do
        # Behind a rule file stand those that it names, each behind a line of `===`.
        name=$(basename "$file" .ma)
        for side in "$file" examples/cells/"$name".[!m]*; do
            [ ! -e "$side" ] || { [ "$side" = "$file" ] || echo ===; cat "$side"; }
        done | corpus rules "$name"
    done
    for law in exponential:10 constant:10 uniform:5,15 erlang:3,10 hyperexponential:0.25,4,12; do
        printf %s "$law" | corpus law "${law%%:*}"
    done
    printf 'ncols 3\nnrows 2\nxllcenter 15\nyllcorner 0\ncellsize 30\nNODATA_value -9\n1 0 102\n-9 99 1\n' | corpus grid small
    printf '# of a day\nminutes,wind_kmh,wind_adjustment,wind_from,moisture_1h,moisture_10h,moisture_100h,moisture_herb,moisture_woody
0,20,0.4,270,6,7,8,60,90\n60,25,0.4,300,5,7,8,60,90\n' | corpus weather day
    printf 'polygon,x,y,minutes\n,100,200,0\nfield,0,0,5\nfield,90,0,5\nfield,0,90,5\n' | corpus ignition two
    for file in examples/epidemic/epidemic.wgsl shaders/processes/phold.wgsl shaders/queueing/arrival.wgsl; do
        corpus wgsl "$(basename "$file")" < "$file"
    done
    printf 'import constants::{WORKGROUP};\nstruct A { a: array<u32, 4> }\nvar<storage, read_write> a: A;
fn run(i: u32) {\n  a.a[i] += WORKGROUP;\n}\n' | corpus wgsl small
    printf 'type octile\nheight 2\nwidth 3\nmap\n..@\nG.T\n' | corpus map small
    printf 'version 1\n3\tempty.map\t8\t8\t0\t0\t3\t4\t5.24264069\n' | corpus scenario one
    printf 'letter,cost\n.,1\nS,3\n@,0\n' | corpus terrain swamp
    local folder
    folder=$(mktemp -d)
    tickless torus --side 4 --until 50 --backend heap --format json | corpus rerun torus
    tickless network examples/networks/clinic.toml --backend heap --format json | corpus rerun network
    tickless phold --until 5 --processes 16 --backend heap --format json | corpus rerun phold
    tickless cells fire --side 8 --until 60 --backend heap --format json --log "$folder/fire" | corpus rerun fire
    tickless cells examples/cells/life.ma --until 300 --backend heap --format json --log "$folder/rules" | corpus rerun rules
    tickless cells watershed --side 4 --hours 1 --until 60 --backend heap --format json --log "$folder/rain" | corpus rerun watershed
    tickless search --side 8 --searches 5 --backend heap --format json --paths "$folder/paths" | corpus rerun search
    corpus paths small < "$folder/paths"
    rm "$folder/paths"
    for file in "$folder"/*; do corpus log "$(basename "$file")" < "$file"; done
    rm -r "$folder"
}

seeds
for target in "$@"; do
    dictionary=fuzz/dictionaries/$target.dict
    cargo +nightly fuzz run -s none "$target" -- -max_total_time="$seconds" -timeout=10 -rss_limit_mb=1500 \
        $([ ! -e "$dictionary" ] || echo "-dict=$dictionary")
done
