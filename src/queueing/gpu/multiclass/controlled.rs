//! Copies of a network under control: a thread a copy, which stops at its decisions.

use std::sync::LazyLock;

use super::batch::Batch;
use super::layout::Layout;
use super::model_table::Rows;
use super::records::{FAULT_DECISION, FAULT_STUCK, NONE, Parameters, Status};
use super::rows::{self, CopyProgress, Row};
use super::simulation::Simulation;
use super::{check_a_thread_each, outcome};
use crate::control::{ControlledModel, Copies, Places, Seen, SeenSizes};
use crate::model::Rules;
use crate::model::control::{ControlRules, Looked};
use crate::{NetworkModel, NetworkOptions, QueueingError};
use tickless_core::random::StreamKey;
use tickless_core::run::{Watch, unwatched};
use tickless_device::{BufferSpec, Device, DeviceError, bytes};
use tickless_engine::{DeviceRun, Rounds};

/// The flag of a copy at the horizon, `ENDED` of `control/rows.wgsl`.
const ENDED: u32 = 4;
/// Bytes of a row of a copy; rows before those of what is earned.
const ROW: u64 = 16;
const OWN_ROWS: u64 = 2;

/// How many words and numbers a copy has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Sizes {
    words: u64,
    earned: u64,
    seen: Option<SeenSizes>,
}

impl Sizes {
    pub(super) fn of(rules: &Rules, copies: u32) -> Self {
        let Some(control) = &rules.control else { return Self::default() };
        let seen = Some(SeenSizes::new(control, copies));
        Self { words: control.words.into(), earned: control.earned.len() as u64, seen }
    }
}

/// The rows of the model table.
pub(super) fn rows((model, rules): (&NetworkModel, &Rules), parameters: &mut Parameters, rows: &mut Rows) {
    parameters.control = rows.len() as u32;
    let Some(control) = rules.control.as_deref() else { return };
    let ControlRules { every, words, stations, sources, observed, earned } = control;
    let [of_observed, of_earned] = [observed, earned].map(|looks| looks.len() as u32);
    let by_event = u32::from(every.is_none());
    rows.push(rows::ControlSizes { words: *words, observed: of_observed, earned: of_earned, by_event }.into());
    let every = every.map_or(0, |every| every.ticks());
    rows.push(rows::ControlTimes { every, until: model.until().ticks() }.into());
    let word = |number: Option<u32>| number.unwrap_or(NONE);
    rows.extend(stations.iter().zip(&rules.stations).map(|(of, station)| {
        let [servers, ranks, route] = [of.servers, of.ranks, of.route].map(word);
        Row::from(rows::Controlled { servers, ranks, route, fails: station.has_failures().into() })
    }));
    rows.extend(sources.iter().map(|route| Row::from(rows::ControlledSource { route: word(*route) })));
    let look = |of: &Looked| {
        let (kind, place, class_of) = (of.kind as u32, of.place, word(of.class));
        Row::from(rows::Looked { kind, place, class_of })
    };
    parameters.looks = rows.len() as u32;
    rows.extend(observed.iter().chain(earned).map(look));
}

/// The buffers of copies under control.
pub(super) fn buffers(layout: &Layout) -> Vec<BufferSpec> {
    let Sizes { words, earned, seen: Some(seen) } = layout.control else { return vec![] };
    let copies = u64::from(layout.parameters.replications);
    // At the horizon of a run before the first one.
    let first: Row = [0, u32::MAX, ENDED, 0];
    let mut state = vec![first; copies as usize];
    state.resize(((OWN_ROWS + earned) * copies) as usize, [0; 4]);
    vec![
        BufferSpec::storage("decided", (words * copies * 4).max(ROW), 4),
        BufferSpec::storage("seen", 8 * seen.words() as u64, 4),
        BufferSpec::words("copy_state", state.as_flattened()),
    ]
}

/// What a run takes over that goes on in larger buffers. Copies that have come to their decisions before are not seen again.
pub(super) fn contents(rounds: &mut Rounds, layout: &Layout) -> Result<Vec<(&'static str, Vec<u8>)>, QueueingError> {
    let names = if layout.control.seen.is_some() { &["decided", "copy_state", "seen"][..] } else { &[] };
    let read = |name: &&'static str| Ok((*name, rounds.read::<u8>(name)?));
    names.iter().map(read).collect()
}

/// Copies of a network on a device.
pub(in super::super::super) struct DeviceCopies<'a> {
    model: &'a ControlledModel,
    device: &'a dyn Device,
    simulation: Simulation<'a>,
    step: u32,
    seen: Seen,
    /// Whether they have ended with an error: what the device has of it stays until they begin anew.
    has_stopped: bool,
}

/// As a run has them by default.
static OPTIONS: LazyLock<NetworkOptions> = LazyLock::new(NetworkOptions::default);

impl<'a> DeviceCopies<'a> {
    pub(in super::super::super) fn start(
        model: &'a ControlledModel,
        device: &'a dyn Device,
        (copies, seed): (u32, u64),
        watch: &mut dyn Watch,
    ) -> Result<Self, QueueingError> {
        check_a_thread_each(&model.model)?;
        let simulation = begun(model, device, (copies, StreamKey::base(seed)), watch)?;
        let seen = Seen::new(SeenSizes::new(model.control(), copies))?;
        let mut all = Self { model, device, simulation, step: 0, seen, has_stopped: false };
        all.goes_on()?;
        Ok(all)
    }

    /// All copies come to their next decisions, and what is seen there is fetched.
    fn goes_on(&mut self) -> Result<&Seen, QueueingError> {
        self.goes_on_there()?;
        self.simulation.rounds.read_into("seen", 0, self.seen.words_mut())?;
        Ok(&self.seen)
    }

    /// The same, and what is seen stays on the device.
    fn goes_on_there(&mut self) -> Result<(), QueueingError> {
        if self.has_stopped {
            return Err(QueueingError::Stopped);
        }
        self.has_stopped = true;
        self.takes_step()?;
        self.has_stopped = false;
        Ok(())
    }

    fn takes_step(&mut self) -> Result<(), QueueingError> {
        self.step = self.step.wrapping_add(1);
        let mut status: Status = self.simulation.rounds.model_status();
        status.step = self.step;
        self.simulation.rounds.set_model_status(&status)?;
        let until = self.simulation.until();
        loop {
            self.simulation.rounds.run_one_by_one(until)?;
            self.check_faults()?;
            if !self.simulation.make_room()? {
                break;
            }
        }
        if self.simulation.outgrown.is_some() {
            return Err(no_room((&self.simulation.layout, self.simulation.batch.len()), self.device).into());
        }
        Ok(())
    }

    fn check_faults(&mut self) -> Result<(), QueueingError> {
        let control = *self.simulation.rounds.control();
        let copies = self.simulation.batch.len();
        if control.fault & FAULT_DECISION != 0 {
            let words = self.model.control().words as usize * copies;
            self.model.check(copies, &self.simulation.rounds.read_part("decided", 0, words)?)?;
        }
        if control.fault & FAULT_STUCK != 0 {
            let Simulation { batch, layout, rounds, .. } = &mut self.simulation;
            let error = outcome::outcomes(batch, layout, rounds).err().map(|of| *of.error);
            return Err(match error {
                Some(QueueingError::InReplication { replication: copy, error }) => {
                    QueueingError::InCopy { copy, error }
                }
                Some(error @ QueueingError::Device(_)) => error,
                // Of the only one.
                Some(error) => QueueingError::InCopy { copy: 0, error: Box::new(error) },
                None => QueueingError::Stopped,
            });
        }
        Ok(())
    }
}

/// Copies before time 0.
fn begun<'a>(
    model: &'a ControlledModel,
    device: &'a dyn Device,
    (copies, key): (u32, u64),
    watch: &mut dyn Watch,
) -> Result<Simulation<'a>, QueueingError> {
    let batch = Batch::new(&[(&model.model, 0..copies)]);
    let mut layout = Layout::new(&batch, Layout::first_places(&batch, None));
    layout.parameters.key = key;
    if layout.fitting(device.adapter()) < copies {
        return Err(no_room((&layout, copies as usize), device).into());
    }
    Simulation::start(batch, layout, (device, &OPTIONS), watch)
}

/// The error where the copies do not fit, which are there at once.
fn no_room((layout, copies): (&Layout, usize), device: &dyn Device) -> DeviceError {
    match layout.no_room(device.adapter()) {
        DeviceError::Limit { available, adapter, .. } => DeviceError::Limit {
            what: format!("{copies} copies of the network"),
            asked: bytes(layout.bytes() * copies as u64),
            available,
            adapter,
            remedy: ": use fewer copies, or look for a station where more and more tokens wait".into(),
        },
        error => error,
    }
}

impl Copies for DeviceCopies<'_> {
    fn reset(&mut self, seed: Option<u64>) -> Result<&Seen, QueueingError> {
        let copies = self.simulation.batch.len();
        let before = self.simulation.layout.parameters.key;
        let key = seed.map_or(before, StreamKey::base);
        let mut rows: Vec<Row> = self.simulation.rounds.read_part("copy_state", 0, copies)?;
        for row in &mut rows {
            let CopyProgress { step, episode, .. } = (*row).into();
            let episode = if seed.is_some() { u32::MAX } else { episode };
            *row = CopyProgress { step, episode, about: ENDED }.into();
        }
        if key != before || self.has_stopped {
            self.simulation = begun(self.model, self.device, (copies as u32, key), &mut unwatched())?;
            self.has_stopped = false;
        }
        self.simulation.rounds.write("copy_state", 0, &rows)?;
        self.goes_on()
    }

    fn seen(&self) -> &Seen {
        &self.seen
    }

    fn places(&self) -> Option<Places> {
        let rounds = &self.simulation.rounds;
        let [observed, earned, clocks, ended] = self.simulation.layout.control.seen?.places(rounds.address("seen")?);
        Some(Places { decided: rounds.address("decided")?, observed, earned, clocks, ended })
    }

    fn step_there(&mut self) -> Result<(), QueueingError> {
        self.places().ok_or(QueueingError::NotThere)?;
        self.goes_on_there()
    }

    fn step(&mut self, decided: &[u32]) -> Result<&Seen, QueueingError> {
        self.model.check(self.simulation.batch.len(), decided)?;
        if !decided.is_empty() {
            self.simulation.rounds.write("decided", 0, decided)?;
        }
        self.goes_on()
    }
}
