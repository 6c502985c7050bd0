//! Runs on a device that go on while their checkpoints are written.

use super::allocations::devices;
use super::*;
use crate::cases::TorusCase;
use tickless_queueing::combined_digest;

/// A device that fails later: the run resumes from the file, with the counts in it.
#[test]
fn a_run_goes_on_from_what_was_written_beside_it() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("run.ckpt");
    let torus = || prepared::<TorusCase>("--side 8 --until 20000 --warmup 100");
    let whole = whole(torus());
    for (device, shortage) in devices() {
        let mut case = torus();
        let origin = case::origin(&case).map(|arguments| serde_json::json!(arguments));
        let keeping = Keeping::<TorusCase> {
            course: CourseArguments {
                checkpoint_interval: Some(Duration::ZERO),
                retry: Some(1),
                retry_on: Some(Backend::Heap),
            },
            at: None,
            so_far: SoFar::default(),
            run: None,
            files: Files {
                pair: Pair::new(&file).unwrap(),
                same: Same { origin, run: run_id(), words: vec![], pilot: Value::Null, warnings: vec![] },
                number: 0,
                whole: None,
                writing: Writing::default(),
            },
        };
        // The read for a further checkpoint fails.
        let (file, short) = (file.clone(), shortage.clone());
        let waits = std::thread::spawn(move || {
            let begun = std::time::Instant::now();
            while !file.exists() && begun.elapsed() < Duration::from_secs(60) {
                std::thread::yield_now();
            }
            short.begin(1);
        });
        let mut backend = Ready::of(device());
        let given = Given { backend: Backend::Wgpu, device: &DeviceArguments::default(), format: Format::Text };
        let run = keeping.finish(&mut case, (&mut backend, given), Alone, &Interrupt::default()).unwrap();
        waits.join().unwrap();
        // CUDA already has room for its reads of a small model.
        assert!(!shortage.end() || device().adapter().backend == "cuda", "nothing failed");
        assert_eq!(combined_digest(&run.outcome), combined_digest(&whole.outcome.outcomes));
        assert_eq!((run.events, run.details.completions), (whole.events, whole.details.completions));
        // The device's, for the heap has none.
        assert!(run.rounds > Some(0) && !run.interrupted);
        std::fs::remove_dir_all(folder.path()).unwrap();
        std::fs::create_dir(folder.path()).unwrap();
    }
}
