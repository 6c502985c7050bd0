//! The adapters that tests run on.

use std::sync::Mutex;
use std::time::Duration;

use tickless::device::joint::Second;
use tickless::device::wgpu::WgpuDevice;
use tickless::device::{AdapterKind, Device, DeviceError, OpenOptions, Selection};
use tickless::engine::Options;

/// Opens the adapter that `auto` takes. Without one a test fails in CI (where `CI` is set) and says that it is
/// skipped elsewhere.
pub fn open(options: OpenOptions) -> Option<WgpuDevice> {
    match WgpuDevice::open(&Selection::Auto, options) {
        Ok(device) => Some(device),
        Err(DeviceError::NoAdapters) if std::env::var_os("CI").is_none() => {
            eprintln!("SKIPPED: no adapter on this machine");
            None
        }
        Err(error) => panic!("{error}"),
    }
}

/// Which forms are run on a GPU where not all are: those whose names contain this.
const FORMS: &str = "TICKLESS_FORMS";

/// Every form of the kernels that this machine can run, by name: those of the adapter, and of CUDA where it is built; those that
/// [`FORMS`] asks for. On a software adapter joint programs are left to the tests of experiments.
#[allow(dead_code)] // not every test binary runs every form
pub fn every_form() -> Vec<(&'static str, Box<dyn Device>)> {
    let few = native().is_some_and(|device| in_software(&device));
    those(|name| !few || name != JOINT)
}

/// Every form, but on a software adapter only those named: there a kernel takes seconds to compile in each of them.
#[allow(dead_code)] // not every test binary asks for them
pub fn forms(named: &[&str]) -> Vec<(&'static str, Box<dyn Device>)> {
    // Opening those that nobody wants takes as long as small runs do.
    let few = native().is_some_and(|device| in_software(&device));
    let forms = those(|name| !few || name.starts_with("cuda") || named.contains(&name));
    let all = forms.len() >= named.len() || forms.is_empty() || std::env::var_os(FORMS).is_some();
    assert!(all, "one of {named:?} is no form");
    forms
}

/// The adapter with all that it has.
#[allow(dead_code)] // not every test binary asks for it
pub fn native() -> Option<WgpuDevice> {
    shared(of_the_adapter()[0])
}

type Form = (&'static str, OpenOptions);

/// The form whose programs are the second members of joint ones.
const JOINT: &str = "native, joint";

fn of_the_adapter() -> [Form; 6] {
    // One waits in the queue for what another test of the process has compiled.
    let patience = Duration::from_secs(900);
    let plain = OpenOptions { compile_limit: patience, batch_limit: patience, ..OpenOptions::default() };
    [
        ("native", plain),
        ("words", OpenOptions { without_int64: true, ..plain }),
        ("words, no subgroups", OpenOptions { without_int64: true, without_subgroups: true, ..plain }),
        ("native, no subgroups", OpenOptions { without_subgroups: true, ..plain }),
        ("native, every check", OpenOptions { checked: true, ..plain }),
        (JOINT, plain),
    ]
}

/// A form that all tests of a process share: what is compiled for one is compiled for all.
fn shared((name, options): Form) -> Option<WgpuDevice> {
    static OPENED: Mutex<Vec<(&str, WgpuDevice)>> = Mutex::new(vec![]);
    let mut opened = OPENED.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    if let Some((_, device)) = opened.iter().find(|(other, _)| *other == name) {
        return Some(device.clone());
    }
    let device = open(options)?;
    opened.push((name, device.clone()));
    Some(device)
}

fn those(wanted: impl Fn(&str) -> bool) -> Vec<(&'static str, Box<dyn Device>)> {
    let asked = std::env::var(FORMS).unwrap_or_default();
    let wanted = |name: &str| wanted(name) && name.contains(&asked);
    let boxed = |device: WgpuDevice| Box::new(device) as Box<dyn Device>;
    let opened = of_the_adapter().into_iter().filter(|(name, _)| wanted(name));
    let joint = |device: WgpuDevice| Box::new(Second(device)) as Box<dyn Device>;
    let one =
        |form: Form| shared(form).map(|device| (form.0, if form.0 == JOINT { joint(device) } else { boxed(device) }));
    let opened = opened.filter_map(one);
    opened.chain(cuda::every_form().into_iter().filter(|(name, _)| wanted(name))).collect()
}

/// On a software adapter the first of some sizes that kernels are compiled for.
#[allow(dead_code)] // not every test binary has sizes
pub fn sizes<'a, T>(device: &dyn Device, sizes: &'a [T]) -> &'a [T] {
    if in_software(device) { &sizes[..1] } else { sizes }
}

/// Sizes that suit, but on a software adapter those of a small model: a large one would have other kernels.
#[allow(dead_code)] // not every test binary has large models
pub fn small_blocks(device: &dyn Device) -> Options {
    Options { elements: in_software(device).then_some(4), ..Options::default() }
}

/// Whether the processor runs the kernels.
#[allow(dead_code)] // not every test binary asks
pub fn in_software(device: &dyn Device) -> bool {
    device.adapter().kind == AdapterKind::Software
}

#[cfg(not(feature = "cuda"))]
mod cuda {
    pub fn every_form() -> Vec<(&'static str, Box<dyn tickless::device::Device>)> {
        vec![]
    }
}

#[cfg(feature = "cuda")]
mod cuda {
    use super::*;
    use tickless::device::Overlap;
    use tickless::device::cuda::{CudaDevice, adapters};

    /// Both forms of times, with and without warps, launches in order and early; and two GPUs together, which on a machine with
    /// one are that one twice. A machine without NVIDIA's driver has none.
    pub fn every_form() -> Vec<(&'static str, Box<dyn Device>)> {
        let plain = OpenOptions { overlap: Overlap::Off, ..OpenOptions::default() };
        let early = OpenOptions { overlap: Overlap::On, ..plain };
        let forms = [
            ("cuda", plain),
            ("cuda, words", OpenOptions { without_int64: true, ..plain }),
            ("cuda, early", early),
            ("cuda, early, words", OpenOptions { without_int64: true, ..early }),
            ("cuda, words, no warps", OpenOptions { without_int64: true, without_subgroups: true, ..plain }),
            ("cuda, no warps", OpenOptions { without_subgroups: true, ..plain }),
            ("cuda, joint", early),
            ("cuda, two GPUs", plain),
            ("cuda, two GPUs, words", OpenOptions { without_int64: true, ..plain }),
        ];
        let last = adapters().map_or(0, |found| found.len() - 1);
        let open = |(name, options): (&'static str, OpenOptions)| match if name.contains("two GPUs") {
            CudaDevice::open_several(&[0, last], options)
        } else {
            CudaDevice::open(&Selection::Auto, options)
        } {
            Ok(device) if name == "cuda, joint" => Some((name, Box::new(Second(device)) as Box<dyn Device>)),
            Ok(device) => Some((name, Box::new(device) as Box<dyn Device>)),
            Err(DeviceError::NoDriver { reason }) => {
                eprintln!("SKIPPED: {name}: {reason}");
                None
            }
            Err(error) => panic!("{error}"),
        };
        forms.into_iter().filter_map(open).collect()
    }
}
