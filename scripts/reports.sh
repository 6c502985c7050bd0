#!/usr/bin/env bash
# Pages of --report in a browser: draws one of every model in light and dark, as wide as a screen and as a phone, and fails where a page
# says something on the console or asks a network for anything. To be looked at afterwards: the pictures are in target/reports.
#
#   scripts/reports.sh [COMMAND]           (target/release/tickless)
#
# It needs Chromium (Debian, Ubuntu: apt-get install chromium).
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/packages.sh
command=${1:-target/release/tickless}
[ -x "$command" ] || die "$command is missing: build it with cargo build --release, or name another one"
command -v chromium >/dev/null || die "chromium is missing (Debian, Ubuntu: apt-get install chromium)"
folder=${CARGO_TARGET_DIR:-target}/reports
mkdir -p "$folder"

# A page, in one size and theme. What its page says comes with CONSOLE, and a request that is refused with ERR_.
draw() {
    local name=$1 size=$2 theme=$3 said options=()
    if [ "$theme" = dark ]; then options=(--force-dark-mode --blink-settings=preferredColorScheme=0); fi
    said=$(chromium --headless --no-sandbox --disable-gpu --hide-scrollbars --enable-logging=stderr \
        --host-resolver-rules='MAP * ~NOTFOUND' --window-size="$size" "${options[@]}" \
        --screenshot="$folder/$name-${size%,*}-$theme.png" "file://$(realpath "$folder/$name.html")" 2>&1 |
        grep -E 'CONSOLE|net::ERR_' || true)
    [ -z "$said" ] || die "$name, $size, $theme: $said"
    [ -s "$folder/$name-${size%,*}-$theme.png" ] || die "$name, $size, $theme: nothing was drawn"
}

page() {
    local name=$1
    shift
    "$command" "$@" --backend heap --report "$folder/$name.html" >/dev/null 2>&1 || die "tickless $* failed"
    for size in 390,2400 1400,2400; do
        for theme in light dark; do draw "$name" "$size" "$theme"; done
    done
    say "$name: four pictures"
}

page torus torus --side 256 --until 100
page network network examples/networks/clinic.toml --until 3000 --replications 20 --series-step 30 --distributions
page server network examples/networks/server.toml --until 8000
page experiment experiment examples/networks/emergency.toml --until 6000 --replications 4
page optimize optimize examples/networks/line.toml --until 1500 --max-replications 1000
page phold phold --processes 256 --until 20
page search search --side 128
page fire cells fire --side 128
page watershed cells watershed --side 128 --until 1800
page rules cells examples/cells/life.ma --until 2000
page reproduce reproduce park --quick
