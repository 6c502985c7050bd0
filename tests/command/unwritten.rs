//! Files that cannot be written: the result is said all the same, and an old file stays whole.

use super::cells::Files;
use super::network::CLINIC;
use super::*;

const FIRE: [&str; 6] = ["cells", "fire", "--side", "9", "--backend", "heap"];
const WATER: [&str; 8] = ["cells", "watershed", "--side", "9", "--until", "60", "--backend", "heap"];
const LIFE: [&str; 6] = ["cells", "examples/cells/life.ma", "--until", "500", "--backend", "heap"];
const TORUS: [&str; 5] = ["torus", "--backend", "heap", "--side", "12"];

/// The one line of an error with its parts, beside a result.
fn beside_a_result(output: &Output, parts: &[&str]) {
    let (shown, said) = (text(&output.stdout), text(&output.stderr));
    let errors = said.lines().filter(|line| line.starts_with("tickless: error: ")).count();
    assert_eq!((output.status.code(), errors), (Some(2), 1), "{said}\n{shown}");
    assert!(shown.contains("digest") || shown.contains("equal"), "no result beside: {said}");
    parts.iter().for_each(|part| assert!(said.contains(part), "'{part}' is not in: {said}"));
}

/// What is in the folder of a test.
fn names(files: &Files) -> Vec<String> {
    let mut names: Vec<_> =
        std::fs::read_dir(&files.0).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_takes_no_result_away() {
    let search = ["search", "--side", "20", "--searches", "3", "--backend", "heap"];
    let phold = ["phold", "--processes", "20", "--until", "9", "--backend", "heap"];
    let network = ["network", CLINIC, "--backend", "heap", "--until", "50", "--warmup", "0"];
    let cases: [(&[&str], &[&str]); 7] = [
        (&TORUS, &["--facilities"]),
        (&network, &["--stations", "--histograms"]),
        (&phold, &["--processes-csv"]),
        (&search, &["--results", "--paths", "--picture"]),
        (&FIRE, &["--arrival", "--picture", "--growth", "--probability", "--log"]),
        (&WATER, &["--depth", "--picture", "--log"]),
        (&LIFE, &["--values", "--log"]),
    ];
    for (arguments, options) in cases {
        let files = Files::empty("full-disk");
        let named = |option| if option == "--facilities" { "--stations" } else { option };
        for option in options {
            beside_a_result(
                &output(&[arguments, &[option, "/dev/full"]].concat()),
                &["/dev/full cannot be written", "No space left", named(option)],
            );
        }
        // All of them at once.
        let parts: Vec<&str> = options.iter().map(|option| named(option)).chain(["File too large"]).collect();
        beside_a_result(&limited(arguments, options, &files), &parts);
    }
}

/// A run whose files may have no byte.
#[cfg(unix)]
fn limited(arguments: &[&str], options: &[&str], files: &Files) -> Output {
    let paths = options.iter().map(|option| (option, files.path(&format!("new{option}"))));
    let given: Vec<String> = paths.flat_map(|(option, path)| [(*option).to_owned(), path]).collect();
    let program = env!("CARGO_BIN_EXE_tickless");
    Command::new("sh")
        .args(["-c", "ulimit -f 0; exec \"$@\"", "sh", program])
        .args(arguments)
        .args(given)
        .stdin(Stdio::null())
        .output()
        .unwrap()
}

#[cfg(unix)]
#[test]
fn what_was_there_stays_whole_and_nothing_is_left_beside_it() {
    let files = Files::empty("kept");
    for name in ["new--stations", "new--log"] {
        std::fs::write(files.path(name), "kept").unwrap();
    }
    beside_a_result(&limited(&TORUS, &["--stations"], &files), &["File too large", "--stations"]);
    beside_a_result(&limited(&LIFE, &["--log", "--values"], &files), &["File too large", "--log", "--values"]);
    assert_eq!(names(&files), ["new--log", "new--stations"]);
    for name in ["new--stations", "new--log"] {
        assert_eq!(std::fs::read_to_string(files.path(name)).unwrap(), "kept");
    }
}

/// A second Ctrl-C ends the process at once, and leaves nothing that is not whole.
#[cfg(unix)]
#[test]
fn an_interrupted_run_leaves_nothing_beside_its_files() {
    let files = Files::empty("interrupted");
    let log = files.path("rain.log");
    let rain = ["cells", "watershed", "--side", "64", "--hours", "240000", "--until", "860000000", "--backend", "heap"];
    for signals in [1, 2] {
        let mut run = command(&[&rain[..], &["--log", &log]].concat()).stdout(Stdio::null()).spawn().unwrap();
        // What ends before the first outputs leaves no file at all.
        while names(&files)
            .iter()
            .all(|name| std::fs::metadata(files.path(name)).map_or(0, |file| file.len()) < 1 << 16)
        {
            std::thread::sleep(std::time::Duration::from_millis(20));
        }
        for _ in 0..signals {
            Command::new("kill").args(["-INT", &run.id().to_string()]).status().unwrap();
        }
        assert_eq!(run.wait().unwrap().code(), Some(130));
        if signals == 1 {
            assert_eq!(names(&files), ["rain.log"]);
            std::fs::remove_file(&log).unwrap();
        }
        assert!(names(&files).iter().all(|name| name == "rain.log"), "{:?}", names(&files));
    }
}

/// The other way round: the files are whole where standard output is not.
#[cfg(target_os = "linux")]
#[test]
fn a_full_standard_output_takes_no_file_away() {
    let files = Files::empty("stdout");
    let stations = files.path("stations.csv");
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let run = command(&[&TORUS[..], &["--stations", &stations]].concat()).stdout(full).output().unwrap();
    let said = text(&run.stderr);
    assert_eq!(run.status.code(), Some(2), "{said}");
    assert!(said.contains("standard output cannot be written"), "{said}");
    assert_eq!(std::fs::read_to_string(&stations).unwrap().lines().count(), 1 + 144);
}

/// A result that goes nowhere is told before the run.
#[cfg(unix)]
#[test]
fn a_closed_standard_output_is_an_error() {
    for arguments in [&TORUS[..], &["devices"], &["--version"]] {
        let closed = ["-c", "exec \"$@\" >&-", "sh", env!("CARGO_BIN_EXE_tickless")];
        let run = std::process::Command::new("sh").args(closed).args(arguments).output().unwrap();
        let said = text(&run.stderr);
        assert_eq!(run.status.code(), Some(2), "{said}");
        assert!(said.contains("standard output cannot be written (Bad file descriptor"), "{said}");
    }
}

#[cfg(unix)]
#[test]
fn a_file_keeps_its_permissions_and_a_link_leads_where_it_led() {
    use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, symlink};
    let files = Files::empty("links");
    let [old, link, other] = ["old.csv", "link.csv", "other.csv"].map(|name| files.path(name));
    std::fs::write(&old, "before").unwrap();
    std::fs::set_permissions(&old, std::fs::Permissions::from_mode(0o640)).unwrap();
    assert!(output(&[&TORUS[..], &["--stations", &old]].concat()).status.success());
    let whole = std::fs::read_to_string(&old).unwrap();
    assert_eq!((whole.lines().count(), std::fs::metadata(&old).unwrap().mode() & 0o777), (145, 0o640));
    std::fs::write(&old, "before".repeat(10_000)).unwrap();
    symlink(&old, &link).unwrap();
    std::fs::hard_link(&old, &other).unwrap();
    for name in [&link, &other] {
        assert!(output(&[&TORUS[..], &["--stations", name]].concat()).status.success());
        assert!(std::fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!([&old, &other].map(|name| std::fs::read_to_string(name).unwrap()), [whole.clone(), whole.clone()]);
    }
    assert_eq!(names(&files), ["link.csv", "old.csv", "other.csv"]);
}

#[cfg(unix)]
#[test]
fn what_can_never_be_a_file_is_refused_before_the_run() {
    let files = Files::empty("never");
    let folder = files.path("");
    let long = files.path(&"x".repeat(300));
    for path in [&folder, &files.path("no/such.csv"), &files.path("new/"), &long] {
        let refused = output(&[&TORUS[..], &["--stations", path]].concat());
        let said = text(&refused.stderr);
        assert_eq!((refused.status.code(), refused.stdout.len(), said.lines().count()), (Some(2), 0, 1), "{said}");
        assert!(said.contains("--stations") && said.contains("cannot be written"), "{said}");
    }
    assert_eq!(names(&files), [""; 0]);
}

/// Every kernel or schema that cannot be written is named, and the others are.
#[cfg(target_os = "linux")]
#[test]
fn files_of_a_folder_that_cannot_be_written_are_all_named() {
    ["kernels", "schema"].into_iter().for_each(all_are_named);
}

#[cfg(target_os = "linux")]
fn all_are_named(command: &str) {
    let files = Files::empty(command);
    let folder = files.path("");
    assert!(output(&[command, "--write", &folder]).status.success());
    let all = names(&files);
    let full = [&all[0], &all[3]];
    for name in full {
        std::fs::remove_file(files.path(name)).unwrap();
        std::os::unix::fs::symlink("/dev/full", files.path(name)).unwrap();
    }
    let failed = output(&[command, "--write", &folder]);
    let said = text(&failed.stderr);
    assert_eq!((failed.status.code(), said.lines().count()), (Some(2), 1), "{said}");
    assert!(full.iter().all(|name| said.contains(name.as_str())), "{said}");
    assert_eq!(names(&files), all);
}
