//! Runs over ranks of MPI: the digest of one heap, one output, and an end whatever happens to a rank. Needs Open MPI's mpirun.
#![cfg(target_os = "linux")]

use std::path::PathBuf;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant, SystemTime};

use serde_json::Value;

const PHOLD: [&str; 7] = ["phold", "--processes", "90", "--until", "20", "--work", "3"];
const TORUS: [&str; 9] = ["torus", "--side", "20", "--tokens", "2", "--until", "60", "--window", "2"];
/// Several servers, sources and sinks, and a queue with little room.
const NETWORK: &str = "
until = 2000
station = [
    { name = 'door', service = 'uniform:0.1,0.5' },
    { name = 'desk', service = 'uniform:1,2', servers = 3 },
    { name = 'scan', service = 'constant:0.5' },
    { name = 'talk', service = 'erlang:2,1', servers = 2, capacity = 9 },
]
sink = [{ name = 'exit' }]
source = [{ name = 'street', interval = 'exponential:2', to = 'door' }]
route = [
    { from = 'door', to = 'desk' },
    { from = 'desk', to = 'scan', probability = 0.5 },
    { from = 'desk', to = 'talk', probability = 0.5, delay = 3 },
    { from = 'scan', to = 'exit' },
    { from = 'talk', to = 'desk', probability = 0.3, delay = 1 },
    { from = 'talk', to = 'exit', probability = 0.7 },
]
";
const FOREST: [&str; 6] = [
    "cells",
    concat!(env!("CARGO_MANIFEST_DIR"), "/../examples/cells/forest.ma"),
    "--until",
    "60",
    "--replications",
    "2",
];
const FIRE: [&str; 8] = ["cells", "fire", "--side", "40", "--until", "2000", "--spread", "neighbours"];
const FIRES: [&str; 8] = ["cells", "fire", "--side", "40", "--until", "600", "--replications", "3"];
const WATER: [&str; 6] = ["cells", "watershed", "--side", "20", "--until", "600"];
/// A run of hours.
const ENDLESS: [&str; 5] = ["phold", "--processes", "1000", "--until", "50000000"];
/// Far more than anything here takes, even on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// So many ranks, which may share cores.
fn command(ranks: u32, arguments: &[&str]) -> Command {
    let mut command = Command::new("mpirun");
    command.args(["--oversubscribe", "-n", &ranks.to_string(), env!("CARGO_BIN_EXE_tickless-mpi")]).args(arguments);
    command.envs([("OMPI_ALLOW_RUN_AS_ROOT", "1"), ("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1")]).stdin(Stdio::null());
    command
}

fn output(ranks: u32, arguments: &[&str]) -> Output {
    command(ranks, arguments).output().expect("mpirun: install Open MPI")
}

fn json(ranks: u32, arguments: &[&str]) -> Value {
    let output = output(ranks, &[arguments, &["--format", "json"]].concat());
    assert!(output.status.success(), "{}", text(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("one result, of rank 0")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn path(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("{}-{name}", std::process::id()))
}

/// The file of a run without MPI, whose result goes to the output of the test.
fn heap(arguments: &[&str], file: &str) -> Vec<u8> {
    let written = path("of-heap");
    let words = [&["tickless"], arguments, &["--backend", "heap", file, written.to_str().unwrap()]].concat();
    tickless::cli::run(words).unwrap_or_else(|error| panic!("{error}"));
    let bytes = std::fs::read(&written).unwrap();
    std::fs::remove_file(written).unwrap();
    bytes
}

/// Every station and every process of one heap is the same over any number of ranks, and so is the digest.
#[test]
fn runs_over_ranks_have_the_records_and_the_digest_of_one_heap() {
    let network = path("network.toml");
    std::fs::write(&network, NETWORK).unwrap();
    let file = ["network", network.to_str().unwrap(), "--warmup", "300"];
    let cases = [
        (&PHOLD[..], "--processes-csv"),
        (&TORUS, "--stations"),
        (&file, "--stations"),
        (&FOREST, "--values"),
        (&FIRE, "--log"),
        (&FIRES, "--picture"),
        (&WATER, "--depth"),
    ];
    for (arguments, option) in cases {
        let expected = heap(arguments, option);
        let alone = json(1, arguments);
        // Without files figures and digest are added up.
        for (ranks, with_file) in [(3, false), (4, true)] {
            let written = path("of-ranks");
            let file = [option, written.to_str().unwrap()];
            let over = json(ranks, &[arguments, if with_file { &file } else { &[] }].concat());
            if with_file {
                assert!(std::fs::read(&written).unwrap() == expected, "{arguments:?} over {ranks} ranks");
                std::fs::remove_file(written).unwrap();
            }
            for same in ["digest", "events", "statistics", "clock", "sinks"] {
                assert_eq!(over[same], alone[same], "{arguments:?} over {ranks} ranks: {same}");
            }
            assert_eq!((&over["ranks"], &over["threads"]), (&ranks.into(), &Value::Null));
        }
    }
    std::fs::remove_file(network).unwrap();
}

/// Every rank is told the same, and one says what is wrong with it.
#[test]
fn what_is_wrong_is_said_by_one_rank() {
    let cases: [(&[&str], &str); 12] = [
        (&["phold", "--until", "-1"], "until is -1; it must be at least a tick"),
        (&["phold", "--processes", "2"], "3 ranks are asked for a model with 2 processes"),
        (&["torus", "--side", "9", "--approximate", "1"], "no ranks share approximate time"),
        (&["phold", "--ranks", "2"], "--ranks is for threads"),
        (&["phold", "--backend", "wgpu"], "ranks are heaps, and --backend wgpu is for a device"),
        (&["phold", "--checkpoint", "none.ckpt", "--retry", "1"], "--retry is for one process"),
        (&["phold", "--checkpoint", "no/such/folder/a"], "no/such/folder/a.lock: it cannot be written"),
        (&["resume", "no/such/folder/a"], "no/such/folder/a: there is no such file"),
        (&["network", "examples/networks/none.toml"], "examples/networks/none.toml"),
        (&["search"], "no search goes over ranks: use tickless, or one of torus, network, phold, cells fire"),
        (&["cells", "fire", "--side", "2"], "3 ranks are asked for a space with 2 layers across its longest side"),
        (&["cells", "examples/cells/none.ma"], "examples/cells/none.ma"),
    ];
    for (arguments, expected) in cases {
        let output = output(3, arguments);
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{said}");
        let errors: Vec<&str> = said.lines().filter(|line| line.starts_with("tickless: error: ")).collect();
        assert_eq!(errors.len(), 1, "{said}");
        assert!(errors[0].contains(expected), "{said}");
        assert_eq!(text(&output.stdout), "");
    }
}

/// A command whose result and errors are kept.
fn spawn(ranks: u32, arguments: &[&str], limit: &str) -> Child {
    let mut command = command(ranks, arguments);
    // Who is to end does not have a second to say goodbye in.
    command.env("OMPI_MCA_odls_base_sigkill_timeout", "0");
    command.env("TICKLESS_RANK_LIMIT", limit).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().expect("mpirun: install Open MPI")
}

/// The processes below an mpirun that are there, of a rank or of all.
fn processes(child: &Child, rank: &str) -> Vec<String> {
    let wanted = format!("OMPI_COMM_WORLD_RANK={rank}");
    let is_child = |process: &String| {
        let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
        let parent = format!("PPid:\t{}\n", child.id());
        let environment = std::fs::read(format!("/proc/{process}/environ")).unwrap_or_default();
        status.contains(&parent) && text(&environment).contains(&wanted)
    };
    let names = std::fs::read_dir("/proc").unwrap().flatten().filter_map(|entry| entry.file_name().into_string().ok());
    names.filter(|name| name.parse::<u32>().is_ok()).filter(is_child).collect()
}

/// The process of a rank below an mpirun, once it is there.
fn process_of(child: &Child, rank: u32) -> String {
    let begun = Instant::now();
    while begun.elapsed() < PATIENCE {
        if let Some(process) = processes(child, &format!("{rank}\0")).pop() {
            return process;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    panic!("rank {rank} does not start");
}

/// Sends a signal to a rank when the run is under way; how mpirun ends then.
fn signalled(child: Child, rank: u32, signal: &str) -> Output {
    let process = process_of(&child, rank);
    std::thread::sleep(Duration::from_secs(1));
    ended_by(child, &process, signal)
}

/// Sends a signal to a process below an mpirun; how that ends then.
fn ended_by(mut child: Child, process: &str, signal: &str) -> Output {
    let kill = Command::new("kill").args([signal, process]).status().unwrap();
    assert!(kill.success());
    let sent = Instant::now();
    while child.try_wait().unwrap().is_none() {
        if sent.elapsed() > PATIENCE {
            // A process that is stopped hears nothing else.
            let _ = Command::new("kill").args(["-KILL", process]).status();
            child.kill().unwrap();
            panic!("the ranks go on {PATIENCE:?} after {signal}");
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    child.wait_with_output().unwrap()
}

#[test]
fn a_rank_that_is_killed_ends_all_of_them() {
    for rank in [0, 2] {
        let output = signalled(spawn(3, &ENDLESS, "600"), rank, "-KILL");
        assert!(!output.status.success());
        assert_eq!(text(&output.stdout), "");
    }
}

/// It does not end, and it does not answer: the others wait no longer than they may.
#[test]
fn a_rank_that_stands_still_ends_all_of_them_within_the_limit() {
    let output = signalled(spawn(3, &ENDLESS, "1"), 1, "-STOP");
    let said = text(&output.stderr);
    assert!(said.contains("has waited 1 s for another one"), "{said}");
    assert!(!output.status.success());
}

/// mpirun gives the signal to every rank; the first prints what there is.
#[test]
fn an_interrupted_run_prints_what_there_is() {
    let child = spawn(3, &ENDLESS, "600");
    let output = signalled(child, 0, "-INT");
    let said = text(&output.stdout);
    assert_eq!(output.status.code(), Some(130), "{}", text(&output.stderr));
    assert!(said.contains("INTERRUPTED") && said.contains("\n  digest  "), "{said}");
}

/// A checkpoint in a folder of its own.
fn checkpoint(name: &str) -> (PathBuf, String) {
    let folder = path(name);
    std::fs::create_dir_all(&folder).unwrap();
    let file = folder.join("run.ckpt").to_str().unwrap().to_owned();
    (folder, file)
}

/// When the last checkpoint was written.
fn latest(file: &str) -> Option<SystemTime> {
    let written = |file: &String| std::fs::metadata(file).and_then(|data| data.modified()).ok();
    [file.to_owned(), format!("{file}.2")].iter().filter_map(written).max()
}

fn is_there(file: &str) -> bool {
    latest(file).is_some()
}

/// Of a run of some seconds; more kills take `TICKLESS_KILLS`.
fn kills() -> u32 {
    std::env::var("TICKLESS_KILLS").map_or(10, |text| text.parse().expect("a number of kills"))
}

/// Kills a rank so long after it has begun; whether that has ended the run. Open MPI misses nobody who is gone while all begin: then
/// the others are ended here.
fn killed_after(mut child: Child, rank: u32, time: Duration) -> bool {
    let kill = |process: &str| {
        Command::new("kill").args(["-KILL", process]).stderr(Stdio::null()).status().is_ok_and(|kill| kill.success())
    };
    let process = process_of(&child, rank);
    std::thread::sleep(time);
    let killed = kill(&process);
    let sent = Instant::now();
    while child.try_wait().unwrap().is_none() {
        if sent.elapsed() > Duration::from_secs(5) {
            processes(&child, "").iter().for_each(|process| _ = kill(process));
            let _ = child.kill();
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    killed
}

/// Whichever rank is killed, and whenever: the run goes on from its last checkpoint, over any number of ranks, and ends as if
/// nothing had been.
#[test]
fn a_run_whose_ranks_are_killed_again_and_again_ends_the_same() {
    let (folder, file) = checkpoint("killed");
    // Longer than so many kills take.
    let until = (800 * kills()).to_string();
    let phold = ["phold", "--processes", "400", "--population", "4", "--lookahead", "1", "--until", &until];
    let whole = json(1, &phold);
    let begin = [&phold[..], &["--checkpoint", &file, "--checkpoint-interval", "0.01s"]].concat();
    let resume = ["resume", &file];
    let (mut word, mut killed) = (0x9e37_79b9_u32, 0);
    for kill in 0..kills() {
        word = word.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let (there, ranks) = (is_there(&file), 2 + kill % 2);
        let child = spawn(ranks, if there { &resume } else { &begin }, "600");
        let time = Duration::from_millis(50 + u64::from(word >> 16) % 400);
        killed += u32::from(killed_after(child, kill % ranks, time));
        // It has ended.
        if there && !is_there(&file) {
            break;
        }
    }
    assert!(killed >= kills() / 2, "{killed} kills");
    if is_there(&file) {
        let end = json(2, &resume);
        assert_eq!([&end["digest"], &end["events"]], [&whole["digest"], &whole["events"]]);
        assert_eq!(end["ranks"], 2);
    }
    std::fs::remove_dir_all(folder).unwrap();
}

/// Ctrl-C keeps the run; it goes on over other ranks, which read no file, and without MPI.
#[test]
fn an_interrupted_run_is_kept() {
    // Of some seconds, also on heaps that are optimized.
    let [until, side, minutes] = if cfg!(debug_assertions) { ["4000", "60", "2500"] } else { ["8000", "150", "12000"] };
    let torus = ["torus", "--side", "150", "--window", "2", "--until", until, "--warmup", "900"];
    let water = ["cells", "watershed", "--side", side, "--until", minutes];
    [&torus[..], &water].into_iter().for_each(is_kept);
}

fn is_kept(run: &[&str]) {
    let (folder, file) = checkpoint("interrupted");
    let begin = [run, &["--checkpoint", &file, "--checkpoint-interval", "0.05s"]].concat();
    let resume = ["resume", &file, "--checkpoint-interval", "0.05s"];
    for (ranks, words) in [(2, &begin[..]), (3, &resume)] {
        let before = latest(&file);
        let child = spawn(ranks, words, "600");
        let (process, begun) = (process_of(&child, 0), Instant::now());
        while latest(&file) == before && begun.elapsed() < PATIENCE {
            std::thread::sleep(Duration::from_millis(5));
        }
        let output = ended_by(child, &process, "-INT");
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(130), "{said}");
        assert!(said.contains("note: the run is kept: go on with tickless resume"), "{said}");
    }
    let (end, whole) = (json(2, &["resume", &file, "--checkpoint-interval", "1h"]), json(1, run));
    for same in ["digest", "events", "statistics", "clock"] {
        assert_eq!(end[same], whole[same], "{same}");
    }
    assert!(!is_there(&file));
    std::fs::remove_dir_all(folder).unwrap();
}
