//! A model at work on a device: batch after batch until the limit, two of them under way at a time.

mod ended;

use std::collections::VecDeque;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use bytemuck::Zeroable;

use super::batch::Planner;
use super::standing::Standing;
use super::{Control, ModelParts, Options, round_program};
use tickless_core::memory;
use tickless_core::run::{KernelTime, Moment, Moments, Pause, Progress, Watch};
use tickless_core::time::Time;
use tickless_device::{Batch, Behind, Device, DeviceError, Session, SetUp};

/// The most rounds before they are numbered anew.
const MOST_ROUNDS: u32 = u32::MAX / 2;

/// The most rounds of a dispatch that runs many: enough that its launch counts for little.
const MOST_TURNS: u32 = 64;
/// The longest duration of such a dispatch.
const TURNS_TIME: Duration = Duration::from_millis(2);

/// A loaded model and its progress.
pub struct Rounds {
    session: Box<dyn Session>,
    names: Vec<&'static str>,
    control: Control,
    /// The model's words of the status.
    model: Vec<u8>,
    planner: Planner,
    under_way: VecDeque<u32>,
    wall: Duration,
    device: Option<Duration>,
    last_answer: Instant,
    most_rounds: u32,
    numbered_before: u64,
    /// Rounds of the model in one of the program; 0: the status counts them.
    each: u64,
    /// The most rounds in a dispatch, where the status counts rounds.
    turns: u32,
    standing: Standing,
    moments: Moments,
}

impl Rounds {
    /// Loads a model and makes its state at time 0. The watch may interrupt this.
    ///
    /// # Errors
    /// As [`Device::load`] and [`round_program`].
    pub fn start(
        device: &dyn Device,
        model: ModelParts,
        options: &Options,
        watch: &mut dyn Watch,
    ) -> Result<Self, DeviceError> {
        Self::start_with(device, model, None, options, watch)
    }

    /// Loads a model whose buffers come with their contents, with these times as the next events of all entities: `model`
    /// has no kernels that make a state at time 0.
    ///
    /// # Errors
    /// As [`Rounds::start`].
    pub fn start_from(
        device: &dyn Device,
        model: ModelParts,
        next_event: &[u64],
        options: &Options,
        watch: &mut dyn Watch,
    ) -> Result<Self, DeviceError> {
        Self::start_with(device, model, Some(next_event), options, watch)
    }

    fn start_with(
        device: &dyn Device,
        model: ModelParts,
        next_event: Option<&[u64]>,
        options: &Options,
        watch: &mut dyn Watch,
    ) -> Result<Self, DeviceError> {
        let most_rounds = if options.renumber == 0 { MOST_ROUNDS } else { options.renumber.min(MOST_ROUNDS) };
        let each = model.rounds_each.into();
        let status = model.status.first.clone();
        let mut program = round_program(model, device.adapter())?;
        let names = program.buffers.iter().map(|b| b.name).collect();
        if let Some(buffer) = program.buffers.iter_mut().find(|buffer| buffer.name == "next_event") {
            buffer.contents = next_event.map(|times| bytemuck::cast_slice(times).to_vec());
        }
        let mut set_up = SetUp::new(watch);
        let mut session = device.load(program, &mut set_up)?;
        // While the limit is 0 a round does nothing.
        session.warm_up(&mut set_up)?;
        Ok(Self {
            session,
            names,
            control: Control::zeroed(),
            model: status,
            planner: Planner::new(options.batch, device.adapter().kind),
            under_way: VecDeque::new(),
            wall: Duration::ZERO,
            device: device.adapter().capabilities.timestamps.then_some(Duration::ZERO),
            last_answer: Instant::now(),
            most_rounds,
            numbered_before: 0,
            each,
            turns: 1,
            standing: Standing::unlimited(),
            moments: Moments::default(),
        })
    }

    /// Begins with batches of one round: for models in which an event may take long.
    pub fn carefully(&mut self) {
        self.planner.carefully();
    }

    /// Ends [`Rounds::run_until`] where more than `rounds` rounds in a row begin at the same time: for models in which time
    /// may stand still.
    #[doc(hidden)]
    pub fn may_stand_still(&mut self, rounds: u64) {
        self.standing.limit(rounds);
    }

    /// The run does not end after all; it was held up for this long.
    pub(super) fn goes_on(&mut self, held_up: Duration) {
        self.standing.goes_on();
        self.spend(held_up);
    }

    /// The run is to end, and does not wait much longer for time that stands still.
    pub(super) fn is_to_end(&mut self) {
        self.standing.is_to_end();
    }

    /// The number of rounds in a row that have begun at the same time, if above the most allowed and the limit is not
    /// reached.
    #[doc(hidden)]
    pub fn stands_still(&self) -> Option<u64> {
        self.standing.too_many(self.control.running != 0)
    }

    /// Goes on with the same state in other buffers: `parts` has the model's buffers with their contents and no first
    /// kernels, `next_event` is for all entities. Faults are cleared. Before the first event this is part of the set-up.
    ///
    /// # Errors
    /// As [`Rounds::start`].
    pub fn reload(
        &mut self,
        device: &dyn Device,
        parts: ModelParts,
        next_event: &[u64],
        watch: &mut dyn Watch,
    ) -> Result<(), DeviceError> {
        let mut program = round_program(parts, device.adapter())?;
        self.names = program.buffers.iter().map(|b| b.name).collect();
        for buffer in &mut program.buffers {
            match (buffer.name, &mut buffer.contents) {
                ("next_event", contents) => *contents = Some(bytemuck::cast_slice(next_event).to_vec()),
                ("control", Some(contents)) => {
                    let (fresh, _) = split_status(contents);
                    let Control { minimum, bound, limit, rounds, selected, .. } = self.control;
                    let events = self.control.events + u64::from(selected);
                    let kept = Control { minimum, bound, limit, events, rounds, turns: self.turns, ..fresh };
                    *contents = [bytemuck::bytes_of(&kept), &self.model].concat();
                    self.numbered_before += u64::from(self.control.finished);
                    self.control = kept;
                }
                _ => {}
            }
        }
        let mut set_up = SetUp::new(watch);
        self.session = device.load(program, &mut set_up)?;
        if self.control.limit == 0 {
            self.session.warm_up(&mut set_up)?;
        }
        Ok(())
    }

    /// Runs [`ModelParts::last`], and waits for it.
    ///
    /// # Errors
    /// A lost device.
    pub fn run_last(&mut self) -> Result<(), DeviceError> {
        let started = Instant::now();
        self.session.run_behind(Behind::End)?;
        self.wall += started.elapsed();
        Ok(())
    }

    /// Runs [`ModelParts::results`]; the time does not count as time of the run.
    ///
    /// # Errors
    /// A lost device.
    #[doc(hidden)]
    pub fn add_up(&mut self) -> Result<(), DeviceError> {
        self.session.run_behind(Behind::Results)
    }

    /// Runs every event before `limit`. Progress is shown relative to `until`, the horizon.
    ///
    /// Returns whether the watch stopped the run before that. A set fault word stops it too: see [`Rounds::control`]; and so
    /// does time that stands still.
    ///
    /// # Errors
    /// A lost device.
    pub fn run_until(&mut self, limit: Time, until: Time, watch: &mut dyn Watch) -> Result<bool, DeviceError> {
        let started = Instant::now();
        let earlier = self.wall;
        self.last_answer = started;
        let control = self.name("control")?;
        self.control.limit = limit.ticks();
        let offset = std::mem::offset_of!(Control, limit) as u64;
        self.session.write(control, offset, &limit.ticks().to_le_bytes())?;
        self.planner.moved();
        let mut interrupted = false;
        self.submit_next()?;
        loop {
            // The next batch runs while this one is looked at.
            if !interrupted {
                self.submit_next()?;
            }
            if !self.under_way.is_empty() {
                self.answer()?;
            }
            self.wall = earlier + started.elapsed();
            if self.control.running == 0 || self.stands_still().is_some() {
                break;
            }
            interrupted |= watch.look(&self.progress(until)) == ControlFlow::Break(()) || watch.pause(Pause::Anywhere);
            if interrupted && self.under_way.is_empty() {
                break;
            }
        }
        while !self.under_way.is_empty() {
            self.answer()?;
        }
        self.wall = earlier + started.elapsed();
        Ok(interrupted && self.control.running != 0)
    }

    /// Runs one round after the other until nothing is left to do before `limit`: for models that stop for the host so often that no batch of
    /// rounds pays. What stops [`Rounds::run_until`] stops it, too.
    ///
    /// # Errors
    /// A lost device.
    #[doc(hidden)]
    pub fn run_one_by_one(&mut self, limit: Time) -> Result<(), DeviceError> {
        let started = Instant::now();
        if self.control.limit != limit.ticks() {
            self.control.limit = limit.ticks();
            let control = self.name("control")?;
            let offset = std::mem::offset_of!(Control, limit) as u64;
            self.session.write(control, offset, &limit.ticks().to_le_bytes())?;
        }
        self.last_answer = started;
        loop {
            self.submit(1)?;
            self.answer()?;
            if self.control.running == 0 {
                break;
            }
        }
        self.wall += started.elapsed();
        Ok(())
    }

    fn submit_next(&mut self) -> Result<(), DeviceError> {
        let rounds = self.planner.next();
        self.submit(rounds)
    }

    fn submit(&mut self, rounds: u32) -> Result<(), DeviceError> {
        let numbered: u32 = self.under_way.iter().sum::<u32>() + rounds;
        if self.control.finished.saturating_add(numbered) > self.most_rounds {
            self.renumber()?;
        }
        self.under_way.push_back(rounds);
        self.session.submit(rounds)
    }

    /// Numbers rounds anew before their numbers outgrow their word.
    fn renumber(&mut self) -> Result<(), DeviceError> {
        while !self.under_way.is_empty() {
            self.answer()?;
        }
        // Odd and even rounds use their own summaries: the parity stays.
        let kept = self.control.finished & 1;
        self.numbered_before += u64::from(self.control.finished - kept);
        self.control.finished = kept;
        let control = self.name("control")?;
        self.session.write(control, std::mem::offset_of!(Control, finished) as u64, &kept.to_le_bytes())
    }

    /// Waits for the oldest batch and takes in its status.
    fn answer(&mut self) -> Result<(), DeviceError> {
        let Batch { status, device } = self.session.wait()?;
        let rounds = self.under_way.pop_front().unwrap_or(1);
        let (after, model) = split_status(&status);
        let time = device.unwrap_or_else(|| self.last_answer.elapsed());
        self.last_answer = Instant::now();
        self.planner.finished(rounds, time, &self.control, &after);
        if self.each == 0 {
            self.take_turns(time, after.rounds - self.control.rounds)?;
        }
        let ran = after.finished.wrapping_sub(self.control.finished);
        self.standing.ended(ran, after.minimum == self.control.minimum);
        if let (Some(total), Some(time)) = (&mut self.device, device) {
            *total += time;
        }
        self.control = after;
        self.model.copy_from_slice(model);
        self.moments.note(Moment { rounds: self.rounds(), events: self.control.events, clock: self.clock() });
        Ok(())
    }

    /// Lets a dispatch run as many rounds as it may, by the time of the rounds so far.
    fn take_turns(&mut self, time: Duration, ran: u64) -> Result<(), DeviceError> {
        let turns = turns_after(self.turns, time, ran);
        if turns != self.turns {
            self.turns = turns;
            let control = self.name("control")?;
            self.session.write(control, std::mem::offset_of!(Control, turns) as u64, &turns.to_le_bytes())?;
        }
        Ok(())
    }

    /// The progress of the run.
    pub fn progress(&self, until: Time) -> Progress {
        Progress { clock: self.clock(), until, events: self.control.events, rounds: self.rounds(), elapsed: self.wall }
    }

    fn name(&self, name: &str) -> Result<tickless_device::BufferId, DeviceError> {
        let place = self.names.iter().position(|n| *n == name);
        let missing = || DeviceError::Lost { reason: format!("the program has no buffer named '{name}'") };
        place.map(tickless_device::BufferId).ok_or_else(missing)
    }

    /// The contents of a buffer as records.
    ///
    /// # Errors
    /// A lost device.
    pub fn read<T: bytemuck::Pod>(&mut self, name: &str) -> Result<Vec<T>, DeviceError> {
        let count = self.count::<T>(name)?;
        self.read_part(name, 0, count)
    }

    /// Where a buffer lies in the memory of a CUDA device that is alone.
    #[doc(hidden)]
    pub fn address(&self, name: &str) -> Option<u64> {
        self.session.address(self.name(name).ok()?)
    }

    /// How many records a buffer has room for.
    ///
    /// # Errors
    /// A program that has no such buffer.
    #[doc(hidden)]
    pub fn count<T>(&self, name: &str) -> Result<usize, DeviceError> {
        Ok(self.session.size(self.name(name)?) as usize / size_of::<T>())
    }

    /// `count` records of a buffer from `index` on.
    ///
    /// # Errors
    /// A lost device.
    pub fn read_part<T: bytemuck::Pod>(
        &mut self,
        name: &str,
        index: usize,
        count: usize,
    ) -> Result<Vec<T>, DeviceError> {
        let mut records: Vec<T> = memory::zeroed(count, "what is read back")?;
        self.read_into(name, index, &mut records)?;
        Ok(records)
    }

    /// The same into records of the caller.
    ///
    /// # Errors
    /// A lost device.
    #[doc(hidden)]
    pub fn read_into<T: bytemuck::Pod>(&mut self, name: &str, index: usize, to: &mut [T]) -> Result<(), DeviceError> {
        let buffer = self.name(name)?;
        if to.is_empty() {
            return Ok(());
        }
        self.session.read_into(buffer, (index * size_of::<T>()) as u64, bytemuck::cast_slice_mut(to))
    }

    /// Overwrites records of a buffer from `index` on.
    ///
    /// # Errors
    /// A lost device.
    pub fn write<T: bytemuck::NoUninit>(&mut self, name: &str, index: usize, records: &[T]) -> Result<(), DeviceError> {
        let buffer = self.name(name)?;
        self.session.write(buffer, (index * size_of::<T>()) as u64, bytemuck::cast_slice(records))
    }

    /// The status after the last batch.
    pub fn control(&self) -> &Control {
        &self.control
    }

    /// The model's words of the status after the last batch.
    ///
    /// # Panics
    /// Where its size is not that of the model's [`ModelStatus`](super::ModelStatus).
    pub fn model_status<T: bytemuck::AnyBitPattern>(&self) -> T {
        bytemuck::pod_read_unaligned(&self.model)
    }

    /// Overwrites the model's words of the status, between runs.
    ///
    /// # Errors
    /// A lost device.
    #[doc(hidden)]
    pub fn set_model_status<T: bytemuck::NoUninit>(&mut self, status: &T) -> Result<(), DeviceError> {
        let control = self.name("control")?;
        self.model.copy_from_slice(bytemuck::bytes_of(status));
        self.session.write(control, size_of::<Control>() as u64, bytemuck::bytes_of(status))
    }

    /// Lets rounds go on that stopped for want of room.
    ///
    /// # Errors
    /// A lost device.
    pub fn room_is_made(&mut self) -> Result<(), DeviceError> {
        let control = self.name("control")?;
        self.session.write(control, std::mem::offset_of!(Control, room) as u64, &0_u32.to_le_bytes())
    }

    /// Every event before this time has happened.
    pub fn clock(&self) -> Time {
        Time::from_ticks(self.control.bound)
    }

    /// Rounds so far.
    pub fn rounds(&self) -> u64 {
        if self.each == 0 {
            return self.control.rounds;
        }
        self.each * (self.numbered_before + u64::from(self.control.finished))
    }

    /// The times of the kernels of a round, where the device was opened to time them.
    pub fn timings(&self) -> Vec<KernelTime> {
        self.session.timings()
    }

    /// Wall-clock time of all [`Rounds::run_until`] and [`Rounds::run_last`] so far, and of the work between them.
    pub fn wall(&self) -> Duration {
        self.wall
    }

    /// Adds the time of work between rounds to the wall-clock time of the run.
    pub(super) fn spend(&mut self, time: Duration) {
        self.wall += time;
    }
}

/// The next limit of rounds in a dispatch, from the last limit and the time of `ran` rounds: as many as [`TURNS_TIME`] allows,
/// and at most twice as many as before.
fn turns_after(turns: u32, time: Duration, ran: u64) -> u32 {
    if ran == 0 {
        return turns;
    }
    let fitting = TURNS_TIME.as_secs_f64() / (time.as_secs_f64() / ran as f64).max(1e-9);
    (fitting.min(f64::from(MOST_TURNS)) as u32).min(2 * turns).max(1)
}

/// The engine's part of the status, and the model's.
fn split_status(status: &[u8]) -> (Control, &[u8]) {
    let (control, model) = status.split_at(size_of::<Control>());
    (bytemuck::pod_read_unaligned(control), model)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dispatch_takes_as_many_turns_as_its_time_allows() {
        let micros = Duration::from_micros;
        assert_eq!([1, 2, 32, 64].map(|turns| turns_after(turns, micros(5) * turns, turns.into())), [2, 4, 64, 64]);
        assert_eq!(turns_after(64, micros(64_000), 64), 2);
        assert_eq!(turns_after(8, micros(90_000), 8), 1);
        assert_eq!(turns_after(8, micros(10), 0), 8);
    }
}
