# Small runs of every family, for scripts that try devices. It is sourced by them.

# The digest in a result.
digest() { tr -d '\r' | sed -n 's/.*"digest": "\(.*\)".*/\1/p' | tail -n 1; }

# Name, arguments, and those of a run on a device alone.
runs=(
    'torus windows:torus --side 16 --until 40 --window 1'
    'torus appointments:torus --side 16 --until 40 --exact'
    'network in rounds:network examples/networks/ring.toml --until 200 --warmup 50'
    'network of sources:network examples/networks/clinic.toml --until 200 --warmup 50 --window 1'
    'network of classes:network examples/networks/stages.toml --replications 20'
    'resources:network examples/networks/emergency.toml --replications 4'
    'phold:phold --processes 64 --population 4 --until 20'
    'phold in a ring:phold --processes 64 --population 4 --until 20|--pending circular'
    'fire:cells fire --side 32'
    'watershed:cells watershed --side 16'
    'rules:cells rules examples/cells/life.ma --until 1000'
    'searches:search --side 32 --searches 20'
)
