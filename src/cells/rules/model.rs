//! The model of cells that a rule file describes, and what a cell keeps.

use super::cell_space::Waiting;
use super::draws::Draws;
use super::error::RuleError;
use super::file::RuleFile;
use super::fixed::Fixed;
use super::interpreter::{RuleFault, Surroundings, choose};
use crate::cells::{Cell, CellError, CellModel, Inputs, Moment, Space};
use crate::random::StreamKey;
use crate::time::Time;

/// Words of a value that waits for its transport delay: its time, low word first, and itself.
const ENTRY: usize = 3;
/// The most values that may wait in a cell: its state has 64 words.
pub const MOST_ROOM: usize = 20;

/// The cells of a rule file as a model.
///
/// ```
/// use tickless::{cells::{Cell, CellModel, rules::{Fixed, RuleFile}}, time::Time};
/// let text = "[top]\ncomponents : a\n[a]\ntype : cell\ndim : (1,2)\ndelay : transport\nborder : wrapped\n\
///             neighbors : a(0,0)\ninitialvalue : 2.5\nlocaltransition : r\n[r]\nrule : {(0,0)+1} 100 {t}\n";
/// let model = RuleFile::parse(text, "a.ma", |_| None)?.model(Time::from_units(1000.0).unwrap(), 1);
/// let (mut state, mut output) = (vec![0; model.state_words()], [0]);
/// model.initialize(Cell { id: 0, replication: 0 }, &mut state, &mut output).unwrap();
/// assert_eq!(Fixed::from_word(output[0]).to_string(), "2.5");
/// assert_eq!(model.lookahead().units(), 100.0);
/// # Ok::<(), tickless::cells::rules::RuleError>(())
/// ```
#[derive(Clone, Debug)]
pub struct RuleModel {
    pub(super) file: RuleFile,
    pub(super) layout: Layout,
    until: Time,
    seed: u64,
    replications: u32,
    lookahead: Time,
    stochastic: Vec<bool>,
}

/// Where the words of a cell are. Its value is the first.
#[derive(Clone, Copy, Debug)]
pub(super) struct Layout {
    /// The state of its stream: two words, if rules draw.
    pub stream: Option<usize>,
    /// How many values wait, and then they themselves; or the one value that waits or was sent last.
    pub waiting: usize,
    /// How many values may wait.
    pub room: usize,
}

impl RuleModel {
    pub(super) fn new(file: RuleFile, until: Time, seed: u64) -> Self {
        let stream = file.draws().then_some(1);
        let layout = Layout { stream, waiting: stream.map_or(1, |at| at + 2), room: 4 };
        let lookahead = file.lookahead();
        let stochastic = file.sections.iter().map(|section| section.stochastic()).collect();
        Self { file, layout, until, seed, replications: 1, lookahead, stochastic }
    }

    /// So many independent copies, which differ in their random numbers.
    #[must_use]
    pub fn with_replications(self, replications: u32) -> Self {
        Self { replications, ..self }
    }

    /// So much room for values that wait for their transport delay in a cell, 4 where nothing is said.
    ///
    /// # Errors
    /// [`RuleError::Room`] unless it is from 1 to [`MOST_ROOM`].
    pub fn with_room(mut self, room: usize) -> Result<Self, RuleError> {
        if !(1..=MOST_ROOM).contains(&room) {
            return Err(RuleError::Room { room, most: MOST_ROOM });
        }
        self.layout.room = room;
        Ok(self)
    }

    /// The file.
    pub fn file(&self) -> &RuleFile {
        &self.file
    }

    /// The words of the buffer `rule_keys` on a device: a key of random numbers per replication, low word first. None
    /// where no rule draws.
    pub fn keys(&self) -> Option<Vec<u32>> {
        self.layout.stream.map(|_| {
            let keys = (0..self.replications).map(|r| self.key(r).bits());
            keys.flat_map(|key| [key as u32, (key >> 32) as u32]).collect()
        })
    }

    fn key(&self, replication: u32) -> StreamKey {
        StreamKey::new(self.seed, replication.into())
    }

    /// What the rules give, and when; none where the cell stays as it is.
    fn chosen(
        &self,
        cell: Cell,
        now: Time,
        state: &mut [u32],
        inputs: &impl Inputs,
    ) -> Result<Option<(Fixed, Time)>, CellError> {
        let value = |n: usize| match inputs.exists(n) {
            true => Fixed::from_word(inputs.word(n, 0)),
            false => Fixed::UNDEFINED,
        };
        let [x, y, z] = self.file.space.place(cell.id);
        let section = self.file.section(cell.id);
        let stream = |at: usize| Draws::resume(self.key(cell.replication), cell.id, [state[at], state[at + 1]]);
        let mut around = Surroundings {
            own: Fixed::from_word(state[0]),
            neighbours: &value,
            count: self.file.space.offsets().len(),
            own_counts: self.file.hears_itself,
            now,
            place: [y, x, z],
            draws: self.layout.stream.map(stream),
        };
        let rules = &self.file.sections[section].rules;
        let chosen = choose(rules, self.stochastic[section], &mut around);
        let chosen = chosen.map_err(|fault| failed(cell.id, now, fault))?;
        if let (Some(at), Some(draws)) = (self.layout.stream, around.draws) {
            state[at..at + 2].copy_from_slice(&draws.state());
        }
        Ok(chosen)
    }

    /// Puts a value among those that wait, after those of its time and earlier. Of one time only the last is kept.
    fn wait(&self, state: &mut [u32], value: Fixed, time: Time) -> Result<(), RuleFault> {
        let Layout { waiting, room, .. } = self.layout;
        let count = state[waiting] as usize;
        let queue = &mut state[waiting + 1..];
        let place = (0..count).rev().find(|n| entry_time(queue, *n) <= time);
        if let Some(same) = place.filter(|n| entry_time(queue, *n) == time) {
            queue[same * ENTRY + 2] = value.word();
            return Ok(());
        }
        if count == room {
            return Err(RuleFault::Room);
        }
        let place = place.map_or(0, |n| n + 1);
        queue.copy_within(place * ENTRY..count * ENTRY, (place + 1) * ENTRY);
        set_entry(queue, place, value, time);
        state[waiting] += 1;
        Ok(())
    }

    /// The time of the first value that waits.
    fn first(&self, state: &[u32]) -> Time {
        let waiting = self.layout.waiting;
        if state[waiting] == 0 { Time::NEVER } else { entry_time(&state[waiting + 1..], 0) }
    }

    fn transport(
        &self,
        cell: Cell,
        moment: Moment,
        state: &mut [u32],
        inputs: &impl Inputs,
    ) -> Result<Time, CellError> {
        let Layout { waiting, .. } = self.layout;
        if moment.imminent {
            state[0] = state[waiting + ENTRY];
            let end = waiting + 1 + state[waiting] as usize * ENTRY;
            state.copy_within(waiting + 1 + ENTRY..end, waiting + 1);
            state[waiting] -= 1;
        }
        if self.hears(moment, inputs)
            && let Some((value, delay)) = self.chosen(cell, moment.now, state, inputs)?
            && value.word() != state[0]
            && let Some(time) = moment.now.checked_add(delay)
        {
            self.wait(state, value, time).map_err(|fault| failed(cell.id, moment.now, fault))?;
        }
        Ok(self.first(state))
    }

    fn inertial(
        &self,
        cell: Cell,
        moment: Moment,
        next: Time,
        state: &mut [u32],
        inputs: &impl Inputs,
    ) -> Result<Time, CellError> {
        let Layout { waiting, .. } = self.layout;
        if moment.imminent {
            state[0] = state[waiting];
        }
        let next = if moment.imminent { Time::NEVER } else { next };
        if self.hears(moment, inputs)
            && let Some((value, delay)) = self.chosen(cell, moment.now, state, inputs)?
            && value.word() != state[waiting]
        {
            state[waiting] = value.word();
            return Ok(moment.now.checked_add(delay).unwrap_or(Time::NEVER));
        }
        Ok(next)
    }

    /// Whether the rules are tried: an output of the neighborhood arrives, the cell's own being one if it is in it.
    fn hears(&self, moment: Moment, inputs: &impl Inputs) -> bool {
        let own = moment.imminent && self.file.hears_itself;
        own || (0..self.file.space.offsets().len()).any(|n| inputs.arrives(n))
    }
}

fn failed(cell: u32, now: Time, fault: RuleFault) -> CellError {
    CellError::Model { cell, now, what: fault.to_string() }
}

fn entry_time(queue: &[u32], n: usize) -> Time {
    Time::from_ticks(u64::from(queue[n * ENTRY + 1]) << 32 | u64::from(queue[n * ENTRY]))
}

fn set_entry(queue: &mut [u32], n: usize, value: Fixed, time: Time) {
    let ticks = time.ticks();
    queue[n * ENTRY..][..ENTRY].copy_from_slice(&[ticks as u32, (ticks >> 32) as u32, value.word()]);
}

impl CellModel for RuleModel {
    fn space(&self) -> &Space {
        &self.file.space
    }

    fn replications(&self) -> u32 {
        self.replications
    }

    fn until(&self) -> Time {
        self.until
    }

    fn lookahead(&self) -> Time {
        self.lookahead
    }

    fn state_words(&self) -> usize {
        let Layout { waiting, room, .. } = self.layout;
        waiting + 1 + if self.file.waiting == Waiting::Transport { room * ENTRY } else { 0 }
    }

    fn output_words(&self) -> usize {
        1
    }

    fn initialize(&self, cell: Cell, state: &mut [u32], output: &mut [u32]) -> Result<Time, CellError> {
        let Layout { stream, waiting, .. } = self.layout;
        let value = self.file.initial(cell.id);
        state[0] = value.word();
        output[0] = value.word();
        if let Some(at) = stream {
            state[at..at + 2].copy_from_slice(&Draws::new(self.key(cell.replication), cell.id).state());
        }
        // Every cell sends its value at time 0, and so every cell tries its rules then.
        state[waiting] = if self.file.waiting == Waiting::Transport { 1 } else { value.word() };
        if self.file.waiting == Waiting::Transport {
            set_entry(&mut state[waiting + 1..], 0, value, Time::ZERO);
        }
        Ok(Time::ZERO)
    }

    fn output(&self, _: Cell, _: Time, state: &[u32], output: &mut [u32]) -> Result<bool, CellError> {
        let Layout { waiting, .. } = self.layout;
        let sent = if self.file.waiting == Waiting::Transport { waiting + ENTRY } else { waiting };
        output[0] = state[sent];
        Ok(true)
    }

    fn transition(
        &self,
        cell: Cell,
        moment: Moment,
        next: Time,
        state: &mut [u32],
        inputs: &impl Inputs,
    ) -> Result<Time, CellError> {
        match self.file.waiting {
            Waiting::Transport => self.transport(cell, moment, state, inputs),
            Waiting::Inertial => self.inertial(cell, moment, next, state, inputs),
        }
    }
}
