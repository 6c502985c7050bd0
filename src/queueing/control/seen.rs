//! What is seen of copies at their decisions.

use crate::model::control::ControlRules;
use tickless_core::memory::{self, NoMemory};

/// What is seen of all copies at their decisions, one copy behind the other.
///
/// ```
/// # use tickless_queueing::facade as tickless;
/// use tickless::queueing::{Network, Station, control::Control};
/// let mut network = Network::new().until(5.0);
/// let desk = network.station(Station::new("desk", "constant:1".parse()?).tokens(2));
/// network.route(desk, desk, 1.0, 0.0);
/// let control = Control { observed: vec!["station.desk.present".into()], ..Control::every(2.0) };
/// let controlled = network.control(&control)?;
/// let mut copies = controlled.on_the_heap(3, 1)?;
/// assert_eq!(copies.step(&[])?.observed(), [2, 2, 2]);
/// // The third decision is at the horizon.
/// copies.step(&[])?;
/// assert_eq!(copies.step(&[])?.ended(), [1, 1, 1]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Seen {
    sizes: SeenSizes,
    /// Two words of 32 bits in each.
    words: Vec<u64>,
}

/// How many numbers there are, and where they lie: `looks.wgsl` knows the same places.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct SeenSizes {
    copies: usize,
    observed: usize,
    earned: usize,
}

impl SeenSizes {
    pub(crate) fn new(control: &ControlRules, copies: u32) -> Self {
        Self { copies: copies as usize, observed: control.observed.len(), earned: control.earned.len() }
    }

    /// The first of the words of 64 bits with what is earned, and with the times.
    fn begins(self) -> [usize; 3] {
        let earned = (self.copies * self.observed).div_ceil(2);
        let clocks = earned + self.copies * self.earned;
        [earned, clocks, clocks + self.copies]
    }

    /// Where what is seen lies that begins at an address: what is observed and earned, the times, the ends.
    pub(crate) fn places(self, address: u64) -> [u64; 4] {
        let [earned, clocks, ended] = self.begins().map(|word| address + 8 * word as u64);
        [address, earned, clocks, ended]
    }

    /// Words of 64 bits.
    pub(crate) fn words(self) -> usize {
        self.begins()[2] + self.copies.div_ceil(2)
    }
}

impl Seen {
    /// Of copies that have not begun.
    ///
    /// # Errors
    /// Too little memory.
    pub(crate) fn new(sizes: SeenSizes) -> Result<Self, NoMemory> {
        Ok(Self { sizes, words: memory::zeroed(sizes.words(), "what is seen of the copies")? })
    }

    /// All words, for what writes them.
    pub(crate) fn words_mut(&mut self) -> &mut [u64] {
        &mut self.words
    }

    /// What is observed, of each copy.
    pub fn observed(&self) -> &[u32] {
        &bytemuck::cast_slice(&self.words)[..self.sizes.copies * self.sizes.observed]
    }

    /// What has been earned since the decision before, of each copy: in ticks (2⁻³² time units), or a count. Nothing before the first
    /// decision.
    pub fn earned(&self) -> &[u64] {
        let [begin, end, _] = self.sizes.begins();
        &self.words[begin..end]
    }

    /// The times of the decisions, in ticks.
    pub fn clocks(&self) -> &[u64] {
        let [_, begin, end] = self.sizes.begins();
        &self.words[begin..end]
    }

    /// 1 where a copy is at the horizon: with the next step it begins anew.
    pub fn ended(&self) -> &[u32] {
        &bytemuck::cast_slice(&self.words[self.sizes.begins()[2]..])[..self.sizes.copies]
    }

    /// Notes what is seen of a copy.
    pub(crate) fn note(&mut self, copy: usize, observed: &[u32], earned: &[u64], (clock, ended): (u64, bool)) {
        let [of_earned, clocks, ends] = self.sizes.begins();
        self.words[of_earned + copy * earned.len()..][..earned.len()].copy_from_slice(earned);
        self.words[clocks + copy] = clock;
        let halves: &mut [u32] = bytemuck::cast_slice_mut(&mut self.words);
        halves[copy * observed.len()..][..observed.len()].copy_from_slice(observed);
        halves[2 * ends + copy] = ended.into();
    }
}
