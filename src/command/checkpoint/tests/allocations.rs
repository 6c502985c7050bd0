//! A device whose memory runs out at any allocation of a run.

use super::*;
use crate::cases::FileCase;
use tickless_device::shortage::Shortage;
use tickless_device::wgpu::{OpenOptions, Selection, WgpuDevice};

/// A device for each call, and the switch that makes its memory run out.
type Short = (Box<dyn Fn() -> Box<dyn Device>>, Arc<Shortage>);

fn short<D: Device + Clone + 'static>(device: D, shortage: &Arc<Shortage>) -> Short {
    (Box::new(move || Box::new(device.clone())), shortage.clone())
}

/// Without an adapter a test fails in CI and is skipped elsewhere. A GPU of CUDA is there too where it is built and opens.
pub fn devices() -> Vec<Short> {
    let mut devices: Vec<Short> = vec![];
    match WgpuDevice::open(&Selection::Auto, OpenOptions::default()) {
        Ok(device) => devices.push(short(device.clone(), &device.shortage)),
        Err(error) => {
            assert!(std::env::var_os("CI").is_none(), "{error}");
            eprintln!("SKIPPED: {error}");
        }
    }
    #[cfg(feature = "cuda")]
    if let Ok(device) = tickless_device::cuda::CudaDevice::open(&Selection::Auto, OpenOptions::default()) {
        devices.push(short(device.clone(), &device.shortage));
    }
    devices
}

/// The number of allocations of a run: each of them fails once, and the error of the run then has the number of bytes.
fn fails_at_every_allocation(shortage: &Shortage, mut run: impl FnMut() -> Result<(), CommandError>) -> u64 {
    for number in 1.. {
        shortage.begin(number);
        let ended = run();
        if shortage.end() {
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
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("run.ckpt");
    std::fs::write(&file, "a checkpoint").unwrap();
    let whole = whole(phold());
    for (device, shortage) in devices() {
        let allocations = fails_at_every_allocation(&shortage, || {
            let mut case = phold();
            let keeping = keeping(&mut case, &file, 0, false);
            let mut backend = Ready::of(device());
            let given = Given { backend: Backend::Wgpu, device: &DeviceArguments::default(), format: Format::Text };
            let ended = keeping.finish(&mut case, (&mut backend, given), Alone, &Interrupt::default());
            if let Err(error) = &ended {
                assert!(error.to_string().contains("; the last checkpoint is at time 2.5, in "), "{error}");
            }
            ended.map(|run| assert_eq!(run.outcome.digest(), whole.outcome.outcome.digest()))
        });
        assert!(allocations > 10, "{allocations}");
    }
}

/// A network from a file, whose tokens come from a source: the device begins with room for few of them, and makes more.
#[test]
fn a_run_of_a_network_says_how_much_was_asked() {
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
    let clinic = || prepared::<FileCase>(file.to_str().unwrap());
    let whole = whole(clinic());
    for (device, shortage) in devices() {
        let allocations = fails_at_every_allocation(&shortage, || {
            let target = device();
            let mut watch = unwatched();
            let run = clinic().run(
                RunMode::restartable(None),
                Target::Device(&*target),
                None,
                &mut WithoutSnapshots(&mut watch),
            );
            run.map(|run| assert_eq!(run.outcome, whole.outcome))
        });
        assert!(allocations > 20, "{allocations}");
    }
}
