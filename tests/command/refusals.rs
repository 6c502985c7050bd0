//! Bad input.

use super::*;

/// Each: what is given on the heap, and what the one line of the error must name.
const BAD: [(&[&str], &[&str]); 40] = [
    (&["--service", "constant:2e9"], &["'constant:2e9'", "below 2^30"]),
    (&["--service", "constant:1.5e9"], &["'constant:1.5e9'", "below 2^30"]),
    (&["--service", "exponential:5e7"], &["'exponential:5e7'", "the longest time is 1143", "below 2^30"]),
    (&["--side", "0"], &["'0'", "--side", "from 1 to 32767"]),
    (&["--side", "-3"], &["-3"]),
    (&["--side", "1.5"], &["'1.5'", "--side", "whole number"]),
    (&["--width", "0", "--height", "4"], &["'0'", "--width", "from 1 to 1073741823"]),
    (&["--width", "4"], &["--height"]),
    (&["--height", "4"], &["--width"]),
    (&["--side", "4", "--width", "4", "--height", "4"], &["--side", "--width"]),
    (&["--side", "40000"], &["'40000'", "--side", "from 1 to 32767"]),
    (&["--side", "0x20"], &["'0x20'", "--side", "whole number"]),
    (&["--width", "40000", "--height", "40000"], &["height is 40000", "from 1 to 26843", "width is 40000"]),
    (&["--tokens", "0"], &["no token ever reaches station 'facility 0'"]),
    (&["--side", "4294967296"], &["'4294967296'", "--side"]),
    (&["--side", "1000", "--tokens", "4295"], &["4295000000 tokens", "2147483647"]),
    (&["--tokens", "-1"], &["'-1'", "--tokens"]),
    (&["--seed", "-1"], &["'-1'", "--seed"]),
    (&["--seed", "x"], &["'x'", "--seed"]),
    (&["--until", "-5"], &["until is -5"]),
    (&["--until", "0"], &["until is 0"]),
    (&["--until", "NaN"], &["until is NaN"]),
    (&["--until", "inf"], &["until is inf"]),
    (&["--until", "soon"], &["'soon'", "--until", "a number"]),
    (&["--warmup", "-1"], &["warm-up time is -1"]),
    (&["--warmup", "NaN"], &["warm-up time is NaN"]),
    (&["--until", "100", "--warmup", "100"], &["warm-up time is 100", "below until"]),
    (&["--window", "10"], &["window is 10", "below 10, which station 'facility 0' allows"]),
    (&["--window", "-0.5"], &["window is -0.5"]),
    (&["--window", "NaN"], &["window is NaN"]),
    (&["--service", "gumbel:3"], &["'gumbel:3'", "--service", "known laws are"]),
    (&["--service", "exponential:-1"], &["'exponential:-1'", "at least 0.000001 and below 2^30"]),
    (&["--adapter", "0"], &["--adapter", "--backend heap"]),
    (&["--no-int64"], &["--no-int64", "--backend heap"]),
    (&["--compile-limit", "5"], &["--compile-limit", "--backend heap"]),
    (&["--batch-limit", "5"], &["--batch-limit", "--backend heap"]),
    (&["--batch-limit", "0"], &["'0'", "--batch-limit", "from 0.001 to 1000000"]),
    (&["--compile-limit", "0"], &["'0'", "--compile-limit", "from 0.001 to 1000000"]),
    (&["--facilities", "no/such/folder/out.csv"], &["no/such/folder/out.csv", "cannot be written"]),
    (&["--format", "xml"], &["'xml'", "text, json"]),
];

fn refused(arguments: &[&str], named: &[&str]) {
    let output = output(arguments);
    let error = text(&output.stderr);
    assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0), "{arguments:?}: {error}");
    assert_eq!(error.lines().count(), 1, "{arguments:?}: {error}");
    assert!(error.starts_with("tickless: error: "), "{arguments:?}: {error}");
    for part in named {
        assert!(error.contains(part), "{arguments:?}: '{part}' is missing from {error}");
    }
}

#[test]
fn bad_input_is_refused_in_one_line() {
    for (arguments, named) in BAD {
        let all = with(&["torus", "--backend", "heap"], arguments);
        refused(&all.iter().map(String::as_str).collect::<Vec<_>>(), named);
    }
    refused(&["torus", "--backend", "opencl"], &["'opencl'", "auto, wgpu, cuda, heap"]);
    let network = "examples/networks/server.toml";
    refused(&["network", network, "--backend", "wgpu"], &["station 'disks' has 4 servers", "window above 0"]);
    refused(&["network", network, "--exact", "--window", "1"], &["--exact", "--window"]);
    refused(&["network", network, "--exact", "--approximate", "1"], &["--exact", "--approximate"]);
    refused(&["torus", "--exact", "--window", "1"], &["--exact", "--window"]);
    refused(&["torus", "--exact", "--approximate", "1"], &["--exact", "--approximate"]);
    refused(&["torus", "--adapter", ""], &["--adapter"]);
    refused(&["simulate"], &["'simulate'"]);
    // What a run may be given and its resumption may not.
    for option in ["--side", "--until"] {
        let said = text(&output(&["resume", "run.ckpt", option, "8"]).stderr);
        assert!(
            said.contains(&format!("'{option}' found: a run goes on with the options that it was given")),
            "{said}"
        );
        assert!(said.contains("has to begin anew (see tickless resume --help)") && !said.contains("tip"), "{said}");
    }
    // Names of earlier versions.
    refused(
        &["torus", "--every", "10m"],
        &["'--every' found: --every is now --checkpoint-interval (see tickless torus"],
    );
    refused(&["torus", "--budget=60"], &["found: --budget is now --time-limit, and --max-replications of tickless"]);
    refused(&["cells", "rules", "x.ma", "--room", "9"], &["'--room' found: --room is now --max-waiting (see"]);
    refused(&["resume", "run.ckpt", "--retri", "3"], &["tip: a similar argument exists: '--retry' (see tickless"]);
    refused(&["compare", "torus", "--backends", "heap"], &["two or more"]);
    refused(&["compare", "torus", "--backends", "heap,heap"], &["heap and heap", "the same"]);
    refused(&["compare", "torus", "--backends", "wgpu,wgpu-words", "--no-int64"], &["the same under --no-int64"]);
    refused(&["compare", "torus", "--backends", "heap,abacus"], &["'abacus'", "wgpu-words"]);
    if has_adapter("bad_input_is_refused_in_one_line") {
        refused(&["torus", "--adapter", "no such adapter"], &["'no such adapter'", "there are: 0"]);
        refused(&["torus", "--adapter", "99"], &["'99'", "there are: 0"]);
        refused(&["compare", "torus", "--adapter", "99"], &["'99'"]);
    }
}

/// What does something to a terminal, or is layout elsewhere, is shown for what it is.
#[test]
fn control_characters_are_shown_escaped() {
    refused(&["torus", "--side", "1\u{1b}[31m\n2"], &["'1\\u{1b}[31m\\n2'", "--side"]);
    refused(&["torus", "--until=1\t2"], &["'1\\t2'", "--until"]);
    refused(&["torus", "--service", "expo\tn\nential:3"], &["'expo\\tn\\nential:3'", "'expo\\tn\\nential' is no law"]);
    refused(&["compare", "torus", "--backends", "hea\np,wgpu"], &["'hea\\np'"]);
    refused(&["cells", "no\nsuch\u{7}.ma"], &["no\\nsuch\\u{7}.ma cannot be read"]);
    refused(&["sim\rulate"], &["'sim\\rulate'"]);
}

/// Help stands below what is wrong.
#[test]
fn a_command_without_its_name_is_said_to_lack_it() {
    for words in [&[][..], &["cells"], &["compare"], &["compare", "cells"]] {
        let output = output(words);
        let said = text(&output.stderr);
        let name = [&["tickless"], words].concat().join(" ");
        let first = format!("tickless: error: '{name}' lacks what to do: add one of the commands below\n");
        assert!(said.starts_with(&first) && said.contains("Commands:\n"), "{said}");
        assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0), "{words:?}");
    }
}

/// A folder that cannot be written is said one time, not once for each kernel.
#[test]
fn a_folder_of_kernels_that_cannot_be_written_is_said_once() {
    let file = path("no-folder");
    for entry in text(&output(&["kernels"]).stdout).lines().filter(|line| !line.starts_with(' ')) {
        std::fs::create_dir_all(file.join(format!("{}.wgsl", entry.replace('/', ".")))).unwrap();
    }
    let output = output(&["kernels", "--write", file.to_str().unwrap()]);
    let said = text(&output.stderr);
    std::fs::remove_dir_all(&file).unwrap();
    assert_eq!((output.status.code(), said.matches("cannot be written").count()), (Some(2), 1), "{said}");
}

/// Copies the files of a folder, and of all folders in it.
fn copy_folder(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for path in std::fs::read_dir(from).unwrap().map(|entry| entry.unwrap().path()) {
        let copy = to.join(path.file_name().unwrap());
        if path.is_dir() {
            copy_folder(&path, &copy);
        } else {
            std::fs::copy(&path, copy).unwrap();
        }
    }
}

/// A kernel that is being worked on comes from a copy of `shaders/`; a folder without it is said, not passed over.
#[test]
fn a_changed_kernel_is_tried_without_a_build() {
    const KERNEL: [&str; 2] = ["kernels", "processes/initialize@phold-heap"];
    let folder = path("changed-kernels");
    copy_folder(Path::new("shaders"), &folder);
    let pcg = std::fs::read_to_string("shaders/lib/pcg32.wgsl").unwrap();
    std::fs::write(folder.join("lib/pcg32.wgsl"), pcg.replace("high >> 13u", "high >> 14u")).unwrap();
    let printed = |folder: &Path| command(&KERNEL).env("TICKLESS_SHADERS", folder).output().unwrap();
    let (changed, built) = (text(&printed(&folder).stdout), text(&output(&KERNEL).stdout));
    assert!(built.contains("high >> 13u"), "{built}");
    assert_eq!(changed, built.replace("high >> 13u", "high >> 14u"));
    assert!(text(&printed(&folder.join("none")).stderr).contains("name a whole copy of shaders/"));
}

#[test]
fn help_and_version_are_no_errors() {
    for arguments in [&["--help"][..], &["torus", "--help"], &["compare", "torus", "-h"], &["--version"]] {
        let output = output(arguments);
        assert_eq!((output.status.code(), output.stderr.len()), (Some(0), 0), "{arguments:?}");
        assert!(output.stdout.starts_with(b"tickless") || text(&output.stdout).contains("Usage: tickless"));
    }
    assert_eq!(output(&[]).status.code(), Some(2));
    // An experiment has a file or a model, and never both.
    for words in [&["experiment"][..], &["compare", "experiment"]] {
        let help = text(&output(&[words, &["--help"]].concat()).stdout);
        let name = ["tickless"].iter().chain(words).copied().collect::<Vec<_>>().join(" ");
        for usage in
            [format!("Usage: {name} [OPTIONS] <FILE.toml>\n"), format!("       {name} <MODEL> [OPTIONS] --vary ")]
        {
            assert!(help.contains(&usage), "{usage} in {help}");
        }
        assert!(help.contains("\nModels:\n") && !help.contains("[FILE.toml]"), "{help}");
    }
}

/// 32,000 x 32,000 facilities are more than most machines hold, and are refused before anything is allocated.
#[cfg(target_os = "linux")]
#[test]
fn too_little_memory_is_said_with_what_fits() {
    let meminfo = std::fs::read_to_string("/proc/meminfo").unwrap();
    let line = meminfo.lines().find(|line| line.starts_with("MemAvailable:")).unwrap();
    let kibibytes: u64 = line.split_whitespace().nth(1).unwrap().parse().unwrap();
    if kibibytes > 150 << 20 {
        let _ =
            writeln!(std::io::stderr(), "skipped: too_little_memory_is_said_with_what_fits: this machine has enough");
        return;
    }
    let named = ["32000 x 32000", "GiB of memory for the heap", "GiB are available", "use at most ", " stations"];
    refused(&["torus", "--backend", "heap", "--side", "32000"], &named);
}
