//! Models that do not fit into the memory of the process: an error with what is needed and what there is, never a crash.

use std::process::{Command, Output, Stdio};

use super::{command, has_adapter, output, path, text};

/// The number of the signal of an abort.
const SIGABRT: u32 = 6;

/// Runs the command in a process of so many thousand kibibytes of address space.
fn within(kibibytes: u32, arguments: &[&str]) -> Output {
    let limited = format!("ulimit -v {kibibytes}; exec \"$@\"");
    let mut command = Command::new("sh");
    command.args(["-c", &limited, "sh", env!("CARGO_BIN_EXE_tickless")]).args(arguments);
    command.env("RUST_BACKTRACE", "0").output().unwrap()
}

/// One line of an error that says what is needed, what there is and what to do.
fn refused(kibibytes: u32, arguments: &[&str]) {
    let output = within(kibibytes, arguments);
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{arguments:?}: {said}");
    let errors: Vec<&str> = said.lines().filter(|line| line.starts_with("tickless: error: ")).collect();
    let [error] = errors[..] else { panic!("{arguments:?}: {said}") };
    assert!(error.contains(" need ") || error.contains(" asked, "), "{arguments:?}: {error}");
    assert!(error.contains(" available"), "{arguments:?}: {error}");
    assert!(error.contains("use ") || error.contains("raise "), "{arguments:?}: {error}");
    assert_eq!(text(&output.stdout), "");
}

#[test]
fn spaces_that_are_made_up_are_refused_before_they_are() {
    refused(4_000_000, &["cells", "fire", "--side", "12000", "--backend", "heap"]);
    refused(4_000_000, &["cells", "watershed", "--side", "30000", "--backend", "heap"]);
    refused(400_000, &["cells", "fire", "--side", "3000", "--backend", "heap"]);
}

#[test]
fn networks_that_are_listed_are_refused() {
    refused(400_000, &["torus", "--side", "2500", "--backend", "heap"]);
    refused(1_000_000, &["torus", "--side", "2500", "--distributions", "--backend", "heap"]);
    refused(500_000, &["torus", "--side", "2000", "--approximate", "1", "--backend", "heap"]);
    refused(300_000, &["torus", "--side", "900", "--warmup", "auto", "--until", "1", "--backend", "heap"]);
    refused(2_000_000, &["torus", "--side", "10", "--tokens", "800000", "--backend", "heap"]);
}

/// What a checkpoint takes is counted before the run, and where that is there the run leaves them: it does not end in an abort.
#[test]
fn checkpoints_are_counted() {
    let file = path("memory.ckpt");
    let file = file.to_str().unwrap();
    let torus = ["torus", "--side", "700", "--until", "0.5", "--backend", "heap"];
    let kept = [&torus[..], &["--checkpoint", file, "--checkpoint-interval", "0.1"]].concat();
    refused(430_000, &kept);
    assert_eq!(within(430_000, &torus).status.code(), Some(0));
    let output = within(850_000, &kept);
    let said = text(&output.stderr);
    assert_eq!((output.status.code(), said.as_str()), (Some(0), ""));
    let cells =
        ["cells", "fire", "--side", "1200", "--backend", "heap", "--checkpoint", file, "--checkpoint-interval", "0.1"];
    refused(300_000, &cells);
}

#[test]
fn a_report_of_too_many_stations_is_refused_before_the_run() {
    let file = path("large.toml");
    let torus = "until = 3\n\n[generate]\nkind = \"torus\"\nwidth = 3000\nheight = 3000\ntokens = 1\n";
    std::fs::write(&file, format!("{torus}service = \"exponential:10\"\n")).unwrap();
    refused(2_500_000, &["network", file.to_str().unwrap(), "--backend", "heap"]);
    std::fs::remove_file(&file).unwrap();
}

/// What a check takes is asked for before the first station is made.
#[test]
fn generated_networks_are_refused_before_they_are_made() {
    let file = path("generated.toml");
    for kind in [
        "kind = 'ring'\nstations = 5000000",
        "kind = 'tandem'\ninterval = 'constant:2'\nstations = 5000000",
        "kind = 'random-regular'\ndegree = 2\nstations = 3500000",
        "kind = 'scale-free'\nedges = 1\nstations = 3500000",
    ] {
        std::fs::write(&file, format!("[generate]\n{kind}\nservice = 'constant:1'\ntokens = 1\n")).unwrap();
        refused(1_000_000, &["network", file.to_str().unwrap(), "--backend", "heap"]);
        let output = within(1_000_000, &["network", file.to_str().unwrap(), "--backend", "heap"]);
        assert!(text(&output.stderr).contains("stations and") && text(&output.stderr).contains("line 1: "));
    }
    std::fs::remove_file(&file).unwrap();
}

/// What is wrong with a torus is said before it is listed, for which there would be no memory here.
#[test]
fn a_wrong_torus_is_refused_before_its_stations_are_listed() {
    for (options, part) in [
        (&["--distributions", "--until", "-1"][..], "until is -1;"),
        (&["--distributions=desk"], "there are 'facility 0' to 'facility 6249999'"),
        (&["--distributions=facility 6250000"], "no station is named 'facility 6250000'"),
        (&["--distributions=facility 07"], "no station is named 'facility 07'"),
        (&["--approximate", "1", "--window", "2"], "give one of them"),
        (&["--approximate", "0"], "interval of approximate time is 0"),
    ] {
        let output = within(400_000, &[&["torus", "--side", "2500", "--backend", "heap"], options].concat());
        let said = text(&output.stderr);
        assert!(output.status.code() == Some(2) && said.contains(part), "{options:?}: {said}");
    }
}

/// A machine whose adapters cannot be listed says why.
#[test]
fn devices_say_why_there_are_none() {
    let output = within(300_000, &["devices"]);
    let shown = text(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert!(shown.contains("no adapter can be listed: address space") && shown.contains("ulimit -v"), "{shown}");
    assert!(!shown.contains("mesa-vulkan-drivers"), "{shown}");
    let json: serde_json::Value =
        serde_json::from_slice(&within(300_000, &["devices", "--format", "json"]).stdout).unwrap();
    assert!(json["problem"].as_str().unwrap().contains("ulimit -v") && json["adapters"].as_array().unwrap().is_empty());
}

#[test]
fn processes_and_rules_are_refused() {
    refused(400_000, &["phold", "--processes", "20000000", "--population", "1", "--backend", "heap"]);
    refused(100_000, &["search", "--side", "6000", "--backend", "heap"]);
    refused(500_000, &["search", "--side", "5000", "--backend", "heap", "--threads", "8"]);
    // What there is room for at first differs with the threads that have started: none of these may end in an abort.
    for limit in (410_000..470_000).step_by(20_000) {
        refused(limit, &["search", "--side", "5000", "--backend", "heap", "--searches", "8"]);
    }
    refused(400_000, &["search", "--side", "9", "--searches", "100000000", "--backend", "heap"]);
    refused(400_000, &["search", "--side", "2000", "--searches", "100000", "--keep-paths", "--backend", "heap"]);
    let file = path("large.ma");
    let rules = "[top]\ncomponents : a\n\n[a]\ntype : cell\ndim : (4000, 4000)\ndelay : transport\ndefaultDelayTime : 100\n\
                 border : wrapped\nneighbors : a(0,0)\ninitialvalue : 0\nlocaltransition : r\n\n[r]\nrule : 0 100 { t }\n";
    std::fs::write(&file, rules).unwrap();
    refused(400_000, &["cells", file.to_str().unwrap(), "--backend", "heap"]);
    std::fs::remove_file(&file).unwrap();
}

#[test]
fn a_driver_without_room_is_an_error() {
    if has_adapter("a_driver_without_room_is_an_error") {
        for limit in [300_000, 700_000, 1_000_000] {
            refused(limit, &["torus", "--side", "12", "--until", "5", "--backend", "wgpu"]);
        }
    }
}

#[test]
fn little_memory_is_enough_for_little() {
    for arguments in [
        &["torus", "--side", "12", "--until", "5", "--backend", "heap"][..],
        &["torus", "--side", "12", "--until", "5"],
        &["cells", "fire", "--side", "64", "--replications", "4", "--until", "60", "--backend", "heap"],
        &["phold", "--processes", "64", "--population", "2", "--until", "5", "--backend", "heap"],
        &["search", "--side", "100", "--searches", "50", "--keep-paths", "--backend", "heap"],
    ] {
        let output = within(300_000, arguments);
        assert_eq!(output.status.code(), Some(0), "{arguments:?}: {}", text(&output.stderr));
    }
}

/// An allocation of Rust's own lists that is refused aborts the process, as drivers do: the exit code is that of an error.
#[test]
fn an_abort_is_an_error() {
    let long = ["phold", "--processes", "64", "--population", "2", "--until", "1000000", "--backend", "heap"];
    let mut run = command(&long).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let status = format!("/proc/{}/status", run.id());
    let handled = || {
        let text = std::fs::read_to_string(&status).unwrap_or_default();
        let mask = text.lines().find_map(|line| line.strip_prefix("SigCgt:"));
        mask.is_some_and(|mask| u64::from_str_radix(mask.trim(), 16).is_ok_and(|mask| mask >> (SIGABRT - 1) & 1 == 1))
    };
    while !handled() && run.try_wait().unwrap().is_none() {
        std::thread::yield_now();
    }
    assert!(Command::new("kill").args(["-s", "ABRT", &run.id().to_string()]).status().unwrap().success());
    assert_eq!(run.wait().unwrap().code(), Some(2));
}

/// A queue that grows during the run until there is no memory ends it as an error.
#[test]
fn a_list_that_grows_without_end_is_an_error() {
    let file = path("grows.toml");
    let network = "until = 100000000\n[[station]]\nname = 'a'\nservice = 'constant:1000000'\n[[sink]]\nname = 'out'\n\
                   [[source]]\nname = 'in'\ninterval = 'constant:1'\nto = 'a'\n[[route]]\nfrom = 'a'\nto = 'out'\n";
    for delay in ["", "delay = 100000000\n"] {
        let passing = network.replace("1000000'", "0.5'");
        let network = if delay.is_empty() { network } else { &passing };
        let more = "[[station]]\nname = 'b'\nservice = 'constant:0.5'\n[[route]]\nfrom = 'b'\nto = 'out'\n";
        let text_of = match delay {
            "" => network.to_owned(),
            delay => network.replace("to = 'out'\n", "to = 'b'\n") + delay + more,
        };
        std::fs::write(&file, text_of).unwrap();
        let output = within(100_000, &["network", file.to_str().unwrap(), "--backend", "heap"]);
        let said = text(&output.stderr);
        assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0), "{said}");
        assert!(said.contains("memory allocation of"), "{said}");
    }
    std::fs::remove_file(&file).unwrap();
}

/// The stack that the shell leaves a program is not what ranks and models take.
#[test]
fn a_small_stack_is_enough() {
    let alone = output(&["phold", "--processes", "64", "--until", "5", "--backend", "heap"]);
    for kibibytes in [64, 16] {
        for ranks in ["--ranks 4", "--backend heap"] {
            let program = env!("CARGO_BIN_EXE_tickless");
            let line = format!("ulimit -s {kibibytes}; exec {program} phold --processes 64 --until 5 {ranks}");
            // The environment lies on the stack, too: cargo's alone may take half of it.
            let output = Command::new("/bin/sh").args(["-c", &line]).env_clear().output().unwrap();
            assert_eq!((output.status.code(), text(&output.stderr).as_str()), (Some(0), ""), "{line}");
            let digest = |shown: &[u8]| text(shown).lines().find(|line| line.contains("digest")).map(str::to_owned);
            assert_eq!(digest(&output.stdout), digest(&alone.stdout), "{line}");
        }
    }
}
