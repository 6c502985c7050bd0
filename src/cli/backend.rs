//! Which backend runs a model, opened and ready.

use std::ops::Range;
use std::time::{Duration, Instant};

use super::arguments::{Backend, Compared, DeviceArguments};
use super::interrupt::Interrupt;
use super::memory::{self, Need};
use super::progress::Watcher;
use super::warning::Warning;
use super::{CommandError, arguments};
use crate::RunError;
use crate::cells::gpu::{CellOptions, DeviceCells};
use crate::cells::log::CellLog;
use crate::cells::{self, CellOutcome};
use crate::device::wgpu::{OpenOptions, WgpuDevice};
use crate::device::{AdapterDescription, AdapterKind, Device, DeviceError, Selection};
use crate::engine::Options;
use crate::processes::gpu::ProcessOptions;
use crate::processes::{self, PholdModel, ProcessDetails};
use crate::queueing::network::{self, NetworkModel, NetworkOutcome};
use crate::queueing::{NetworkDetails, TorusModel, gpu, reference};
use crate::run::Run;
use crate::statistics::Outcome;

/// What runs a model well.
#[derive(Clone, Debug, PartialEq)]
pub enum Suits {
    /// Rounds.
    Rounds,
    /// Rounds on a GPU; a software adapter makes appointments more slowly than the heap runs the events.
    Appointments,
    /// The same of messages between processes.
    Messages,
    /// The same of cells, of which few are busy at a time or each does little.
    Cells,
    /// The heap is faster, and why.
    Heap(String),
    /// Only the heap can: the network has no lookahead, and this station makes no appointments.
    NoRounds { station: String, what: String },
}

impl Suits {
    /// What runs a torus.
    pub fn torus(model: &TorusModel) -> Self {
        Self::by(gpu::Synchronization::of(model))
    }

    /// What runs PHOLD.
    pub fn phold(model: &PholdModel) -> Self {
        // In a round time goes on by the lookahead or more.
        let events = f64::from(model.events_at_start()) * model.lookahead_share();
        if events >= WORTHWHILE {
            return Self::Messages;
        }
        Self::Heap(format!("a round of this model would hold about {events:.1} events, which the heap runs faster"))
    }

    fn by(synchronization: gpu::Synchronization) -> Self {
        match synchronization {
            gpu::Synchronization::Window => Self::Rounds,
            gpu::Synchronization::Appointments | gpu::Synchronization::AppointmentsInTiles => Self::Appointments,
        }
    }

    /// What runs replications of a network.
    pub fn network(model: &NetworkModel, replications: u32) -> Self {
        let synchronization = match network::gpu::synchronization(model) {
            Err(RunError::Appointments { station, what }) => return Self::NoRounds { station, what },
            found => found.unwrap_or(gpu::Synchronization::Window),
        };
        let events = network::gpu::events_per_round(model) * f64::from(replications);
        if events >= WORTHWHILE {
            return Self::by(synchronization);
        }
        Self::Heap(format!("a round of this network would hold about {events:.1} events, which the heap runs faster"))
    }
}

/// Events of a round with which a GPU is faster than the heap: it takes some 10 us for one, the heap 0.1 us an event.
const WORTHWHILE: f64 = 100.0;

/// A backend that is ready to run.
pub struct Ready {
    name: &'static str,
    device: Option<Box<dyn Device>>,
    opening: Duration,
    most_tokens: Option<u64>,
}

impl Ready {
    /// The heap simulator, which needs no opening.
    pub fn heap() -> Self {
        Self { name: Compared::Heap.name(), device: None, opening: Duration::ZERO, most_tokens: None }
    }

    fn open(name: Compared, adapter: Option<&str>, without_int64: bool) -> Result<Self, CommandError> {
        let selection = adapter.map_or(Selection::Auto, |text| match text.parse() {
            Ok(selection) => selection,
            Err(never) => match never {},
        });
        let without_int64 = without_int64 || name.words();
        let started = Instant::now();
        let device = if name.cuda() {
            cuda(&selection, without_int64)?
        } else {
            Box::new(WgpuDevice::open(&selection, OpenOptions { without_int64, ..OpenOptions::default() })?)
        };
        Ok(Self { name: name.name(), device: Some(device), opening: started.elapsed(), most_tokens: None })
    }

    /// The backend of a run, and what there is to say about the choice.
    ///
    /// # Errors
    /// Options that only an adapter can follow on the heap; an adapter that does not open.
    pub fn choose(
        backend: Backend,
        device: &DeviceArguments,
        suits: Suits,
    ) -> Result<(Self, Vec<Warning>), CommandError> {
        // An option that only an adapter can follow asks for one.
        let asks = device.adapter.is_some() || device.no_int64;
        if backend == Backend::Heap {
            return if asks { Err(only_on_an_adapter(device)) } else { Ok((Self::heap(), vec![])) };
        }
        let heap = |reason| Ok((Self::heap(), vec![Warning::HeapFallback { reason }]));
        let in_software = !matches!(suits, Suits::Appointments | Suits::Messages | Suits::Cells);
        match suits {
            Suits::Rounds | Suits::Appointments | Suits::Messages | Suits::Cells => {}
            Suits::Heap(reason) if backend == Backend::Auto && !asks => return heap(reason),
            Suits::Heap(_) => {}
            Suits::NoRounds { station, what } => {
                let error = RunError::Appointments { station, what };
                return if backend == Backend::Auto && !asks {
                    heap(besides_heap(&error.to_string()))
                } else {
                    Err(error.into())
                };
            }
        }
        let open = |name| Self::open(name, device.adapter.as_deref(), device.no_int64);
        let (ready, mut warnings) = match backend {
            Backend::Cuda => (open(Compared::Cuda)?, vec![]),
            Backend::Auto => Self::auto(open, device.adapter.is_none(), asks, in_software)?,
            _ => (open(Compared::Wgpu)?, vec![]),
        };
        warnings.extend(ready.warnings());
        Ok((ready, warnings))
    }

    /// CUDA where it works, else an adapter, else the heap where no option asks for an adapter; `in_software` says whether an
    /// adapter that is one suits, too.
    fn auto(
        open: impl Fn(Compared) -> Result<Self, CommandError>,
        any_adapter: bool,
        asks: bool,
        in_software: bool,
    ) -> Result<(Self, Vec<Warning>), CommandError> {
        let mut warnings = vec![];
        if cfg!(feature = "cuda") && any_adapter {
            match open(Compared::Cuda) {
                Ok(ready) => return Ok((ready, warnings)),
                // Most machines have no NVIDIA GPU, and nobody wants to hear of it.
                Err(CommandError::Run(RunError::Device(DeviceError::NoDriver { .. }))) => {}
                Err(error) => warnings.push(Warning::CudaUnused { reason: error.to_string() }),
            }
        }
        match open(Compared::Wgpu) {
            // Only a software adapter can fail the self-test, and auto takes one only where there is nothing better.
            Err(CommandError::Run(RunError::Device(
                error @ (DeviceError::NoAdapters | DeviceError::SelfTest { .. }),
            ))) if !asks => {
                warnings.push(Warning::HeapFallback { reason: besides_heap(&error.to_string()) });
                Ok((Self::heap(), warnings))
            }
            Ok(ready) if !in_software && !asks && ready.is_software() => {
                let reason = "there is no GPU, and the processor alone runs one event after the other faster";
                warnings.push(Warning::HeapFallback { reason: reason.into() });
                Ok((Self::heap(), warnings))
            }
            ready => Ok((ready?, warnings)),
        }
    }

    /// The same with a limit on the places of the pool for tokens of a network, over the replications of a batch.
    ///
    /// # Errors
    /// A limit on the heap, which has no pool.
    pub fn with_most_tokens(self, most: Option<u64>) -> Result<Self, CommandError> {
        if most.is_some() && self.device.is_none() {
            let message = "--max-tokens limits the pool of a device, and this run would be on the heap: leave it out, or \
                           name a device with --backend wgpu or --backend cuda";
            return Err(CommandError::Usage { message: message.into() });
        }
        Ok(Self { most_tokens: most, ..self })
    }

    /// A backend of `tickless compare`.
    ///
    /// # Errors
    /// A model that needs the heap; an adapter that does not open.
    pub fn compared(name: Compared, device: &DeviceArguments, suits: &Suits) -> Result<Self, CommandError> {
        match name {
            Compared::Heap => Ok(Self::heap()),
            _ => match suits.clone() {
                Suits::NoRounds { station, what } => Err(RunError::Appointments { station, what }.into()),
                _ => Self::open(name, device.adapter.as_deref(), device.no_int64),
            },
        }
    }

    fn is_software(&self) -> bool {
        self.adapter().is_some_and(|adapter| adapter.kind == AdapterKind::Software)
    }

    /// What there is to say about the adapter.
    pub fn warnings(&self) -> Vec<Warning> {
        let software = self.adapter().filter(|adapter| adapter.kind == AdapterKind::Software);
        software.map(|adapter| Warning::SoftwareAdapter { adapter: adapter.name.clone() }).into_iter().collect()
    }

    /// Its name: `heap`, `wgpu`, `cuda`, or one of the latter with `-words` behind.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// The adapter, where it has one.
    pub fn adapter(&self) -> Option<&AdapterDescription> {
        self.device.as_deref().map(Device::adapter)
    }

    /// Refuses a model that the adapter's limits or this machine's memory do not hold, before anything is allocated.
    ///
    /// # Errors
    /// [`DeviceError::Limit`] or [`CommandError::Memory`].
    pub fn check_size(&self, model: &TorusModel) -> Result<(), CommandError> {
        if let Some(adapter) = self.adapter() {
            gpu::check_limits(model, gpu::Synchronization::of(model), adapter)?;
        }
        let need = match self.adapter().map(|adapter| adapter.kind) {
            None => Need::HEAP,
            Some(AdapterKind::Software | AdapterKind::Integrated) => Need::SHARED,
            Some(_) => Need::READ_BACK,
        };
        need.check(model, memory::available())
    }

    /// Runs the model, with a progress bar where somebody can see it.
    ///
    /// # Errors
    /// What the backend returns.
    pub fn run(&self, model: &TorusModel, interrupt: &Interrupt) -> Result<Run<Outcome, NetworkDetails>, CommandError> {
        let mut watcher = Watcher::new(self.name, interrupt);
        let mut run = match &self.device {
            None => reference::simulate(model, &mut watcher)?,
            Some(device) => gpu::simulate(model, device.as_ref(), &Options::default(), &mut watcher)?,
        };
        run.setup += self.opening;
        Ok(run)
    }

    /// Runs PHOLD.
    ///
    /// # Errors
    /// What the backend returns.
    pub fn run_phold(
        &self,
        model: &PholdModel,
        options: &ProcessOptions,
        interrupt: &Interrupt,
    ) -> Result<Run<processes::Outcome, ProcessDetails>, CommandError> {
        let mut watcher = Watcher::new(self.name, interrupt).counting("events");
        let mut run = match &self.device {
            None => processes::reference::simulate(model, &mut watcher)?,
            Some(device) => processes::gpu::simulate(model, device.as_ref(), options, &mut watcher)?,
        };
        run.setup += self.opening;
        Ok(run)
    }

    /// Runs cells.
    ///
    /// # Errors
    /// What the backend returns.
    pub fn run_cells(&self, model: &impl DeviceCells, interrupt: &Interrupt) -> Result<Run<CellOutcome>, CommandError> {
        let mut watcher = Watcher::new(self.name, interrupt).counting("transitions");
        let mut run = match &self.device {
            None => cells::reference::simulate(model, &mut watcher)?,
            Some(device) => cells::gpu::simulate(model, device.as_ref(), &CellOptions::default(), &mut watcher)?,
        };
        run.setup += self.opening;
        Ok(run)
    }

    /// Runs cells and logs what they send.
    ///
    /// # Errors
    /// What the backend returns, and the log.
    pub fn run_cells_logged(
        &self,
        model: &impl DeviceCells,
        log: &mut dyn CellLog,
        interrupt: &Interrupt,
    ) -> Result<Run<CellOutcome>, CommandError> {
        let mut watcher = Watcher::new(self.name, interrupt).counting("transitions");
        let options = CellOptions::default();
        let mut run = match &self.device {
            None => cells::reference::simulate_logged(model, &mut watcher, log)?,
            Some(device) => cells::gpu::simulate_logged(model, device.as_ref(), &options, &mut watcher, log)?,
        };
        run.setup += self.opening;
        Ok(run)
    }

    /// Runs replications of a network, all at once or, on the heap, one after the other. The set-up of the first ones
    /// includes the opening of the adapter.
    ///
    /// # Errors
    /// What the backend returns.
    pub fn run_network(
        &self,
        model: &NetworkModel,
        replications: Range<u32>,
        interrupt: &Interrupt,
    ) -> Result<Run<Vec<NetworkOutcome>, NetworkDetails>, CommandError> {
        let most = self.most_tokens.unwrap_or(u64::MAX);
        let opening = if replications.start == 0 { self.opening } else { Duration::ZERO };
        let mut watcher = Watcher::new(self.name, interrupt);
        let run = match &self.device {
            None => network::reference::replicate(model, replications, &mut watcher),
            Some(device) => network::gpu::replicate_within(
                model,
                replications,
                most,
                device.as_ref(),
                &Options::default(),
                &mut watcher,
            ),
        };
        let mut run = run.map_err(|error| CommandError::of_network(error, model))?;
        run.setup += opening;
        Ok(run)
    }
}

/// What an error says, without the advice to run on the heap: that is what happens.
fn besides_heap(error: &str) -> String {
    let advice = [", or run with --backend heap", " or run with --backend heap", ", or run it on the heap"];
    advice.iter().find_map(|advice| error.strip_suffix(advice)).unwrap_or(error).to_owned()
}

#[cfg(feature = "cuda")]
fn cuda(selection: &Selection, without_int64: bool) -> Result<Box<dyn Device>, CommandError> {
    use crate::device::cuda::{CudaDevice, OpenOptions};
    let options = OpenOptions { without_int64, ..OpenOptions::default() };
    Ok(Box::new(CudaDevice::open(selection, options)?))
}

#[cfg(not(feature = "cuda"))]
fn cuda(_: &Selection, _: bool) -> Result<Box<dyn Device>, CommandError> {
    let message = "this tickless was built without CUDA: build it with cargo build --release --features cuda, or use \
                   --backend wgpu";
    Err(CommandError::Usage { message: message.into() })
}

fn only_on_an_adapter(device: &arguments::DeviceArguments) -> CommandError {
    let option = if device.adapter.is_some() { "--adapter" } else { "--no-int64" };
    let message = format!("{option} has no meaning with --backend heap, which uses no adapter: leave one of them out");
    CommandError::Usage { message }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_on_the_heap_is_not_advised_to_be_one() {
        let appointments = RunError::Appointments { station: "desk".into(), what: "2 servers".into() };
        let test = DeviceError::SelfTest { adapter: "a".into(), driver: "b".into(), asked: 2, ran: 1 };
        for error in [DeviceError::NoAdapters.to_string(), test.to_string(), appointments.to_string()] {
            let reason = besides_heap(&error);
            assert!(error.contains("heap") && !reason.contains("heap") && !reason.ends_with(','), "{reason}");
        }
    }
}
