//! Checkpoints of somebody else, or of another run: what they name is told and kept, and a refusal gives no advice that fails.

use super::checkpoints::{ON_TWO, change_head, folder, killed_run};
use super::*;

/// A run that does not take its checkpoint does not advise to go on with the same one.
#[test]
fn a_refused_checkpoint_is_no_advice() {
    let (folder, file) = folder("checkpoints-refused");
    let network = ["network", "examples/networks/emergency.toml", "--until", "1000000", "--seed", "7"];
    killed_run(&[&network[..], &ON_TWO[..2]].concat(), &file);
    for file in [file.clone(), format!("{file}.2")] {
        if Path::new(&file).exists() {
            change_head(&file, "\"seed\":7", "\"seed\":8");
        }
    }
    let output = output(&["resume", &file]);
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.contains("what the checkpoint has of the network is") && !said.contains("tickless resume"), "{said}");
    std::fs::remove_dir_all(folder).unwrap();
}

/// A checkpoint may be somebody else's: what its run reads and writes is said first, and a file outside of the current folder that is there
/// already stays unless the user says otherwise.
#[test]
fn files_that_a_checkpoint_names_are_told_and_kept() {
    let (folder, file) = folder("checkpoints-foreign");
    let stations = folder.join("stations.csv").to_str().unwrap().to_owned();
    killed_run(&["torus", "--side", "100", "--until", "1000", "--backend", "heap", "--stations", &stations], &file);
    std::fs::write(&stations, "mine").unwrap();
    let resume = |options: &[&str], here: &Path| {
        let mut resumed = command(&[&["resume", &file], options].concat());
        let output = resumed.current_dir(here).output().unwrap();
        (output.status.code(), text(&output.stderr).to_owned())
    };
    let elsewhere = std::env::temp_dir().join(format!("tickless-elsewhere-{}", std::process::id()));
    std::fs::create_dir_all(&elsewhere).unwrap();
    let told = format!("its run writes --stations {stations}\n");
    let (code, said) = resume(&[], &elsewhere);
    assert!(said.contains(&told) && said.contains("add --yes to write over it"), "{said}");
    assert_eq!((code, std::fs::read_to_string(&stations).unwrap().as_str()), (Some(2), "mine"));
    let (code, said) = resume(&["--yes"], &elsewhere);
    assert!(code == Some(0) && said.contains(&told), "{said}");
    assert!(std::fs::read_to_string(&stations).unwrap().starts_with("station,"));
    std::fs::remove_dir_all(&elsewhere).unwrap();
    std::fs::remove_dir_all(folder).unwrap();
}
