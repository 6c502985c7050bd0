//! Every example runs, and what it asserts holds.

#[allow(dead_code, reason = "the examples open their own devices")]
mod adapter;

use std::path::PathBuf;
use std::process::Command;

/// Where `cargo test` has put the examples: beside the folder of this test.
fn example(name: &str) -> PathBuf {
    let own = std::env::current_exe().expect("a path of this test");
    let folder = own.ancestors().nth(2).expect("a folder of builds").join("examples");
    folder.join(format!("{name}{}", std::env::consts::EXE_SUFFIX))
}

fn run(name: &str, arguments: &[&str]) {
    run_without(&[], name, arguments);
}

/// Runs an example without these variables.
fn run_without(variables: &[&str], name: &str, arguments: &[&str]) {
    let path = example(name);
    assert!(path.exists(), "{} is missing: build it with cargo build --examples", path.display());
    if adapter::native().is_none() {
        return;
    }
    let mut command = Command::new(path);
    for variable in variables {
        command.env_remove(variable);
    }
    let output = command.args(arguments).output().expect("the example starts");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{name}: {}\n{said}", output.status);
}

#[test]
fn ten_lines() {
    run("ten_lines", &[]);
}

#[test]
fn compare() {
    run("compare", &[]);
}

#[test]
fn facilities() {
    run("facilities", &[]);
}

#[test]
fn progress() {
    run("progress", &[]);
}

#[test]
fn searches() {
    run("searches", &[]);
}

#[test]
fn existing_device() {
    run("existing_device", &[]);
}

#[test]
fn epidemic() {
    run("epidemic", &[]);
}

#[test]
fn wave() {
    run("wave", &[]);
}

/// It needs no device.
#[test]
fn nexosim() {
    run("nexosim", &[]);
}

#[test]
fn approximate() {
    run("approximate", &["-r", "2", "8"]);
}

/// A new folder, which whoever gets it removes.
fn pictures(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("tickless-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder for pictures");
    folder
}

#[test]
fn picture() {
    let folder = pictures("picture");
    // Its kernels run for far longer than they compile: a software adapter compiles them as it always does.
    run_without(&["GALLIVM_PERF", "LP_NATIVE_VECTOR_WIDTH"], "picture", &[&folder.to_string_lossy(), "0.2"]);
    std::fs::remove_dir_all(&folder).expect("the folder is this test's own");
}

#[test]
fn synchronizations() {
    let folder = pictures("synchronizations");
    run("synchronizations", &[&folder.to_string_lossy()]);
    std::fs::remove_dir_all(&folder).expect("the folder is this test's own");
}
