//! The choice of the backend that runs a model, opened and ready.

use std::num::NonZeroUsize;
use std::time::{Duration, Instant};

use super::CommandError;
use super::arguments::{Backend, Compared, DeviceArguments, Format, Gpus};
use super::memory::Room;
use super::warning::{self, Warning};
use tickless_device::wgpu::WgpuDevice;
use tickless_device::{
    AdapterDescription, AdapterKind, Device, DeviceError, OpenOptions, Selection, Target, by_preference,
};
use tickless_queueing::QueueingError;

/// The kind of backend that suits a model.
#[derive(Clone, Debug, PartialEq)]
pub enum Suits {
    /// Rounds, in a run with so many events for a core of the heap; on a software adapter only if the heap would take long.
    Rounds { events: f64 },
    /// Rounds on a GPU; a software adapter makes appointments more slowly than the heap runs the events.
    Appointments,
    /// The same for messages between processes.
    Messages,
    /// The same for cells, of which few are busy at a time or each does little, or whose kernels compile for long.
    Cells,
    /// The same for searches; without a GPU the heap has a search on each core.
    Searches,
    /// The same for many replications that run event by event; without a GPU the heap has one on each core.
    Replications,
    /// The heap is faster, and why.
    Heap(String),
    /// The heap only: the network has no lookahead, and this station makes no appointments.
    NoRounds { station: String, what: String },
}

impl Suits {
    /// The heap where a round of `what` holds few events.
    pub fn by_events(events: f64, what: &str, rounds: Self) -> Self {
        if events >= WORTHWHILE {
            return rounds;
        }
        Self::Heap(format!("a round of this {what} would hold about {events:.1} events, which the heap runs faster"))
    }
}

/// The events of a round above which a GPU is faster than the heap: a round takes about 10 us, the heap 0.1 us an
/// event.
const WORTHWHILE: f64 = 100.0;

/// The time of an event on the heap, in seconds. Both are rough: the choice need not be right where the two are close.
pub const HEAP_EVENT: f64 = 0.3e-6;
/// A software adapter is at most 1.3 times as fast as the heap on two cores, after some seconds of compiling: it pays where
/// the heap would take longer than this, in seconds.
const LONG: f64 = 30.0;

/// How the processor runs faster on the heap than as a software adapter.
const ONE_AFTER_THE_OTHER: &str = "one event after the other";
const ONE_A_CORE: &str = "a search on each core";
const A_REPLICATION_A_CORE: &str = "a replication on each core";

/// A backend that is ready to run.
pub struct Ready {
    name: &'static str,
    /// Never dropped: the end of the process frees it sooner than its driver would, and a command opens few devices.
    device: Option<&'static dyn Device>,
    opening: Duration,
    /// The most cores of the heap, if given.
    most_cores: Option<NonZeroUsize>,
    /// The options with which another backend is opened, if `auto` took this one and no option asked for it.
    automatic: Option<DeviceArguments>,
    /// Warnings about adapters that refused a kernel before this backend took their place.
    unused: Vec<Warning>,
}

impl Ready {
    /// The heap simulator, which needs no opening.
    pub fn heap(most_cores: Option<NonZeroUsize>) -> Self {
        let name = Compared::Heap.name();
        Self { name, device: None, opening: Duration::ZERO, most_cores, automatic: None, unused: vec![] }
    }

    /// The heap. What is said of adapters has no meaning there.
    fn on_heap(device: &DeviceArguments, what: &str) -> Result<(Self, Vec<Warning>), CommandError> {
        let has_no_use = device.only_for_adapters();
        if has_no_use { Err(only_on_an_adapter(device, what)) } else { Ok((Self::heap(device.threads), vec![])) }
    }

    /// A device that somebody else has opened, or the heap.
    pub fn opened(name: &'static str, device: Option<&'static dyn Device>, most_cores: Option<NonZeroUsize>) -> Self {
        Self { name, device, ..Self::heap(most_cores) }
    }

    /// A device of a test, as if no choice had been made.
    #[cfg(test)]
    pub fn of(device: Box<dyn Device>) -> Self {
        let device: &dyn Device = Box::leak(device);
        Self {
            name: "test",
            device: Some(device),
            opening: Duration::ZERO,
            most_cores: None,
            automatic: None,
            unused: vec![],
        }
    }

    /// The same as if `auto` had taken it.
    #[cfg(test)]
    pub fn by_itself(self) -> Self {
        Self { automatic: Some(DeviceArguments::default()), ..self }
    }

    fn open(name: Compared, device: &DeviceArguments) -> Result<Self, CommandError> {
        let selection = &selection(device);
        let options = OpenOptions { without_int64: device.no_int64 || name.words(), ..device.options() };
        let started = Instant::now();
        let several = device.devices.as_ref().map(|Gpus(numbers)| &numbers[..]);
        let device: Box<dyn Device> = match name.cuda() {
            true => cuda(selection, several, options)?,
            false => Box::new(WgpuDevice::open(selection, options)?),
        };
        let device: &'static dyn Device = Box::leak(device);
        let opening = started.elapsed();
        Ok(Self { name: name.name(), device: Some(device), opening, most_cores: None, automatic: None, unused: vec![] })
    }

    /// The backend of a run, and warnings about the choice.
    ///
    /// # Errors
    /// Options of adapters on the heap; an adapter that does not open.
    pub fn choose(
        backend: Backend,
        device: &DeviceArguments,
        suits: Suits,
    ) -> Result<(Self, Vec<Warning>), CommandError> {
        let (ready, warnings) = Self::chosen(backend, device, suits)?;
        if ready.device.is_some() && device.threads.is_some() {
            return Err(only_on_the_heap("this run would be on a device"));
        }
        Ok((ready, warnings))
    }

    fn chosen(backend: Backend, device: &DeviceArguments, suits: Suits) -> Result<(Self, Vec<Warning>), CommandError> {
        // An option of adapters asks for an adapter.
        let asks = device.asks_for_one();
        let on_heap = || Self::heap(device.threads);
        if backend == Backend::Heap {
            return Self::on_heap(device, "--backend heap, which uses no adapter");
        }
        let heap = |reason| Ok((on_heap(), vec![Warning::HeapFallback { reason }]));
        let without_gpu = match suits {
            Suits::Rounds { events } if events * HEAP_EVENT > LONG => None,
            Suits::Heap(_) | Suits::NoRounds { .. } => None,
            Suits::Rounds { .. } | Suits::Appointments | Suits::Messages | Suits::Cells => Some(ONE_AFTER_THE_OTHER),
            Suits::Searches => Some(ONE_A_CORE),
            Suits::Replications => Some(A_REPLICATION_A_CORE),
        };
        match suits {
            Suits::Rounds { .. }
            | Suits::Appointments
            | Suits::Messages
            | Suits::Cells
            | Suits::Searches
            | Suits::Replications => {}
            Suits::Heap(reason) if backend == Backend::Auto && !asks => return heap(reason),
            Suits::Heap(_) => {}
            Suits::NoRounds { station, what } => {
                let error = QueueingError::Appointments { station, what };
                return if backend == Backend::Auto && !asks {
                    heap(besides_heap(&error.to_string()))
                } else {
                    Err(error.into())
                };
            }
        }
        let open = |name| Self::open(name, device);
        let (ready, mut warnings) = match backend {
            Backend::Wgpu if device.devices.is_some() => {
                let message =
                    "--devices is for GPUs of CUDA, and --backend wgpu takes one adapter: leave one of them out";
                return Err(CommandError::Usage { message: message.into() });
            }
            Backend::Cuda => (open(Compared::Cuda)?, vec![]),
            Backend::Auto if device.devices.is_some() => (open(Compared::Cuda)?, vec![]),
            Backend::Auto => {
                let (ready, warnings) = Self::auto(open, on_heap, device.adapter.is_none(), asks, without_gpu)?;
                (Self { automatic: (!asks).then(|| device.clone()), ..ready }, warnings)
            }
            _ => (open(Compared::Wgpu)?, vec![]),
        };
        warnings.extend(ready.warnings());
        Ok((ready, warnings))
    }

    /// CUDA where it works, else an adapter, else the heap unless an option asks for an adapter; `without_gpu` gives
    /// the reason why the heap is faster than a software adapter, if it is.
    fn auto(
        open: impl Fn(Compared) -> Result<Self, CommandError>,
        on_heap: impl Fn() -> Self,
        any_adapter: bool,
        asks: bool,
        without_gpu: Option<&str>,
    ) -> Result<(Self, Vec<Warning>), CommandError> {
        let mut warnings = vec![];
        if cfg!(feature = "cuda") && any_adapter {
            match open(Compared::Cuda) {
                Ok(ready) => return Ok((ready, warnings)),
                // Most machines have no NVIDIA GPU, so this is no warning.
                Err(error) if matches!(error.device(), Some(DeviceError::NoDriver { .. })) => {}
                Err(error) => warnings.push(Warning::CudaUnused { reason: error.to_string() }),
            }
        }
        match open(Compared::Wgpu) {
            // Only a software adapter can fail the self-test, and auto takes one only where there is nothing better. Limits
            // are those of the process.
            Err(error)
                if !asks
                    && matches!(
                        error.device(),
                        Some(DeviceError::NoAdapters | DeviceError::SelfTest { .. } | DeviceError::Limit { .. })
                    ) =>
            {
                warnings.push(Warning::HeapFallback { reason: besides_heap(&error.to_string()) });
                Ok((on_heap(), warnings))
            }
            Ok(ready) if !asks && ready.is_software() && without_gpu.is_some() => {
                let how = without_gpu.unwrap_or_default();
                let reason = format!("there is no GPU, and the processor alone is done sooner with {how}");
                warnings.push(Warning::HeapFallback { reason });
                Ok((on_heap(), warnings))
            }
            ready => Ok((ready?, warnings)),
        }
    }

    /// If `auto` took this backend, and its compiler refuses a kernel or takes too long: replaces it by the next GPU in the order of `auto`
    /// that opens and fits, or after all GPUs by the heap, and tells the user. False without a replacement.
    pub fn replace(&mut self, error: &CommandError, format: Format, fits: impl Fn(&Self) -> bool) -> bool {
        let is_refusal = matches!(error.device(), Some(DeviceError::Refused { .. } | DeviceError::CompileLimit { .. }));
        if !is_refusal {
            return false;
        }
        let (Some(arguments), Some(adapter)) = (self.automatic.take(), self.adapter().cloned()) else { return false };
        let reason = in_one_line(&besides_heap(&error.to_string()));
        let found = tickless_device::wgpu::adapters().unwrap_or_default();
        let next = behind(&adapter, found);
        let adapter = format!("{} ({})", adapter.name, adapter.backend);
        let next = next.into_iter().find_map(|next| {
            let arguments = DeviceArguments { adapter: Some(next.index.to_string()), ..arguments.clone() };
            Self::open(Compared::Wgpu, &arguments).ok().filter(&fits)
        });
        let (next, warning) = match next {
            Some(next) => (Self { automatic: Some(arguments), ..next }, Warning::AdapterUnused { adapter, reason }),
            None => {
                let (heap, reason) = (Self::heap(arguments.threads), format!("{adapter}: {reason}"));
                if !fits(&heap) {
                    return false;
                }
                (heap, Warning::HeapFallback { reason })
            }
        };
        warning::tell(format, std::slice::from_ref(&warning));
        let mut unused = std::mem::take(&mut self.unused);
        unused.push(warning);
        *self = Self { unused, ..next };
        true
    }

    /// The warnings about adapters that refused a kernel before this backend took their place.
    pub fn unused(&self) -> &[Warning] {
        &self.unused
    }

    /// A backend that was opened after an error of this one, with the warnings of this one.
    pub fn again(&self, opened: Self) -> Self {
        Self { unused: self.unused.iter().cloned().chain(opened.unused).collect(), ..opened }
    }

    /// The heaps of ranks. A run over ranks is never on a device.
    ///
    /// # Errors
    /// [`CommandError::Usage`] for options of devices.
    pub fn over_ranks(backend: Backend, device: &DeviceArguments) -> Result<(Self, Vec<Warning>), CommandError> {
        let refuse = |message: String| Err(CommandError::Usage { message });
        let named = match backend {
            Backend::Auto | Backend::Heap => None,
            Backend::Wgpu => Some("--backend wgpu"),
            Backend::Cuda => Some("--backend cuda"),
        };
        if let Some(option) = named.or(device.devices.as_ref().map(|_| "--devices")) {
            return refuse(format!(
                "ranks are heaps, and {option} is for a device: leave it out, or run without ranks, where --devices 0,1 has two \
                 GPUs run one model through CUDA"
            ));
        }
        if device.threads.is_some() {
            return refuse(
                "--threads is for replications side by side, and one run goes over ranks: leave it out".into(),
            );
        }
        Self::on_heap(device, "a run over ranks, which are heaps")
    }

    /// A backend of `tickless compare`.
    ///
    /// # Errors
    /// A model that needs the heap; an adapter that does not open.
    pub fn compared(name: Compared, device: &DeviceArguments, suits: &Suits) -> Result<Self, CommandError> {
        match name {
            Compared::Heap => Ok(Self::heap(device.threads)),
            _ => match suits.clone() {
                Suits::NoRounds { station, what } => Err(QueueingError::Appointments { station, what }.into()),
                _ => Self::open(name, device),
            },
        }
    }

    fn is_software(&self) -> bool {
        self.adapter().is_some_and(|adapter| adapter.kind == AdapterKind::Software)
    }

    /// Warnings about the adapter.
    pub fn warnings(&self) -> Vec<Warning> {
        let software = self.adapter().filter(|adapter| adapter.kind == AdapterKind::Software);
        software.map(|adapter| Warning::SoftwareAdapter { adapter: adapter.name.clone() }).into_iter().collect()
    }

    /// Its name: `heap`, `wgpu`, `cuda`, or one of the latter with `-words` behind.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// The adapter, if it has one.
    pub fn adapter(&self) -> Option<&AdapterDescription> {
        self.device.map(Device::adapter)
    }

    /// Whether it is the heap.
    pub fn is_heap(&self) -> bool {
        self.device.is_none()
    }

    /// The limits of a run.
    pub fn room(&self) -> Room<'_> {
        Room::new(self.adapter())
    }

    /// The target that models run on.
    pub fn target(&self) -> Target<'_> {
        let heap = self.most_cores.map_or(Target::Heap, Target::HeapOn);
        self.device.map_or(heap, Target::Device)
    }

    /// How long the adapter took to open.
    pub fn opening(&self) -> Duration {
        self.opening
    }
}

/// The adapter that the options ask for.
fn selection(device: &DeviceArguments) -> Selection {
    device.adapter.as_deref().map_or(Selection::Auto, |text| match text.parse() {
        Ok(selection) => selection,
        Err(never) => match never {},
    })
}

/// The GPUs after one in the order of `auto`: all of them if it is not in the list, such as one of CUDA.
fn behind(taken: &AdapterDescription, found: Vec<AdapterDescription>) -> Vec<AdapterDescription> {
    let mut order = by_preference(found);
    order.retain(|adapter| adapter.kind != AdapterKind::Software);
    let place = order.iter().position(|adapter| (adapter.index, &adapter.backend) == (taken.index, &taken.backend));
    order.split_off(place.map_or(0, |place| place + 1))
}

/// The beginning of a compiler's message, in one line.
fn in_one_line(text: &str) -> String {
    const MOST: usize = 400;
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let end = line.char_indices().nth(MOST).map(|(end, _)| end);
    end.map_or(line.clone(), |end| format!("{} ...", &line[..end]))
}

/// The message of an error, without the advice to run on the heap, which is done anyway.
fn besides_heap(error: &str) -> String {
    let advice = [
        ", or run with --backend heap, which compiles nothing",
        ", or run with --backend heap",
        " or run with --backend heap",
        ", or run it on the heap",
    ];
    advice.iter().find_map(|advice| error.strip_suffix(advice)).unwrap_or(error).to_owned()
}

#[cfg(feature = "cuda")]
fn cuda(
    selection: &Selection,
    several: Option<&[usize]>,
    options: OpenOptions,
) -> Result<Box<dyn Device>, CommandError> {
    use tickless_device::cuda::CudaDevice;
    Ok(Box::new(match several {
        Some(numbers) => CudaDevice::open_several(numbers, options)?,
        None => CudaDevice::open(selection, options)?,
    }))
}

#[cfg(not(feature = "cuda"))]
fn cuda(_: &Selection, _: Option<&[usize]>, _: OpenOptions) -> Result<Box<dyn Device>, CommandError> {
    let message = "this tickless was built without CUDA: build it with cargo build --release --features cuda, or use \
                   wgpu";
    Err(CommandError::Usage { message: message.into() })
}

/// Refuses `--threads`, with the reason.
pub fn only_on_the_heap(why: &str) -> CommandError {
    let message = format!("--threads is for the heap simulator, and {why}: leave it out, or give --backend heap");
    CommandError::Usage { message }
}

/// Refuses options of adapters beside a backend without an adapter.
fn only_on_an_adapter(device: &DeviceArguments, beside: &str) -> CommandError {
    let option = match device {
        DeviceArguments { adapter: Some(_), .. } => "--adapter",
        DeviceArguments { devices: Some(_), .. } => "--devices",
        DeviceArguments { no_int64: true, .. } => "--no-int64",
        DeviceArguments { compile_limit: Some(_), .. } => "--compile-limit",
        _ => "--batch-limit",
    };
    let message = format!("{option} has no meaning with {beside}: leave one of them out");
    CommandError::Usage { message }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_next_gpu_comes_behind_one_that_refuses() {
        use AdapterKind::{Discrete, Integrated, Software};
        let adapter = |index, backend: &str, kind| AdapterDescription {
            index,
            backend: backend.into(),
            kind,
            ..AdapterDescription::imagined(true, 32)
        };
        let all = [
            adapter(0, "dx12", Discrete),
            adapter(1, "vulkan", Software),
            adapter(2, "vulkan", Discrete),
            adapter(3, "vulkan", Integrated),
        ];
        let after = |taken: &AdapterDescription| {
            let next = behind(taken, all.to_vec());
            next.into_iter().map(|adapter| adapter.index).collect::<Vec<_>>()
        };
        assert_eq!(after(&adapter(0, "cuda", Discrete)), [2, 0, 3]);
        assert_eq!((after(&all[2]), after(&all[0]), after(&all[3])), (vec![0, 3], vec![3], vec![]));
    }

    #[test]
    fn what_a_compiler_says_becomes_one_line() {
        assert_eq!(
            in_one_line("kernel a/b does not compile:\n\n  error  X3507"),
            "kernel a/b does not compile: error X3507"
        );
        let long = in_one_line(&"é".repeat(1_000));
        assert_eq!((long.chars().count(), long.ends_with("é ...")), (404, true));
    }

    #[test]
    fn a_run_on_the_heap_is_not_advised_to_be_one() {
        let appointments = QueueingError::Appointments { station: "desk".into(), what: "2 servers".into() };
        let test = DeviceError::SelfTest { adapter: "a".into(), driver: "b".into(), asked: 2, ran: 1 };
        let limit = DeviceError::CompileLimit { adapter: "a".into(), seconds: 1.0 };
        let errors =
            [DeviceError::NoAdapters.to_string(), test.to_string(), appointments.to_string(), limit.to_string()];
        for error in errors {
            let reason = besides_heap(&error);
            assert!(error.contains("heap") && !reason.contains("heap") && !reason.ends_with(','), "{reason}");
        }
    }
}
