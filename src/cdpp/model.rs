//! The model of cells that a rule file describes, and the words of a cell.

use std::ops::Range;

use super::cell_space::{MOST_WAITING, Waiting, written};
use super::error::RuleError;
use super::file::RuleFile;
use super::fixed::Fixed;
use super::inputs::{Input, Inputs, NoPlace};
use super::interpreter::{Given, RuleFault, Surroundings, choose};
use super::layout::Layout;
use tickless_cells::{Cell, CellError, CellModel, Inputs as Heard, Moment, Space};
use tickless_core::random::{StreamKey, split_mix_64};
use tickless_core::time::Time;

/// The cells of a rule file as a model.
///
/// ```
/// # use tickless_cdpp::facade as tickless;
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
    pub(super) until: Time,
    pub(super) seed: u64,
    /// Those that it is prepared for: from 0 on.
    pub(super) replications: u32,
    lookahead: Time,
    stochastic: Vec<bool>,
    /// The values that come in from outside.
    pub(super) inputs: Result<Inputs, NoPlace>,
}

impl RuleFile {
    /// The model of every event before `until` (in milliseconds as time units), with its random numbers from `seed`.
    pub fn model(self, until: Time, seed: u64) -> RuleModel {
        let (layout, lookahead) = (self.layout(), self.lookahead());
        let stochastic = self.sections.iter().map(|section| section.stochastic()).collect();
        let inputs = Inputs::new(&self, until, [StreamKey::new(seed, 0)].into_iter());
        RuleModel { file: self, layout, until, seed, replications: 1, lookahead, stochastic, inputs }.fitting()
    }

    /// The same with numbers of two words.
    #[must_use]
    pub fn wide(self) -> Self {
        Self { is_wide: true, ..self }
    }
}

impl RuleModel {
    /// With what comes in from outside of so many replications.
    pub(super) fn with_replications(self, replications: u32) -> Self {
        let keys = (0..replications).map(|r| StreamKey::new(self.seed, r.into()));
        let inputs = if self.file.incoming.draws() { Inputs::new(&self.file, self.until, keys) } else { self.inputs };
        Self { replications, inputs, ..self }.fitting()
    }

    /// The room for values that wait for their transport delay in a cell, by default 4, or as much as fits: the more ports
    /// and state variables, the less.
    ///
    /// # Errors
    /// [`RuleError::MaxWaiting`] unless it is from 1 to [`MOST_WAITING`], [`RuleError::Words`] if the state has no place for it.
    pub fn with_max_waiting(mut self, max_waiting: usize) -> Result<Self, RuleError> {
        if !(1..=MOST_WAITING).contains(&max_waiting) {
            return Err(RuleError::MaxWaiting { max_waiting, most: MOST_WAITING });
        }
        let most = self.layout.most_waiting();
        if self.file.waiting == Waiting::Transport && max_waiting > most {
            let (ports, variables) = (self.file.ports.len(), self.file.variables.len());
            let words = self.layout.with_max_waiting(max_waiting).words();
            return Err(RuleError::Words { max_waiting, ports, variables, words, most });
        }
        self.layout.room = max_waiting;
        Ok(self)
    }

    /// The numbers in words of outputs.
    pub fn numbers<'a>(&self, words: &'a [u32]) -> impl Iterator<Item = Fixed> + use<'a> {
        let width = self.layout.width;
        words.chunks_exact(width).map(move |words| Fixed::read(words, 0, width))
    }

    /// How many values may wait in a cell for their transport delay.
    pub fn max_waiting(&self) -> usize {
        self.layout.room
    }

    /// The most values that may wait in a cell: [`MOST_WAITING`], or fewer beside ports and state variables.
    pub fn most_waiting(&self) -> usize {
        self.layout.most_waiting().min(MOST_WAITING)
    }

    /// The file.
    pub fn file(&self) -> &RuleFile {
        &self.file
    }

    /// The words of the buffer `rule_entries` on a device: the entries from outside. `None` where there can be none.
    pub(super) fn input_words(&self) -> Option<&[u32]> {
        self.layout.cursor.and(self.inputs.as_ref().ok()).map(|inputs| &inputs.words[..])
    }

    /// The next entry of a cell.
    fn next_input(&self, state: &[u32]) -> Option<Input<'_>> {
        Some(self.inputs.as_ref().ok()?.entry(state[self.layout.cursor?]))
    }

    /// The entry that comes into a cell now.
    fn input(&self, state: &[u32], now: Time) -> Option<Input<'_>> {
        self.next_input(state).filter(|input| input.time == now)
    }

    /// When a cell has its next own event, where its value is due at a time; `taken` says whether an entry has come in
    /// now.
    fn next(&self, state: &mut [u32], due: Time, taken: bool) -> Time {
        if let (Some(cursor), true) = (self.layout.cursor, taken) {
            state[cursor] += 1;
        }
        if let Some(at) = self.layout.due() {
            let ticks = due.ticks();
            state[at..at + 2].copy_from_slice(&[ticks as u32, (ticks >> 32) as u32]);
        }
        self.next_input(state).map_or(due, |input| input.time.min(due))
    }

    /// When the next value of a cell is due.
    fn due(&self, state: &[u32], planned: Time) -> Time {
        match (self.file.waiting, self.layout.due()) {
            (Waiting::Transport, _) => self.layout.first(state),
            (Waiting::Inertial, Some(at)) => Time::from_ticks(u64::from(state[at + 1]) << 32 | u64::from(state[at])),
            (Waiting::Inertial, None) => planned,
        }
    }

    /// The values of the rules, and their delay; `None` where the cell stays as it is.
    fn chosen(
        &self,
        cell: Cell,
        now: Time,
        state: &mut [u32],
        (inputs, input): (&impl Heard, Option<&Input<'_>>),
        given: &mut Given,
    ) -> Result<Option<Time>, CellError> {
        let width = self.layout.width;
        let place = self.file.place(cell.id);
        let value = |n: usize, port: usize| {
            let sent = self.file.layers.way(n, place[2]).and_then(|n| inputs.output(n));
            sent.map_or(Fixed::UNDEFINED, |words| Fixed::read(words, port, width))
        };
        let section = input.map_or_else(|| self.file.section(cell.id), |input| input.section);
        let stream = |at: usize| cell.stream_from(self.seed(), [state[at], state[at + 1]]);
        let stream = self.layout.stream.map(stream);
        let (before, variables) = state.split_at_mut(self.layout.variables);
        let mut around = Surroundings {
            width,
            own: &before[..width * self.layout.ports],
            variables,
            neighbours: &value,
            count: self.file.neighbours(),
            own_counts: self.file.hears_itself,
            now,
            place,
            inputs: input.map_or(&[], |input| input.values),
            stream,
        };
        let rules = &self.file.sections[section].rules;
        let chosen = choose(rules, self.stochastic[section], &mut around, given);
        let chosen = chosen.map_err(|fault| self.failed(cell.id, now, self.said(fault)))?;
        if let (Some(at), Some(stream)) = (self.layout.stream, around.stream) {
            state[at..at + 2].copy_from_slice(&stream.words());
        }
        Ok(chosen)
    }

    fn transport(&self, cell: Cell, moment: Moment, state: &mut [u32], inputs: &impl Heard) -> Result<Time, CellError> {
        let sends = moment.imminent && self.layout.first(state) == moment.now;
        if sends {
            self.layout.take(state);
        }
        let (mut given, input) = (Given::new(), self.input(state, moment.now));
        if (input.is_some() || self.hears(cell, sends, inputs))
            && let Some(delay) = self.chosen(cell, moment.now, state, (inputs, input.as_ref()), &mut given)?
            && given.changes(state, self.layout.width, self.file.slots)
            && let Some(time) = moment.now.checked_add(delay).filter(|time| *time != Time::NEVER)
        {
            let full = |fault| self.failed(cell.id, moment.now, self.said(fault));
            self.layout.put(state, &given, time).map_err(full)?;
        }
        Ok(self.next(state, self.layout.first(state), input.is_some()))
    }

    fn inertial(
        &self,
        cell: Cell,
        moment: Moment,
        next: Time,
        state: &mut [u32],
        inputs: &impl Heard,
    ) -> Result<Time, CellError> {
        let Layout { waiting, ports, width, .. } = self.layout;
        let mut due = self.due(state, next);
        let sends = moment.imminent && due == moment.now;
        if sends {
            state.copy_within(waiting..waiting + width * ports, 0);
            due = Time::NEVER;
        }
        let (mut given, input) = (Given::new(), self.input(state, moment.now));
        if (input.is_some() || self.hears(cell, sends, inputs))
            && let Some(delay) = self.chosen(cell, moment.now, state, (inputs, input.as_ref()), &mut given)?
            && given.changes(&state[waiting..], width, self.file.slots)
        {
            given.values().for_each(|(port, value)| value.write(&mut state[waiting..], port, width));
            due = moment.now.checked_add(delay).unwrap_or(Time::NEVER);
        }
        Ok(self.next(state, due, input.is_some()))
    }

    /// The error of a cell, by its place in the file.
    pub(super) fn failed(&self, cell: u32, now: Time, what: String) -> CellError {
        let place = format!("({})", written(&self.file.place(cell)[..self.file.dimensions], ","));
        CellError::Rule { file: self.file.name.clone(), place, now, what }
    }

    /// The message for a fault of this model.
    pub(super) fn said(&self, fault: RuleFault) -> String {
        let (max_waiting, most) = (self.max_waiting(), self.most_waiting());
        let full = format!("more than {max_waiting} values wait for their transport delay in a cell:");
        match fault {
            RuleFault::Room if max_waiting < most => {
                format!("{full} raise max_waiting to at most {most}, or use shorter delays")
            }
            RuleFault::Room if max_waiting < MOST_WAITING => {
                format!("{full} use shorter delays, or fewer ports or state variables")
            }
            RuleFault::Room => format!("{full} use shorter delays"),
            fault => fault.to_string(),
        }
    }

    /// Whether the rules are tried: where an output of the neighborhood arrives, the cell's own included if it belongs
    /// to it.
    fn hears(&self, cell: Cell, sends: bool, inputs: &impl Heard) -> bool {
        let own = sends && self.file.hears_itself;
        let [_, _, plane, _] = self.file.place(cell.id);
        let arrives = |n| self.file.layers.way(n, plane).is_some_and(|n| inputs.arrives(n));
        own || (0..self.file.neighbours()).any(arrives)
    }
}

impl CellModel for RuleModel {
    fn space(&self) -> &Space {
        &self.file.space
    }

    /// Numbers that come in and draw are made before a run, those of one replication after the other.
    fn prepared(&self, replications: &Range<u32>) -> Result<Option<Self>, CellError> {
        let has = !self.file.incoming.draws() || replications.end <= self.replications;
        Ok((!has).then(|| self.clone().with_replications(replications.end)))
    }

    fn illegitimate(&self, now: Time, cycles: u64) -> CellError {
        CellError::Instant { file: self.file.name.clone(), now, cycles }
    }

    fn until(&self) -> Time {
        self.until
    }

    fn lookahead(&self) -> Time {
        self.lookahead
    }

    /// Spaces of one model differ in what their cells draw.
    fn seed(&self) -> u64 {
        let number = self.file.number as u64;
        if number == 0 { self.seed } else { split_mix_64(self.seed.wrapping_add(number)) }
    }

    fn state_words(&self) -> usize {
        self.layout.words()
    }

    fn output_words(&self) -> usize {
        self.layout.width * self.layout.ports
    }

    fn initialize(&self, cell: Cell, state: &mut [u32], output: &mut [u32]) -> Result<Time, CellError> {
        let (start, slots) = (self.file.start(cell.id), self.file.slots);
        let value = |port: usize| start.at(port % slots, slots);
        (0..self.layout.ports).for_each(|port| value(port).write(output, port, self.layout.width));
        if let Some(at) = self.layout.stream {
            state[at..at + 2].copy_from_slice(&cell.stream(self.seed()).words());
        }
        let inputs = self.inputs.as_ref().map_err(|why| {
            let what = match why {
                NoPlace::Many => {
                    "more than 4194304 numbers come into cells: use an earlier horizon, longer times of generators, or \
                     fewer replications"
                }
                NoPlace::Range => {
                    "a generator comes to a number out of the range of -2^31 to 2^31: use an earlier horizon"
                }
                NoPlace::Unfed => {
                    "other spaces send into this one, and what they send is not known: let RuleFile::fed run them first"
                }
                NoPlace::Wide => {
                    "a number that needs two words comes into a cell, which has too many ports and state variables for such: use fewer"
                }
            };
            self.failed(cell.id, Time::ZERO, what.into())
        })?;
        if let Some(at) = self.layout.cursor {
            state[at] = inputs.first(cell.replication as usize, cell.id);
        }
        // Every cell sends its values at time 0, and so every cell tries its rules then.
        self.layout.start(state, value, self.file.variables_of(cell.id));
        Ok(Time::ZERO)
    }

    fn output(&self, _: Cell, now: Time, state: &[u32], output: &mut [u32]) -> Result<bool, CellError> {
        // An imminent cell may have only an entry that comes in.
        if self.due(state, now) != now {
            return Ok(false);
        }
        match self.file.waiting {
            Waiting::Transport => self.layout.sent(state, output),
            Waiting::Inertial => output.copy_from_slice(&state[self.layout.waiting..][..output.len()]),
        }
        Ok(true)
    }

    fn transition(
        &self,
        cell: Cell,
        moment: Moment,
        next: Time,
        state: &mut [u32],
        inputs: &impl Heard,
    ) -> Result<Time, CellError> {
        match self.file.waiting {
            Waiting::Transport => self.transport(cell, moment, state, inputs),
            Waiting::Inertial => self.inertial(cell, moment, next, state, inputs),
        }
    }
}
