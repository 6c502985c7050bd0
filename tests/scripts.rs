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

/// The scripts of docs/clusters.md, with few replications: as many jobs as the array has, and the merge.
#[test]
fn the_job_scripts_of_the_documents_make_an_ensemble() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("job scripts");
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let text = fs::read_to_string(root.join("docs/clusters.md")).expect("a document");
    let scripts: Vec<&str> = text.split("```bash\n").skip(1).filter_map(|rest| rest.split("```").next()).collect();
    let [array, merge, condor] = scripts[..] else { panic!("{} scripts", scripts.len()) };
    fs::remove_dir_all(&folder).ok();
    fs::create_dir_all(&folder).expect("a folder");
    fs::copy(root.join("examples/networks/clinic.toml"), folder.join("clinic.toml")).expect("a network");
    let command = Path::new(env!("CARGO_BIN_EXE_tickless"));
    std::os::unix::fs::symlink(command, folder.join("tickless")).expect("a link");
    let run = |script: &str, number: &str| {
        let small = script.replace("each=1000", "each=3").replace("100000", "12");
        assert_ne!(small, script, "the script has no number of replications");
        let path = format!("{}:{}", folder.display(), std::env::var("PATH").unwrap_or_default());
        let mut bash = Command::new("bash");
        bash.args(["-c", &small, "shard.sh", number]).current_dir(&folder);
        bash.env("PATH", path).env("SLURM_ARRAY_TASK_ID", number).env("SLURM_CPUS_PER_TASK", "1");
        let output = bash.output().expect("a shell");
        assert!(output.status.success(), "{script}{}", String::from_utf8_lossy(&output.stderr));
    };
    let digest = |arguments: &[&str]| {
        let output = Command::new(command).args(arguments).current_dir(&folder).output().expect("a command");
        String::from_utf8_lossy(&output.stdout)
            .lines()
            .find(|line| line.contains("digest"))
            .map(str::trim)
            .map(str::to_owned)
    };
    let whole = digest(&["network", "clinic.toml", "--replications", "12", "--backend", "heap", "--format", "json"]);
    assert!(whole.is_some());
    for jobs in [array, condor] {
        ["0", "1", "2", "3"].iter().for_each(|number| run(jobs, number));
        run(merge, "");
        let merged = fs::read_to_string(folder.join("clinic.json")).expect("a result");
        let merged = merged.lines().find(|line| line.contains("digest")).map(str::trim).map(str::to_owned);
        assert_eq!(merged, whole);
        for number in 0..4 {
            fs::remove_file(folder.join(format!("clinic-{number}.shard"))).expect("a shard");
        }
    }
    fs::remove_dir_all(&folder).expect("an empty folder");
}
