//! Runs over ranks that leave checkpoints, and go on over other ranks, or on one heap.

use super::checkpoints::{clock, either, folder, killed_again_and_again, killed_behind_a_checkpoint, refused, results};
use super::*;

/// Stations with one server and with several, a source and a sink. Delays are long, so that rounds are few.
const FILE: &str = "
station = [
    { name = 'door', service = 'uniform:0.1,0.5' },
    { name = 'desk', service = 'uniform:1,2', servers = 3 },
    { name = 'scan', service = 'constant:0.5' },
    { name = 'talk', service = 'erlang:2,1', servers = 2, capacity = 9 },
]
sink = [{ name = 'exit' }]
source = [{ name = 'street', interval = 'exponential:2', to = 'door' }]
route = [
    { from = 'door', to = 'desk', delay = 350 },
    { from = 'desk', to = 'scan', probability = 0.5, delay = 400 },
    { from = 'desk', to = 'talk', probability = 0.5, delay = 450 },
    { from = 'scan', to = 'exit', delay = 20 },
    { from = 'talk', to = 'desk', probability = 0.3, delay = 400 },
    { from = 'talk', to = 'exit', probability = 0.7 },
]
";

const PHOLD: [&str; 7] = ["phold", "--processes", "400", "--population", "4", "--lookahead", "1"];

/// Of a run of some seconds; more kills take `TICKLESS_KILLS`.
fn kills() -> usize {
    std::env::var("TICKLESS_KILLS").map_or(12, |text| text.parse().expect("a number of kills"))
}

/// Whenever a run is killed: it goes on from its last checkpoint, over any number of ranks, and ends as if nothing had been.
#[test]
fn a_run_over_ranks_that_is_killed_again_and_again_ends_the_same() {
    let (folder, file) = folder("checkpoints-ranks-killed");
    // Longer than so many kills take.
    let until = (600 * kills()).to_string();
    let phold = [&PHOLD[..], &["--until", &until]].concat();
    let (_, whole) = json(&phold, &["--backend", "heap"]);
    let begin = [&phold[..], &["--ranks", "2", "--checkpoint", &file, "--checkpoint-interval", "0.01s"]].concat();
    let resume: [&[&str]; 3] =
        [&["resume", &file], &["resume", &file, "--ranks", "3"], &["resume", &file, "--ranks", "1"]];
    let killed = killed_again_and_again(&begin, &resume, &file, kills());
    assert!(killed >= kills() / 2, "{killed} kills");
    if clock(&file).is_some() {
        let (code, end) = json(&["resume", &file], &["--ranks", "2"]);
        assert_eq!((code, results(&end)), (0, results(&whole)));
        assert_eq!((&end["ranks"], &end["threads"]), (&2.into(), &2.into()));
    }
    std::fs::remove_dir_all(folder).unwrap();
}

/// Over ranks, over others, on one heap, and over ranks again, before the warm-up ends and behind it.
#[test]
fn networks_over_ranks_go_on() {
    let (folder, file) = folder("checkpoints-ranks-networks");
    let path = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let network = path("network.toml");
    std::fs::write(&network, FILE).unwrap();
    let torus = ["torus", "--side", "150", "--window", "2", "--until", "2500", "--warmup", "360"];
    for model in [&torus[..], &["network", &network, "--until", "500000", "--warmup", "80000"]] {
        let (csv, found) = (path("expected.csv"), path("found.csv"));
        let (_, whole) = json(model, &["--backend", "heap", "--stations", &csv]);
        let begin = ["--ranks", "2", "--checkpoint", &file, "--checkpoint-interval", "0.01s", "--stations", &found];
        killed_behind_a_checkpoint(&[model, &begin].concat(), &file);
        for ranks in ["3", "1", "2"] {
            killed_behind_a_checkpoint(&["resume", &file, "--ranks", ranks], &file);
        }
        let (code, end) = json(&["resume", &file, "--checkpoint-interval", "1h"], &[]);
        assert_eq!((code, results(&end)), (0, results(&whole)));
        assert_eq!(end["ranks"], 2);
        assert_eq!(std::fs::read(&found).unwrap(), std::fs::read(&csv).unwrap());
        std::fs::remove_file(&found).unwrap();
        assert_eq!(clock(&file), None);
    }
    std::fs::remove_dir_all(folder).unwrap();
}

/// What a run on one heap was given, and ranks do not have, is not for them; what does not go over ranks is refused.
#[test]
fn a_run_of_one_heap_goes_on_over_ranks() {
    let (folder, file) = folder("checkpoints-ranks-of-one");
    let phold = [&PHOLD[..], &["--until", "6000"]].concat();
    let (_, whole) = json(&phold, &["--backend", "heap"]);
    killed_behind_a_checkpoint(
        &[&phold[..], &["--checkpoint", &file, "--checkpoint-interval", "0.01s"]].concat(),
        &file,
    );
    let said = refused(&["resume", &file, "--ranks", "401"]);
    assert!(said.contains("401 ranks are asked for a model with 400 processes"), "{said}");
    assert!(said.contains("; the last checkpoint is at time "), "{said}");
    let (code, end) = json(&["resume", &file, "--ranks", "2"], &[]);
    assert_eq!((code, results(&end)), (0, results(&whole)));

    std::fs::remove_dir_all(folder).unwrap();
}

/// Over ranks, over others, on one heap, and over ranks again: in the midst of a replication, and between fires.
#[test]
fn cells_over_ranks_go_on() {
    let (folder, file) = folder("checkpoints-ranks-cells");
    let path = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let water = ["cells", "watershed", "--side", "40", "--until", either("9000", "2000")];
    let life = ["cells", "examples/cells/life.ma", "--until", either("400000", "150000")];
    let fires = ["cells", "fire", "--side", "60", "--until", "2000", "--replications", either("30", "6")];
    for (model, option) in [(&water[..], "--depth"), (&life, "--values"), (&fires, "--probability")] {
        let (expected, found) = (path("expected"), path("found"));
        let (_, whole) = json(model, &["--backend", "heap", option, &expected]);
        let begin = ["--ranks", "2", "--checkpoint", &file, "--checkpoint-interval", "0.01s", option, &found];
        killed_behind_a_checkpoint(&[model, &begin].concat(), &file);
        for ranks in ["3", "1", "2"] {
            killed_behind_a_checkpoint(&["resume", &file, "--ranks", ranks], &file);
        }
        let (code, end) = json(&["resume", &file, "--checkpoint-interval", "1h"], &[]);
        assert_eq!((code, results(&end)), (0, results(&whole)));
        assert_eq!(end["ranks"], 2);
        assert!(std::fs::read(&found).unwrap() == std::fs::read(&expected).unwrap(), "{model:?}");
        std::fs::remove_file(&found).unwrap();
        assert_eq!(clock(&file), None);
    }
    std::fs::remove_dir_all(folder).unwrap();
}

/// From ranks to a device, and from there to ranks. What the run was given of ranks is not for a device that is named.
#[test]
fn ranks_and_a_device_go_on_from_each_other() {
    if !has_adapter("ranks_and_a_device_go_on_from_each_other") {
        return;
    }
    let (folder, file) = folder("checkpoints-ranks-device");
    let phold = [&PHOLD[..], &["--until", "6000"]].concat();
    let (_, whole) = json(&phold, &["--backend", "heap"]);
    let begin = [&phold[..], &["--ranks", "2", "--checkpoint", &file, "--checkpoint-interval", "0.01s"]].concat();
    killed_behind_a_checkpoint(&begin, &file);
    killed_behind_a_checkpoint(&["resume", &file, "--backend", "wgpu"], &file);
    let (code, end) = json(&["resume", &file, "--ranks", "3"], &[]);
    // A device counts no messages between processes.
    let figures =
        |value: &Value| [&value["digest"], &value["events"], &value["clock"], &value["ranks"]].map(Value::clone);
    let expected = [&whole["digest"], &whole["events"], &whole["clock"], &3.into()].map(Value::clone);
    assert_eq!((code, figures(&end)), (0, expected));
    std::fs::remove_dir_all(folder).unwrap();
}
