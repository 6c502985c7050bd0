//! The scripts that install what tests need, as far as they change nothing.
#![cfg(unix)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What `scripts/backports.sh` makes of a folder with these files, which are named as in `/etc/apt`.
fn backports(case: &str, files: &[(&str, &str)]) -> String {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(case);
    fs::remove_dir_all(&folder).ok();
    for (name, text) in files {
        let path = folder.join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, text).expect("a file");
    }
    let script = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("scripts/backports.sh");
    let output = Command::new(script).arg(&folder).arg("bookworm").output().expect("a script that runs");
    assert!(output.status.success(), "{case}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("text")
}

#[test]
fn backports_come_from_where_the_release_comes_from() {
    let lines = "# deb http://old.example/debian bookworm main\n\
                 deb http://mirror.example/debian-security bookworm-security main\n\
                 deb-src http://source.example/debian bookworm main\n\
                 deb cdrom:[Debian 12]/ bookworm main\n\
                 deb http://other.example/debian bookworm contrib\n\
                 deb\thttp://mirror.example/debian  bookworm contrib main # ours\n\
                 deb http://second.example/debian bookworm main\n";
    let expected = "deb http://mirror.example/debian bookworm-backports main\n";
    assert_eq!(backports("one line", &[("sources.list", lines)]), expected);
    let with_options = "deb [ arch=amd64 signed-by=/keys/debian.gpg ] https://mirror.example/debian bookworm main\n";
    let expected =
        "deb [ arch=amd64 signed-by=/keys/debian.gpg ] https://mirror.example/debian bookworm-backports main\n";
    let files = [("sources.list", "\n"), ("sources.list.d/debian.list", with_options)];
    assert_eq!(backports("one line with options", &files), expected);
}

#[test]
fn backports_keep_the_fields_of_an_entry() {
    let paragraphs = "Types: deb\nURIs: http://mirror.example/debian-security\nSuites: bookworm-security\nComponents: main\n\
                      \n\
                      Enabled: no\nTypes: deb\nURIs: http://off.example/debian\nSuites: bookworm\nComponents: main\n\
                      \n\
                      types: deb-src deb\n# From the nearest place.\nURIs: http://mirror.example/debian\n\
                      Suites: bookworm\n bookworm-updates\nComponents: main contrib\nArchitectures: amd64\n\
                      Signed-By:\n -----BEGIN PGP PUBLIC KEY BLOCK-----\n .\n mQ\n";
    let expected = "Types: deb\nSuites: bookworm-backports\nComponents: main\nURIs: http://mirror.example/debian\n\
                    Architectures: amd64\nSigned-By:\n -----BEGIN PGP PUBLIC KEY BLOCK-----\n .\n mQ\n";
    let files =
        [("sources.list.d/debian.sources", paragraphs), ("sources.list.d/more.list", "deb-src x bookworm main\n")];
    assert_eq!(backports("paragraphs", &files), expected);
}

#[test]
fn without_an_entry_of_the_release_there_are_no_backports() {
    assert_eq!(backports("nothing", &[("sources.list", "")]), "");
    let lines =
        "deb http://mirror.example/debian trixie main\ndeb http://mirror.example/debian bookworm-updates main\n";
    let paragraphs = "Types: deb\nURIs: http://mirror.example/debian\nSuites: bookworm\nComponents: non-free\n";
    let files = [("sources.list", lines), ("sources.list.d/debian.sources", paragraphs)];
    assert_eq!(backports("another release", &files), "");
}
