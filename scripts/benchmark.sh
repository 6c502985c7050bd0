#!/usr/bin/env bash
# Measures a backend beside the heap simulator, another backend and other programs on this machine; prints a Markdown
# table. See --help.
set -euo pipefail
cd "$(dirname "$0")/.."
command -v python3 >/dev/null || { echo "benchmark.sh: python3 is missing" >&2; exit 1; }
exec python3 - "$@" <<'PYTHON'
import argparse, json, os, re, statistics, subprocess, sys

LAST = """Other programs are called as PATH SIDE D UNTIL and print a line with '... M completions/s'. They can also be
named in TICKLESS_OTHERS and TICKLESS_CORES, separated by blanks."""
parser = argparse.ArgumentParser(prog="scripts/benchmark.sh", epilog=LAST, description=(
    "Completions per second of a torus (one token a facility, exponential service of mean 10) on a device and on the "
    "heap simulator or another device, alternating; medians and their ratios. Their digests must be the same."))
parser.add_argument("--sides", type=int, nargs="+", default=[64, 128, 256, 512, 1024, 2048])
parser.add_argument("--windows", type=float, nargs="+", default=[0.25, 0.5, 1, 2])
parser.add_argument("--exact", action="store_true",
                    help="run the law as it is written, beside the same backend and other programs with the windows")
parser.add_argument("--repeats", type=int, default=3, help="runs of each program in a cell (3)")
parser.add_argument("--seconds", type=float, default=1.0, help="about how long a run on the adapter takes (1)")
parser.add_argument("--backend", default="wgpu", choices=["wgpu", "cuda"], help="what is measured (wgpu)")
parser.add_argument("--beside", choices=["heap", "wgpu", "cuda"], default="heap",
                    help="what it is held against, digests included (heap)")
parser.add_argument("--adapter", help="as tickless --adapter takes it; else auto's")
parser.add_argument("--no-int64", action="store_true", help="times of two words")
parser.add_argument("--binary", default=os.environ.get("CARGO_TARGET_DIR", "target") + "/release/tickless")
parser.add_argument("--other", action="append", default=os.environ.get("TICKLESS_OTHERS", "").split(),
                    metavar="NAME=PATH", help="a program on a device, run to the adapter's horizon")
parser.add_argument("--core", action="append", default=os.environ.get("TICKLESS_CORES", "").split(),
                    metavar="NAME=PATH", help="a program on one core, run to the heap's horizon")
options = parser.parse_args()
if not os.access(options.binary, os.X_OK):
    sys.exit(f"benchmark.sh: {options.binary} is missing: run cargo build --release first")

# Events of a run on one core, and per facility and time unit.
CORE_EVENTS, DENSITY = 5e6, 0.053


def call(command):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"benchmark.sh: {' '.join(map(str, command))}: {done.stderr.strip() or done.stdout.strip()}")
    return done.stdout


def torus(backend, side, window, until):
    command = [options.binary, "torus", "--format", "json", "--side", side, "--window", window, "--until", until]
    command += ["--backend", backend]
    if backend != "heap":
        command += ["--adapter", options.adapter] if options.adapter else []
        command += ["--no-int64"] if options.no_int64 else []
    return json.loads(call(command))


def program(path, side, window, until):
    output = call([path, side, window, until])
    found = re.search(r"([0-9.]+) *([kMG]?) *completions/s", output)
    if not found:
        sys.exit(f"benchmark.sh: {path} printed no 'completions/s': {output.strip()}")
    return float(found[1]) * {"": 1, "k": 1e3, "M": 1e6, "G": 1e9}[found[2]]


def named(pairs):
    return [pair.split("=", 1) if "=" in pair else (os.path.basename(pair), pair) for pair in pairs]


def rate(value):
    for unit, name in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if value >= unit:
            return f"{value / unit:.3g} {name}"
    return f"{value:.3g}"


def ratio(value):
    return f"{value:.2f}x" if value < 10 else f"{value:.0f}x"


def processor():
    try:
        with open("/proc/cpuinfo") as file:
            return next(line.split(":", 1)[1].strip() for line in file if line.startswith("model name"))
    except (OSError, StopIteration):
        return "an unknown processor"


others, cores = named(options.other), named(options.core)
mine, beside = options.backend, options.beside
first = torus(mine, 64, 1, 20)
adapter = first["adapter"]
int64 = "native 64-bit integers" if adapter["capabilities"]["int64"] else "times of two words"
print(f"{adapter['name']} ({adapter['backend']}, {adapter['driver']}, {int64}); host: {processor()}, "
      f"{os.cpu_count()} threads; tickless {first['version']}; medians of {options.repeats} alternating runs.\n")
exact = f"{mine}, exact" if options.exact else mine
columns = ["side", "d", f"{exact}, completions/s", "events a round", "us a round", beside, f"{mine} / {beside}"]
windowed = [f"{mine}, window"] if options.exact else []
for name in windowed + [name for name, _ in others + cores]:
    columns += [name, f"{mine} / {name}"]
print("| " + " | ".join(columns) + " |\n|" + "---|" * len(columns), flush=True)

for side in options.sides:
    for window in options.windows:
        core_until = round(max(50, CORE_EVENTS / (DENSITY * side * side)), 1)
        # The first run on the adapter says how long a run may be, and whether its bits are right.
        law = 0 if options.exact else window
        probe = torus(mine, side, law, core_until)
        fits = probe["events_per_second"] * options.seconds / (DENSITY * side * side)
        until = round(min(max(fits, 100), 1e6), 1)
        # The heap runs for as long as a core takes; a device to the same horizon as the other.
        beside_until = core_until if beside == "heap" else until
        own, theirs, rates = [], [], {name: [] for name in windowed + [name for name, _ in others + cores]}
        for _ in range(options.repeats):
            own.append(torus(mine, side, law, until))
            theirs.append(torus(beside, side, law, beside_until))
            for name in windowed:
                rates[name].append(torus(mine, side, window, until)["events_per_second"])
            for name, path in others:
                rates[name].append(program(path, side, window, until))
            for name, path in cores:
                rates[name].append(program(path, side, window, core_until))
        if (probe if beside == "heap" else own[0])["digest"] != theirs[0]["digest"]:
            sys.exit(f"benchmark.sh: the digests differ at side {side}, window {window}: a defect")
        speed = statistics.median(run["events_per_second"] for run in own)
        other = statistics.median(run["events_per_second"] for run in theirs)
        each = own[0]["events"] / own[0]["rounds"]
        row = [side, f"{window:g}", rate(speed), f"{each:,.0f}", f"{each / speed * 1e6:.1f}", rate(other)]
        row.append(ratio(speed / other))
        for name in rates:
            other = statistics.median(rates[name])
            row += [rate(other), ratio(speed / other)]
        print("| " + " | ".join(map(str, row)) + " |", flush=True)
PYTHON
