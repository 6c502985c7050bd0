//! A device whose memory runs out at any allocation of a run.

use super::*;
use crate::cli::cases::FileCase;
use crate::device::wgpu::{OpenOptions, Selection, WgpuDevice};

/// Without an adapter a test fails in CI and is skipped elsewhere.
pub fn device() -> Option<WgpuDevice> {
    match WgpuDevice::open(&Selection::Auto, OpenOptions::default()) {
        Ok(device) => Some(device),
        Err(error) => {
            assert!(std::env::var_os("CI").is_none(), "{error}");
            eprintln!("SKIPPED: {error}");
            None
        }
    }
}

/// How many allocations a run has: each of them fails once, and what the run ends with then says how much was asked.
fn fails_at_every_allocation(device: &WgpuDevice, mut run: impl FnMut() -> Result<(), CommandError>) -> u64 {
    for number in 1.. {
        device.shortage.begin(number);
        let ended = run();
        if device.shortage.end() {
            ended.unwrap();
            return number - 1;
        }
        let error = ended.err().unwrap_or_else(|| panic!("nothing is said of allocation {number}"));
        let said = error.to_string();
        let inner = if let CommandError::Stopped { error, .. } = &error { error } else { &error };
        match inner.device() {
            Some(DeviceError::OutOfMemory { asked, .. }) => {
                assert!(said.starts_with("out of memory on ") && said.contains(&format!("({asked} asked)")), "{said}");
                assert_ne!(asked, "an unknown amount");
            }
            other => panic!("allocation {number}: {other:?}"),
        }
        assert!(number < 1000, "no run ends");
    }
    0
}

/// The error of a run that has left a checkpoint names it.
#[test]
fn a_run_of_processes_says_how_much_was_asked() {
    let Some(device) = device() else { return };
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("run.ckpt");
    std::fs::write(&file, "a checkpoint").unwrap();
    let whole = whole(phold());
    let allocations = fails_at_every_allocation(&device, || {
        let mut case = phold();
        let keeping = keeping(&mut case, &file, 0, false);
        let mut backend = Ready::of(Box::new(device.clone()));
        let given = Given { backend: Backend::Wgpu, device: &DeviceArguments::default() };
        let ended = keeping.finish(&mut case, (&mut backend, given), Alone, &Interrupt::default());
        if let Err(error) = &ended {
            assert!(error.to_string().contains("; the last checkpoint is at time 2.5, in "), "{error}");
        }
        ended.map(|run| assert_eq!(run.outcome.digest(), whole.outcome.outcome.digest()))
    });
    assert!(allocations > 10, "{allocations}");
}

/// A network of a file, whose tokens come from a source: the device begins with room for few of them, and makes more.
#[test]
fn a_run_of_a_network_says_how_much_was_asked() {
    let Some(device) = device() else { return };
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("network.toml");
    let text = "
        until = 8
        window = 0.5
        station = [{ name = 'desk', service = 'exponential:1' }, { name = 'slow', service = 'constant:9' }]
        sink = [{ name = 'exit' }]
        source = [{ name = 'street', interval = 'exponential:0.02', to = 'desk' }]
        route = [{ from = 'desk', to = 'slow' }, { from = 'slow', to = 'exit' }]";
    std::fs::write(&file, text).unwrap();
    let prepared = || {
        let command =
            <<FileCase as Case>::Arguments as Args>::augment_args(clap::Command::new("case").no_binary_name(true));
        let matches = command.try_get_matches_from([file.as_os_str()]).unwrap();
        FileCase::prepare(parsed(&matches).unwrap(), &Default::default(), &Default::default()).unwrap()
    };
    let whole = whole(prepared());
    let allocations = fails_at_every_allocation(&device, || {
        let run = prepared().run_from(None, Target::Device(&device), &mut WithoutSnapshots(&mut unwatched()));
        run.map(|run| assert_eq!(run.outcome, whole.outcome))
    });
    assert!(allocations > 20, "{allocations}");
}
