//! Runs that leave checkpoints, and `tickless resume`.

use std::path::Path;
use std::time::Duration;

use super::*;

/// One of two numbers of a run that is killed a few times: what the heap does not end meanwhile, and a fraction of that for a heap that
/// is not optimized, which goes on for longer.
pub const fn either(optimized: &'static str, unoptimized: &'static str) -> &'static str {
    if cfg!(debug_assertions) { unoptimized } else { optimized }
}

/// A run of some seconds on the heap.
const PHOLD: [&str; 9] = ["phold", "--processes", "400", "--population", "4", "--until", "3000", "--backend", "heap"];
/// A run that goes on until somebody ends it.
const LONG: [&str; 9] = ["phold", "--processes", "400", "--population", "4", "--until", "90000", "--backend", "heap"];
/// Fires of which some are over when the first checkpoint is due.
const FIRES: [&str; 8] =
    ["cells", "fire", "--side", either("150", "50"), "--replications", either("20", "7"), "--until", "2000"];

/// Replications and searches on two cores: on many they would be over too soon.
pub const ON_TWO: [&str; 4] = ["--backend", "heap", "--threads", "2"];

/// A folder of its own, and the path of a checkpoint in it.
pub fn folder(name: &str) -> (PathBuf, String) {
    let folder = path(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    let file = folder.join("run.ckpt").to_str().unwrap().to_owned();
    (folder, file)
}

fn files(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> =
        std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// What stays the same however a run has come to its end: all but where, by what and in what time it ran.
pub fn results(value: &Value) -> Value {
    let mut value = value.clone();
    let fields = value.as_object_mut().unwrap();
    let others =
        ["backend", "adapter", "threads", "ranks", "rounds", "wall_seconds", "setup_seconds", "device_seconds"];
    for name in others.iter().chain(&["events_per_second"]) {
        assert!(fields.remove(*name).is_some(), "{name}");
    }
    if let Some(pilot) = fields.get_mut("pilot").and_then(Value::as_object_mut) {
        pilot.remove("wall_seconds");
    }
    if let Some(searches) = fields.get_mut("statistics").and_then(Value::as_object_mut) {
        searches.remove("searches_per_second");
    }
    value
}

/// Kills a command without warning, after so long.
pub fn killed_after(arguments: &[&str], time: Duration) {
    let mut child = command(arguments).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    std::thread::sleep(time);
    // It may be over.
    let _ = child.kill();
    child.wait().unwrap();
}

/// Kills a command without warning when it has left a further checkpoint.
pub fn killed_behind_a_checkpoint(arguments: &[&str], file: &str) {
    let before = latest(file);
    let mut child = command(arguments).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let further = || latest(file).is_some() && latest(file) != before;
    while !further() && child.try_wait().unwrap().is_none() {
        std::thread::sleep(Duration::from_millis(5));
    }
    let _ = child.kill();
    child.wait().unwrap();
    assert!(further(), "{arguments:?} has left no further checkpoint");
}

/// The same of a run that keeps a checkpoint every hundredth of a second.
pub fn killed_run(model: &[&str], file: &str) {
    killed_behind_a_checkpoint(&[model, &["--checkpoint", file, "--checkpoint-interval", "0.01s"]].concat(), file);
}

/// The number and the clock of the later checkpoint: both are whole, or one is not there.
fn latest(first: &str) -> Option<(u64, f64)> {
    let found = [head(first), head(&format!("{first}.2"))];
    let number_and_clock = |head: Value| (head["number"].as_u64().unwrap(), head["clock"].as_f64().unwrap());
    found.into_iter().flatten().map(number_and_clock).max_by_key(|(number, _)| *number)
}

/// The clock of the later checkpoint.
pub fn clock(first: &str) -> Option<f64> {
    latest(first).map(|(_, clock)| clock)
}

/// The head of a checkpoint that is there.
pub fn head(path: &str) -> Option<Value> {
    let bytes = std::fs::read(path).ok()?;
    let header = 8 + u64::from_le_bytes(*bytes.first_chunk().unwrap()) as usize;
    let fields: Value = serde_json::from_slice(&bytes[8..header]).unwrap();
    let place = |n: usize| header + fields["head"]["data_offsets"][n].as_u64().unwrap() as usize;
    Some(serde_json::from_slice(&bytes[place(0)..place(1)]).unwrap())
}

/// Kills a run at any moment, and those that go on from it by turns, so often or until one has ended; how often that was. No
/// checkpoint is lost again.
pub fn killed_again_and_again(begin: &[&str], resume: &[&[&str]], file: &str, most: usize) -> usize {
    let (mut last, mut word) = (0.0, 0x9e37_79b9_u32);
    for kills in 0..most {
        word = word.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let time = Duration::from_millis(10 + u64::from(word >> 16) % 100);
        killed_after(if clock(file).is_some() { resume[kills % resume.len()] } else { begin }, time);
        match clock(file) {
            Some(clock) => {
                assert!(clock >= last, "{clock} after {last}");
                last = clock;
            }
            // It has ended.
            None if last > 0.0 => return kills + 1,
            None => {}
        }
    }
    most
}

/// Whenever a run is killed, also while it writes: it goes on from its last checkpoint, and ends as if nothing had been.
#[test]
fn a_run_that_is_killed_again_and_again_ends_the_same() {
    let (folder, file) = folder("checkpoints-killed");
    // Longer than twenty kills take, on a fast machine as well.
    let phold = [&PHOLD[..5], &["--until", "6000", "--backend", "heap"]].concat();
    let (_, whole) = json(&phold, &[]);
    let begin = [&phold[..], &["--checkpoint", &file, "--checkpoint-interval", "0.01s"]].concat();
    let resume = ["resume", &file];
    let kills = killed_again_and_again(&begin, &[&resume], &file, 20);
    assert!(kills >= 5, "{kills} kills");
    if clock(&file).is_some() {
        let (code, end) = json(&resume, &[]);
        assert_eq!((code, results(&end)), (0, results(&whole)));
    }
    // One may have been killed while it made a file, the last one while it removed its own.
    let begun = |name: &String| name.starts_with(".tickless-") || name.ends_with(".part") || name.ends_with(".lock");
    let left: Vec<_> = files(&folder).into_iter().filter(|name| !begun(name)).collect();
    assert_eq!(left, Vec::<String>::new());
    std::fs::remove_dir_all(folder).unwrap();
}

/// A run that Ctrl-C ends is kept, as a note says, and goes on elsewhere. Files that were asked for are written.
#[test]
fn an_interrupted_run_goes_on() {
    let (folder, file) = folder("checkpoints-interrupted");
    let csv = folder.join("processes.csv").to_str().unwrap().to_owned();
    let expected_csv = folder.join("expected.csv").to_str().unwrap().to_owned();
    let phold = [&PHOLD[..5], &["--lookahead", "1", "--until", either("6000", "3000"), "--backend", "heap"]].concat();
    let (_, whole) = json(&phold, &["--processes-csv", &expected_csv]);
    let arguments = [
        &phold[..],
        &["--checkpoint", &file, "--checkpoint-interval", "0.01s", "--processes-csv", &csv, "--format", "json"],
    ];
    let mut child = command(&arguments.concat()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    // Not at once: rounds of a software adapter take long.
    while clock(&file).is_none_or(|clock| clock < 1000.0) && child.try_wait().unwrap().is_none() {
        std::thread::sleep(Duration::from_millis(5));
    }
    Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130), "{}", text(&output.stderr));
    assert_eq!(text(&output.stderr), format!("tickless: note: the run is kept: go on with tickless resume {file}\n"));
    let part: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&part["interrupted"], &part["clock"]), (&Value::Bool(true), &clock(&file).unwrap().into()));
    std::fs::remove_file(&csv).unwrap();
    let backend = if has_adapter("an_interrupted_run_goes_on") { "wgpu" } else { "heap" };
    let (code, mut end) = json(&["resume", &file], &["--backend", backend]);
    let mut expected = whole;
    // No device counts it, and the heap has none of the others.
    for run in [&mut end, &mut expected] {
        run["statistics"].as_object_mut().unwrap().remove("remote_share");
        let fields = run.as_object_mut().unwrap();
        let _ = ["pending_set", "per_round", "node_size", "warnings"].map(|field| fields.remove(field));
    }
    assert_eq!((code, results(&end)), (0, results(&expected)));
    assert_eq!(std::fs::read(&csv).unwrap(), std::fs::read(&expected_csv).unwrap());
    assert_eq!(files(&folder), ["expected.csv", "processes.csv"]);
    std::fs::remove_dir_all(folder).unwrap();
}

/// Some fires are over, the others come; and rules go on in the midst.
#[test]
fn cells_go_on() {
    let (folder, file) = folder("checkpoints-cells");
    let life = ["cells", "examples/cells/life.ma", "--until", either("1000000", "300000")];
    for model in [&FIRES[..], &life] {
        let model = [model, &ON_TWO].concat();
        let (_, whole) = json(&model, &[]);
        assert_eq!(results(&killed_and_ended(&model, &file, &[])), results(&whole));
    }
    std::fs::remove_dir_all(folder).unwrap();
}

/// One line that says what is wrong, and nothing is written.
#[test]
fn what_is_no_checkpoint_is_refused_by_name() {
    let (folder, file) = folder("checkpoints-refused");
    let begin = [&PHOLD[..], &["--checkpoint", &file, "--checkpoint-interval", "0.01s"]].concat();
    killed_behind_a_checkpoint(&begin, &file);
    while head(&format!("{file}.2")).is_none() {
        killed_behind_a_checkpoint(&["resume", &file], &file);
    }
    let said = refused(&begin);
    assert!(said.contains("run.ckpt: it is there already") && said.contains("tickless resume"), "{said}");

    let second = format!("{file}.2");
    let (one, two) = (std::fs::read(&file).unwrap(), std::fs::read(&second).unwrap());
    let last = one.len() - 1;
    for (contents, what) in [
        (one[..last].to_vec(), "it was not written or copied to its end"),
        ([&one[..last], &[one[last] ^ 1]].concat(), "it is damaged: SHA-256"),
        (vec![], "it is no checkpoint of tickless"),
        (b"{ \"schema\": 3 }".to_vec(), "it is no checkpoint of tickless"),
    ] {
        std::fs::write(&file, contents).unwrap();
        let said = refused(&["resume", &file]);
        assert!(said.contains("run.ckpt: ") && said.contains(what), "{said}");
        assert!(said.contains("run.ckpt.2, which is whole and at time"), "{said}");
    }
    // It is not removed before somebody says so, and the other one is whole and asked for by its name.
    assert!(refused(&["resume", &second]).contains("move it away, and go on with"));
    std::fs::remove_file(&file).unwrap();
    assert_eq!(json(&["resume", &second], &["--checkpoint-interval", "1h"]).0, 0);
    assert_eq!(files(&folder), Vec::<String>::new());

    let said = refused(&["resume", &file]);
    assert!(said.contains("run.ckpt: there is no such file"), "{said}");
    std::fs::write(&file, &two[..two.len() / 2]).unwrap();
    let said = refused(&["resume", &file]);
    assert!(said.contains("run.ckpt: it has"), "{said}");
    std::fs::remove_file(&file).unwrap();

    for (arguments, what) in [
        (&[&PHOLD[..], &["--checkpoint-interval", "1m"]].concat(), "--checkpoint"),
        (&[&PHOLD[..], &["--checkpoint", &file, "--checkpoint-interval", "5d"]].concat(), "from 0.01s to 1000h"),
        (&[&PHOLD[..], &["--checkpoint", "no/such/folder/run.ckpt"]].concat(), "there is no such folder"),
        (&[&FIRES[..], &["--checkpoint", &file, "--log", "fires.log"]].concat(), "cannot be used with"),
    ] {
        let said = refused(arguments);
        assert!(said.contains(what), "{said}");
    }
    assert_eq!(files(&folder), Vec::<String>::new());
    std::fs::remove_dir_all(folder).unwrap();
}

/// The error of a command that gives no result.
pub fn refused(arguments: &[&str]) -> String {
    let output = output(arguments);
    let said = text(&output.stderr);
    assert_eq!((output.status.code(), said.lines().count(), &output.stdout[..]), (Some(2), 1, &b""[..]), "{said}");
    said
}

/// Nothing is overwritten and nothing removed that the run has not made.
#[test]
fn files_of_others_stay() {
    let (folder, file) = folder("checkpoints-others");
    let torus = ["torus", "--side", "8", "--until", "20", "--backend", "heap", "--checkpoint", &file];
    for end in ["", ".2", ".part", ".2.part", ".lock"] {
        let path = format!("{file}{end}");
        let said = refused(&[&torus[..], &["--stations", &path]].concat());
        assert!(said.contains(&format!("run.ckpt{end}, which is a file of --checkpoint: give it a path")), "{said}");
        assert_eq!(files(&folder), Vec::<String>::new());
        std::fs::write(&path, "mine").unwrap();
        let said = refused(&torus);
        assert!(said.contains(&format!("run.ckpt{end}: it is there already")), "{said}");
        assert_eq!((files(&folder).len(), std::fs::read_to_string(&path).unwrap().as_str()), (1, "mine"));
        std::fs::remove_file(&path).unwrap();
    }
    let second = format!("{file}.2");
    let said = refused(&["torus", "--side", "8", "--checkpoint", &second]);
    assert!(said.contains("run.ckpt.2: .2 is the end of a name that is made of another one"), "{said}");
    // What no network has.
    killed_run(&PHOLD, &file);
    let said = refused(&["resume", &file, "--max-tokens", "5"]);
    assert!(said.contains("--max-tokens is not for the model phold, which the checkpoint has: leave it out"), "{said}");
    let (one, other) = (std::fs::remove_file(&file), std::fs::remove_file(&second));
    assert!(one.is_ok() || other.is_ok());
    // A second file beside a first one of somebody else.
    killed_run(&PHOLD, &file);
    std::fs::rename(if head(&second).is_some() { &second } else { &file }, folder.join("b.2")).unwrap();
    std::fs::write(folder.join("b"), "mine").unwrap();
    let said = refused(&["resume", folder.join("b.2").to_str().unwrap()]);
    assert!(said.contains("b: it is no checkpoint of tickless"), "{said}");
    assert_eq!(std::fs::read_to_string(folder.join("b")).unwrap(), "mine");
    std::fs::remove_dir_all(folder).unwrap();
}

/// Neither a run nor one that goes on takes the files of a run that is under way, and files of two runs are no pair.
#[test]
fn runs_do_not_share_their_files() {
    let (folder, file) = folder("checkpoints-shared");
    let begin = [&LONG[..], &["--checkpoint", &file, "--checkpoint-interval", "0.01s"]].concat();
    let mut child = command(&begin).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    while clock(&file).is_none() {
        assert!(child.try_wait().unwrap().is_none());
        std::thread::sleep(Duration::from_millis(5));
    }
    for second in [&begin[..], &["resume", &file]] {
        let said = refused(second);
        assert!(said.contains("run.ckpt.lock: another run holds it: wait until that has ended, or give"), "{said}");
    }
    child.kill().unwrap();
    child.wait().unwrap();

    let (other, second) = (folder.join("other").to_str().unwrap().to_owned(), format!("{file}.2"));
    killed_run(&PHOLD, &other);
    if head(&file).is_none() {
        std::fs::rename(&second, &file).unwrap();
    }
    std::fs::rename(&other, &second).unwrap();
    let said = refused(&["resume", &file]);
    assert!(said.contains("run.ckpt: it is of another run than ") && said.contains("run.ckpt.2: move one"), "{said}");
    assert!(head(&file).is_some() && head(&second).is_some());
    std::fs::remove_dir_all(folder).unwrap();
}

/// Has another version leave a checkpoint, as its head says.
fn put_version(path: &str, version: &str) {
    let own = format!("\"version\":\"{}\"", env!("CARGO_PKG_VERSION"));
    change_head(path, &own, &format!("\"version\":\"{version}\""));
}

/// Changes a text of a head for one of the same length; the hash over everything is that of the new contents.
pub fn change_head(path: &str, own: &str, other: &str) {
    use sha2::{Digest as _, Sha256};
    let bytes = std::fs::read(path).unwrap();
    let begin = 8 + u64::from_le_bytes(*bytes.first_chunk().unwrap()) as usize;
    let fields: std::collections::BTreeMap<String, Value> = serde_json::from_slice(&bytes[8..begin]).unwrap();
    let place = |field: &Value| {
        let place = |n: usize| begin + field["data_offsets"][n].as_u64().unwrap() as usize;
        place(0)..place(1)
    };
    let head = text(&bytes[place(&fields["head"])]);
    assert!(head.contains(own) && own.len() == other.len(), "{head}");
    let head = head.replace(own, other);
    let mut hash = Sha256::new();
    hash.update(2_u32.to_le_bytes());
    for text in ["checkpoint", &head] {
        hash.update((text.len() as u64).to_le_bytes());
        hash.update(text);
    }
    for (name, field) in fields.iter().filter(|(name, _)| *name != "head" && *name != "__metadata__") {
        hash.update((name.len() as u64).to_le_bytes());
        hash.update(name);
        let shape: Vec<u64> = serde_json::from_value(field["shape"].clone()).unwrap();
        [&[shape.len() as u64], &shape[..]].concat().iter().for_each(|word| hash.update(word.to_le_bytes()));
        hash.update(&bytes[place(field)]);
    }
    let hash: String = hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
    let label: Value = serde_json::from_str(fields["__metadata__"]["tickless"].as_str().unwrap()).unwrap();
    let header = text(&bytes[8..begin]).replace(label["sha256"].as_str().unwrap(), &hash);
    let mut changed = bytes;
    changed[8..begin].copy_from_slice(header.as_bytes());
    changed[place(&fields["head"])].copy_from_slice(head.as_bytes());
    std::fs::write(path, changed).unwrap();
}

/// A file that version 0.1.0 has left goes on to the digest of its run, as long as the schema is that of the file: a change of
/// what is in a checkpoint needs another one. One of another schema is refused by it and by the version that wrote it.
#[test]
fn a_file_of_an_earlier_version_goes_on_or_is_refused() {
    let (folder, file) = folder("checkpoints-earlier");
    let kept = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/command/schema-4.ckpt");
    std::fs::copy(kept, &file).unwrap();
    change_head(&file, "\"schema\":4", "\"schema\":3");
    let said = refused(&["resume", &file]);
    let expected = "run.ckpt: it has schema 3, and this tickless has 4: go on with the version that wrote it, 0.1.0";
    assert!(said.contains(expected), "{said}");
    std::fs::copy(kept, &file).unwrap();
    let (code, end) = json(&["resume", &file], &[]);
    let digest = "682f6e012210b8a9e414656d4d473714735a4b0cefbab405b71c7b1251666795";
    assert_eq!((code, &end["digest"]), (0, &Value::from(digest)));
    std::fs::remove_dir_all(folder).unwrap();
}

/// The warning stays with the run, also when another one goes on from it.
#[test]
fn another_version_is_a_warning_of_the_result() {
    let (folder, file) = folder("checkpoints-version");
    killed_run(&PHOLD, &file);
    let there = if head(&file).is_some() { file.clone() } else { format!("{file}.2") };
    put_version(&there, "0.0.9");
    killed_behind_a_checkpoint(&["resume", &there, "--max-pending", "7"], &file);
    let (code, end) = json(&["resume", &file], &["--checkpoint-interval", "1h"]);
    let warnings = end["warnings"].as_array().unwrap();
    assert_eq!((code, warnings.len(), &warnings[0]["kind"]), (0, 1, &Value::from("other_version")), "{warnings:?}");
    assert_eq!(warnings[0]["version"], "0.0.9");
    assert_eq!(end["arguments"]["rounds"]["max_pending"], 7);
    std::fs::remove_dir_all(folder).unwrap();
}

/// Sends Ctrl-C behind so long, and gives the exit code and what was said.
fn interrupted_after(arguments: &[&str], time: Duration, meanwhile: impl FnOnce()) -> (Option<i32>, String) {
    let child = command(arguments).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    std::thread::sleep(time);
    meanwhile();
    Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    let output = child.wait_with_output().unwrap();
    (output.status.code(), text(&output.stderr))
}

/// Where nothing could be written, or the pilot had found nothing, nobody is told that the run is kept.
#[test]
fn what_is_not_kept_is_said() {
    let (folder, _) = folder("checkpoints-not-kept");
    let below = folder.join("below");
    std::fs::create_dir(&below).unwrap();
    let file = below.join("run.ckpt").to_str().unwrap().to_owned();
    let long = Duration::from_millis(700);
    let begin = [&LONG[..], &["--checkpoint", &file]].concat();
    let (code, said) = interrupted_after(&begin, long, || std::fs::remove_dir_all(&below).unwrap());
    assert_eq!(code, Some(130), "{said}");
    assert!(said.contains("it cannot be written") && said.contains("the run is not kept"), "{said}");
    assert!(!said.contains("the run is kept"), "{said}");

    std::fs::create_dir(&below).unwrap();
    let pilot = ["torus", "--side", "100", "--until", "100000", "--warmup", "auto", "--backend", "heap"];
    let (code, said) = interrupted_after(&[&pilot[..], &["--checkpoint", &file]].concat(), long, || {});
    assert_eq!(code, Some(130), "{said}");
    assert!(said.contains("no checkpoint is left: Ctrl-C came before the pilot had found the warm-up"), "{said}");
    assert_eq!(files(&below), Vec::<String>::new());
    std::fs::remove_dir_all(folder).unwrap();
}

/// Begins a run and kills it behind its first checkpoint, then kills the run that goes on a few times, and at last lets it end.
pub fn killed_and_ended(model: &[&str], file: &str, more: &[&str]) -> Value {
    let begin = [model, &["--checkpoint", file, "--checkpoint-interval", "0.01s"], more].concat();
    killed_behind_a_checkpoint(&begin, file);
    for _ in 0..2 {
        killed_behind_a_checkpoint(&["resume", file], file);
    }
    let (code, end) = json(&["resume", file], &["--checkpoint-interval", "1h"]);
    assert_eq!(code, 0);
    assert_eq!(clock(file), None);
    end
}

/// Searches of which some have ended: the records and paths of a run that nothing has stopped. They go over no ranks.
#[test]
fn searches_go_on() {
    let (folder, file) = folder("checkpoints-searches");
    let path = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let [csv, found] = ["expected.csv", "found.csv"].map(path);
    let search = ["search", "--side", "200", "--searches", either("1500", "250"), "--keep-paths"];
    let model = [&search[..], &ON_TWO].concat();
    let (_, whole) = json(&model, &["--results", &csv]);
    let end = killed_and_ended(&model, &file, &["--results", &found]);
    assert_eq!(results(&end), results(&whole));
    assert_eq!(std::fs::read(&found).unwrap(), std::fs::read(&csv).unwrap());
    killed_run(&model, &file);
    for (option, said) in
        [(["--ranks", "2"], "goes over no ranks"), (["--max-tokens", "9"], "is not for the model search")]
    {
        let refused = refused(&[&["resume", &file], &option[..]].concat());
        assert!(refused.contains(said), "{refused}");
    }
    std::fs::remove_dir_all(folder).unwrap();
}

/// A torus, and replications of a torus, of a network and of a network of classes, of which some are over and some have not begun: the records, files and
/// shards of a run that nothing has stopped.
#[test]
fn networks_go_on() {
    let (folder, file) = folder("checkpoints-networks");
    let path = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let [until, warmup] = [either("45000", "6000"), either("18000", "2400")];
    let torus = ["torus", "--side", "60", "--until", until, "--warmup", warmup];
    let several = ["torus", "--side", "40", "--until", either("12000", "1700"), "--replications", "40"];
    let clinic = "examples/networks/clinic.toml";
    let clinic = ["network", clinic, "--until", either("225000", "120000"), "--replications", "40"];
    let classes = "examples/networks/emergency.toml";
    let classes = ["network", classes, "--until", either("150000", "60000"), "--replications", "40"];
    for model in [&torus[..], &several, &clinic, &classes] {
        let model = [model, &ON_TWO].concat();
        let files = |end: &str| [path(&format!("{end}.csv")), path(&format!("{end}.shard"))];
        let [[csv, shard], [found_csv, found_shard]] = [files("expected"), files("found")];
        let (_, whole) = json(&model, &["--stations", &csv, "--shard", &shard]);
        let end = killed_and_ended(&model, &file, &["--stations", &found_csv, "--shard", &found_shard]);
        assert_eq!(results(&end), results(&whole));
        assert_eq!(std::fs::read(&found_csv).unwrap(), std::fs::read(&csv).unwrap());
        let (_, [expected, found]) = (0, [&shard, &found_shard].map(|shard| json(&["merge", shard], &[]).1));
        assert_eq!(results(&found), results(&expected));
    }
    std::fs::remove_dir_all(folder).unwrap();
}
