"""Runs of networks: the command's digests, their arguments, and what ends them."""

import os
import resource
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from conftest import QUEUE, Digest

import tickless as tl


def test_digests_are_those_of_the_command(networks: Path, digest_of_command: Digest) -> None:
    for name in ["clinic", "emergency", "call-centre"]:
        file = networks / f"{name}.toml"
        run = tl.Network.from_toml(file).run(until=900, warmup=100, replications=3, seed=7, backend="heap")
        options = ["--until", "900", "--warmup", "100", "--replications", "3", "--seed", "7"]
        assert run.digest == digest_of_command("network", file, *options), name
        assert run.digest != digest_of_command("network", file, *options[:-1], "8"), name
        assert (run.until, run.warmup, run.replications, run.backend, run.adapter) == (900, 100, 3, "heap", None)
        assert run.rerun().digest == run.digest


@pytest.mark.usefixtures("adapter")
def test_a_device_has_the_same_bits(queue: tl.Network) -> None:
    heap, device = (queue.run(replications=4, backend=backend) for backend in ["heap", "wgpu"])
    assert (device.backend, device.digest, device.events) == ("wgpu", heap.digest, heap.events)
    assert device.adapter
    assert device.rerun(backend="heap").digest == heap.digest


def test_texts_paths_and_files_of_jmt(tmp_path: Path) -> None:
    (tmp_path / "visits.csv").write_text("1\n2.5\n7\n")
    text = QUEUE.replace('interval = "exponential:4"', 'trace = "visits.csv"')
    file = tmp_path / "queue.toml"
    file.write_text(text)
    by_path, by_text = tl.Network.from_toml(file), tl.Network.from_toml(str(file))
    assert by_path.stations == ["desk"]
    assert by_path.toml == by_text.toml and "2.5" in by_path.toml
    # Its numbers are in the text from then on.
    (tmp_path / "visits.csv").unlink()
    assert tl.Network.from_toml(by_path.toml).run().digest == by_path.run().digest
    jmt = tmp_path / "model.jsimg"
    jmt.write_text("<sim/>")
    with pytest.raises(tl.ModelError, match="model.jsimg"):
        tl.Network.from_jsimg(jmt)


def test_what_is_wrong_is_named(queue: tl.Network, tmp_path: Path) -> None:
    with pytest.raises(tl.ModelError, match="line 17: `interval` is .exponential:0."):
        tl.Network.from_toml(QUEUE.replace("exponential:3", "exponential:0"))
    with pytest.raises(tl.ModelError, match="until is -1; it must be above 0"):
        queue.run(until=-1)
    with pytest.raises(ValueError, match="invalid value .0. for .--replications"):
        queue.run(replications=0)
    with pytest.raises(ValueError, match="backend is 'gpu'; it must be 'auto', 'heap', 'wgpu' or 'cuda'"):
        queue.run(backend="gpu")
    with pytest.raises(FileNotFoundError, match="nowhere.toml"):
        tl.Network.from_toml(tmp_path / "nowhere.toml")
    with pytest.raises(tl.ModelError, match="'utilization' is probably meant"):
        queue.run()["station.desk.utilisation"]
    assert issubclass(tl.ModelError, tl.TicklessError) and issubclass(tl.RunError, tl.TicklessError)


def test_a_run_that_cannot_go_on_says_so() -> None:
    stuck = QUEUE.replace('service = "exponential:1.5"', 'service = "exponential:1.5"\nseizes = { key = 1 }')
    stuck += '[[resource]]\nname = "key"\nunits = 1\n'
    stuck = stuck.replace('to = "home"\n', 'to = "desk"\n').replace("patience", "# ")
    stuck = stuck.replace('[[sink]]\nname = "home"\n', "")
    stuck += '[[station]]\nname = "other"\nservice = "constant:1"\ntokens = 1\nseizes = { key = 1 }\n'
    stuck += '[[route]]\nfrom = "other"\nto = "other"\n'
    with pytest.raises(tl.RunError, match="key"):
        tl.Network.from_toml(stuck).run()


def test_threads_run_at_the_same_time(queue: tl.Network) -> None:
    alone = [queue.run(replications=3, seed=seed, backend="heap").digest for seed in range(4)]
    found = ["", "", "", ""]

    def run(seed: int) -> None:
        found[seed] = queue.run(replications=3, seed=seed, backend="heap").digest

    threads = [threading.Thread(target=run, args=(seed,)) for seed in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == alone


INTERRUPTED = """
import tickless as tl
network = tl.Network.from_toml('''{queue}''')
try:
    print("begins", flush=True)
    network.run(until=1e9, replications=2, backend="heap")
except KeyboardInterrupt:
    print("interrupted", network.run(backend="heap").digest)
"""


def test_ctrl_c_ends_a_run(queue: tl.Network) -> None:
    program = [sys.executable, "-c", INTERRUPTED.format(queue=QUEUE)]
    with subprocess.Popen(program, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "begins\n"
        process.send_signal(signal.SIGINT)
        assert process.communicate(timeout=60)[0] == f"interrupted {queue.run(backend='heap').digest}\n"
    assert process.returncode == 0


FORKED = """
import os, tickless as tl
make = lambda: tl.Network.from_toml('''{queue}''')

def child(use):
    process = os.fork()
    if process == 0:
        try:
            use()
        except tl.TicklessError as error:
            print(error, flush=True)
            os._exit(3)
        os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])

print(child(lambda: make().run(replications=8, backend="heap").digest), flush=True)
network = make()
run = lambda: network.run(replications=8, backend="heap")
simulate = tl.simulator(network, ["station.desk.servers"], ["network.throughput"], backend="heap")
done = run()
uses = [make, run, lambda: simulate([[1], [2]]), lambda: done.digest, done.figures, lambda: done["network.throughput"]]
print([child(use) for use in uses])
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork there")
def test_a_fork_behind_a_use_is_refused() -> None:
    program = [sys.executable, "-W", "ignore", "-c", FORKED.format(queue=QUEUE)]
    said = subprocess.run(program, check=True, capture_output=True, text=True, timeout=60).stdout.splitlines()
    # Before it a fork is as good as any process.
    assert said[0] == "0" and said[-1] == "[3, 3, 3, 3, 3, 3]", said
    assert all("forked" in line and "spawn" in line for line in said[1:-1])


def test_memory_does_not_grow(queue: tl.Network) -> None:
    def most() -> int:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

    for _ in range(100):
        queue.run(until=20, backend="heap")
    before = most()
    for _ in range(1000):
        queue.run(until=20, backend="heap").figures()
    # Kilobytes: a result that was kept would have some.
    assert most() - before < 8000, (before, most())


def test_a_bar_shows_how_far_it_is(queue: tl.Network, capsys: pytest.CaptureFixture[str]) -> None:
    queue.run(progress=True, backend="heap")
    assert "100%" in capsys.readouterr().err
