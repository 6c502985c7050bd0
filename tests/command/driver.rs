//! CUDA drivers that do not work, played by a small library.

use super::*;

/// A driver that fails as the environment says, and has no more functions than these.
const SOURCE: &str = r#"
#include <stdlib.h>
static int told(const char* name, int otherwise) { const char* t = getenv(name); return t ? atoi(t) : otherwise; }
int cuInit(unsigned flags) { return told("PLAYED_INIT", 0); }
#ifndef WITHOUT_VERSION
int cuDriverGetVersion(int* version) { *version = told("PLAYED_VERSION", 12040); return 0; }
#endif
int cuGetErrorName(int error, const char** name) { *name = "CUDA_ERROR_PLAYED"; return 0; }
int cuGetErrorString(int error, const char** text) { *text = "the play goes on"; return 0; }
"#;

/// The folder of a library made with these options of the C compiler.
fn library(name: &str, options: &[&str]) -> PathBuf {
    let folder = path(name);
    std::fs::create_dir_all(&folder).unwrap();
    let source = folder.join("driver.c");
    std::fs::write(&source, SOURCE).unwrap();
    let mut compiler = Command::new("cc");
    compiler.args(["-shared", "-fPIC", "-w", "-o"]).arg(folder.join("libcuda.so")).args(options).arg(&source);
    assert!(compiler.status().expect("a C compiler, with which Rust links").success());
    folder
}

/// A library, the part that it plays, and what is said of it.
type Case<'a> = (&'a PathBuf, &'a [(&'a str, &'a str)], &'a str);

#[test]
fn a_driver_that_does_not_work_is_said_and_passed_over() {
    let (plain, unversioned) = (library("plain", &[]), library("unversioned", &["-DWITHOUT_VERSION"]));
    let cases: [Case; 5] = [
        (&plain, &[("PLAYED_INIT", "803")], "NVIDIA's driver does not work (CUDA_ERROR_PLAYED: the play goes on)"),
        (&plain, &[("PLAYED_INIT", "999")], "restart the machine or install the driver anew"),
        (&plain, &[("PLAYED_VERSION", "11080")], "the CUDA driver is for CUDA 11.8, and 12.0 is needed"),
        (&plain, &[], "its library has no function cuCtxGetCurrent"),
        (&unversioned, &[], "its library has no function cuDriverGetVersion"),
    ];
    for (folder, environment, part) in cases {
        let run = |arguments: &[&str]| {
            let mut command = command(arguments);
            command.env("LD_LIBRARY_PATH", folder).envs(environment.iter().copied()).output().unwrap()
        };
        let asked = run(&["torus", "--side", "4", "--backend", "cuda"]);
        let said = text(&asked.stderr);
        assert_eq!((asked.status.code(), said.lines().count()), (Some(2), 1), "{said}");
        assert!(said.contains(part), "'{part}' is not in: {said}");
        let passed = run(&["torus", "--side", "40", "--window", "1", "--until", "5", "--format", "json"]);
        let value: Value = serde_json::from_slice(&passed.stdout).unwrap();
        assert_eq!(passed.status.code(), Some(0));
        let warnings = value["warnings"].as_array().unwrap();
        let unused = warnings.iter().find(|warning| warning["kind"] == "cuda_unused").expect("a word on CUDA");
        assert!(unused["message"].as_str().unwrap().contains(part), "{unused}");
        let listed = run(&["devices", "--format", "json"]);
        let value: Value = serde_json::from_slice(&listed.stdout).unwrap();
        assert!(value["cuda"]["problem"].as_str().unwrap().contains(part));
    }
    for folder in [plain, unversioned] {
        std::fs::remove_dir_all(folder).unwrap();
    }
}

/// No GPU is no fault of the driver: most machines have none, and nobody is told.
#[test]
fn a_driver_without_a_gpu_is_passed_over_in_silence() {
    let folder = library("bare", &[]);
    for (code, part) in [("100", "the driver sees no GPU"), ("34", "a stub of the CUDA toolkit")] {
        let run = |arguments: &[&str]| {
            let mut command = command(arguments);
            command.env("LD_LIBRARY_PATH", &folder).env("PLAYED_INIT", code).output().unwrap()
        };
        let asked = run(&["torus", "--side", "4", "--backend", "cuda"]);
        assert_eq!(asked.status.code(), Some(2));
        assert!(text(&asked.stderr).contains(part), "{}", text(&asked.stderr));
        let passed = run(&["torus", "--side", "40", "--window", "1", "--until", "5", "--format", "json"]);
        let value: Value = serde_json::from_slice(&passed.stdout).unwrap();
        let kinds: Vec<_> = value["warnings"].as_array().unwrap().iter().map(|warning| &warning["kind"]).collect();
        assert!(!kinds.contains(&&Value::from("cuda_unused")), "{kinds:?}");
    }
    std::fs::remove_dir_all(folder).unwrap();
}
