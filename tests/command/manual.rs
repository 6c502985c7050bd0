//! `tickless completions` and `tickless man`.

use std::fs;

use super::{output, path, text};

#[test]
fn shells_complete_every_command() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let ended = output(&["completions", shell]);
        let script = text(&ended.stdout);
        assert_eq!((ended.status.code(), ended.stderr.len()), (Some(0), 0));
        for word in ["experiment", "schema", "watershed", "--replications", "--compile-limit"] {
            let word = if shell == "fish" { word.trim_start_matches('-') } else { word };
            assert!(script.contains(word), "{shell} lacks {word}");
        }
    }
    assert_eq!(output(&["completions", "cmd"]).status.code(), Some(2));
}

#[cfg(unix)]
#[test]
fn bash_reads_its_script() {
    let script = path("completions.bash");
    fs::write(&script, output(&["completions", "bash"]).stdout).unwrap();
    let asked = format!(
        "source {} && COMP_WORDS=(tickless exp) COMP_CWORD=1 && _tickless tickless exp tickless; echo ${{COMPREPLY[@]}}",
        script.display()
    );
    let Ok(ended) = std::process::Command::new("bash").args(["-c", &asked]).output() else { return };
    assert_eq!(text(&ended.stdout).trim(), "experiment", "{}", text(&ended.stderr));
}

#[test]
fn every_command_has_a_page() {
    let page = text(&output(&["man"]).stdout);
    assert!(page.contains(".TH tickless 1") && page.contains("experiment"), "{page}");
    let folder = path("man");
    let ended = output(&["man", "--write", folder.to_str().unwrap()]);
    assert_eq!((ended.status.code(), ended.stdout.len()), (Some(0), 0));
    let names: Vec<String> =
        fs::read_dir(&folder).unwrap().map(|file| file.unwrap().file_name().into_string().unwrap()).collect();
    for name in [
        "tickless.1",
        "tickless-network.1",
        "tickless-reproduce.1",
        "tickless-cells-fire.1",
        "tickless-compare-cells-rules.1",
    ] {
        assert!(names.iter().any(|known| known == name), "no {name} among {names:?}");
    }
    let fire = fs::read_to_string(folder.join("tickless-cells-fire.1")).unwrap();
    assert!(fire.contains("\\-\\-landscape") || fire.contains("\\-\\-until"), "{fire}");
}
