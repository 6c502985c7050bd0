//! A model that does everything a cell may do: it hears, forgets, cancels, hurries, is silent, ties, and looks at elapsed
//! times. What it does follows from a hash of all that it may see.

use tickless::cells::gpu::{CellKernels, DeviceCells};
use tickless::cells::{Cell, CellError, CellModel, Inputs, Moment, Space};
use tickless::device::{BufferSpec, BufferUse};
use tickless::kernels::Source;
use tickless::time::Time;

#[derive(Clone, Debug)]
pub struct Gossip {
    pub space: Space,
    pub replications: u32,
    pub until: u64,
    pub lookahead: u64,
    /// Time advances are (hash & mask) << shift: few values tie, many do not.
    pub mask: u32,
    pub shift: u32,
    /// Of 256 cells so many have a first event.
    pub awake: u32,
    pub elapsed: bool,
    /// Whether cells have lookaheads of their own.
    pub uneven: bool,
    /// Whether replications start alike but for every seventh cell.
    pub alike: bool,
}

impl Gossip {
    pub fn new(space: Space) -> Self {
        let (until, lookahead) = (30 << 32, 1 << 31);
        Self {
            space,
            replications: 1,
            until,
            lookahead,
            mask: 0xff_ffff,
            shift: 10,
            awake: 200,
            elapsed: true,
            uneven: false,
            alike: false,
        }
    }

    fn delay(&self, hash: u32) -> u64 {
        u64::from(hash & self.mask) << self.shift
    }

    fn least_answer(&self, cell: u32) -> u64 {
        self.lookahead * if self.uneven { u64::from(1 + cell * 7 % 5) } else { 1 }
    }

    fn first(&self, cell: Cell) -> u32 {
        let other = !self.alike || cell.id.is_multiple_of(7);
        mix(cell.id.wrapping_mul(0x9e37_79b9) ^ if other { cell.replication } else { 0 })
    }
}

fn mix(hash: u32) -> u32 {
    let hash = (hash ^ hash >> 16).wrapping_mul(0x7feb_352d);
    let hash = (hash ^ hash >> 15).wrapping_mul(0x846c_a68b);
    hash ^ hash >> 16
}

impl CellModel for Gossip {
    fn space(&self) -> &Space {
        &self.space
    }

    fn until(&self) -> Time {
        Time::from_ticks(self.until)
    }

    fn lookahead(&self) -> Time {
        Time::from_ticks(self.lookahead)
    }

    fn lookahead_of(&self, cell: u32) -> Time {
        Time::from_ticks(self.least_answer(cell))
    }

    fn state_words(&self) -> usize {
        3
    }

    fn output_words(&self) -> usize {
        2
    }

    fn elapsed(&self) -> bool {
        self.elapsed
    }

    fn initialize(&self, cell: Cell, state: &mut [u32], output: &mut [u32]) -> Result<Time, CellError> {
        let hash = self.first(cell);
        state[0] = hash;
        output[1] = hash ^ 5;
        let sleeps = hash >> 24 >= self.awake;
        Ok(if sleeps { Time::NEVER } else { Time::from_ticks(self.delay(mix(hash))) })
    }

    fn output(&self, _: Cell, now: Time, state: &[u32], output: &mut [u32]) -> Result<bool, CellError> {
        let sends = state[0] & 0x30 != 0;
        if sends {
            output[0] = mix(state[0] ^ now.ticks() as u32);
            output[1] = output[1].wrapping_add(state[0]);
        }
        Ok(sends)
    }

    fn transition(
        &self,
        cell: Cell,
        moment: Moment,
        next: Time,
        state: &mut [u32],
        inputs: &impl Inputs,
    ) -> Result<Time, CellError> {
        let mut hash = state[0] ^ if moment.imminent { 0x9e37 } else { 0 };
        for n in 0..self.space.offsets().len() {
            if inputs.exists(n) {
                hash = mix(hash.wrapping_add(n as u32 + 1) ^ inputs.word(n, 1));
            }
            if inputs.arrives(n) {
                hash = mix(hash ^ inputs.word(n, 0).wrapping_add(n as u32));
            }
        }
        hash = mix(hash ^ moment.elapsed.ticks() as u32 ^ (moment.now.ticks() >> 32) as u32);
        state[0] = hash;
        state[1] = state[1].wrapping_add(if moment.imminent { 0x1_0000 } else { 1 });
        state[2] ^= hash.rotate_left(state[1] & 31);
        let now = moment.now.ticks();
        let at = |delay: u64| Time::from_ticks(now + delay);
        Ok(if moment.imminent {
            if hash & 15 == 0 { Time::NEVER } else { at(self.delay(hash >> 3)) }
        } else {
            match hash >> 5 & 3 {
                0 => next,
                1 if hash & 0x700 == 0 => Time::NEVER,
                _ => at(self.least_answer(cell.id) + self.delay(hash >> 8)),
            }
        })
    }
}

impl DeviceCells for Gossip {
    fn kernels(&self) -> Option<CellKernels> {
        let parameters =
            [self.lookahead as u32, (self.lookahead >> 32) as u32, self.mask, self.shift | u32::from(self.uneven) << 8]
                .map(u32::to_le_bytes);
        let parameters = BufferSpec::filled("gossip", BufferUse::Uniform, parameters.concat());
        let source = Source::own("gossip.wgsl", GOSSIP);
        Some(CellKernels { buffers: vec![parameters], ..CellKernels::of("gossip", source) })
    }

    fn starting_otherwise(&self, replication: u32) -> Option<Vec<u32>> {
        match (self.alike, replication) {
            (_, 0) => Some(vec![]),
            (true, _) => Some((0..self.space.cells()).filter(|id| id % 7 == 0).collect()),
            (false, _) => None,
        }
    }
}

const GOSSIP: &str = "
import package::cells::cell::{
    elapsed, neighbour_arrives, neighbour_exists, neighbour_word, now, output_word, planned, set_output, set_state_word,
    state_word,
};
import package::cells::space::{cell_id};
import package::lib::time::{Time, never};
import constants::{NEIGHBOURS};
import word64::{wide, wide_add, wide_high, wide_low, wide_multiply, wide_product};

var<private> weights: array<u32, 2> = array<u32, 2>(1u, 0x10000u);
var<uniform> gossip: vec4<u32>; // lookahead (two words), mask, shift and whether it is uneven

fn mix(word: u32) -> u32 {
    var hash = (word ^ (word >> 16u)) * 0x7feb352du;
    hash = (hash ^ (hash >> 15u)) * 0x846ca68bu;
    return hash ^ (hash >> 16u);
}

fn delay(hash: u32) -> Time {
    let factor = hash & gossip.z;
    return wide_product(factor, 1u << (gossip.w & 0xffu));
}

fn cell_output(cell: u32) -> bool {
    let hash = state_word(cell, 0u);
    if ((hash & 0x30u) == 0u) { return false; }
    set_output(cell, 0u, mix(hash ^ wide_low(now)));
    set_output(cell, 1u, output_word(cell, 1u) + hash);
    return true;
}

fn cell_transition(cell: u32, imminent: bool) -> Time {
    var hash = state_word(cell, 0u) ^ select(0u, 0x9e37u, imminent);
    for (var n = 0u; n < NEIGHBOURS; n += 1u) {
        if (neighbour_exists(n)) { hash = mix((hash + n + 1u) ^ neighbour_word(n, 1u)); }
        if (neighbour_arrives(n)) { hash = mix(hash ^ (neighbour_word(n, 0u) + n)); }
    }
    hash = mix(hash ^ wide_low(elapsed) ^ wide_high(now));
    let count = state_word(cell, 1u) + weights[u32(imminent)];
    let turn = count & 31u;
    set_state_word(cell, 0u, hash);
    set_state_word(cell, 1u, count);
    set_state_word(cell, 2u, state_word(cell, 2u) ^ ((hash << turn) | (hash >> ((32u - turn) & 31u))));
    if (imminent) {
        if ((hash & 15u) == 0u) { return never(); }
        return wide_add(now, delay(hash >> 3u));
    }
    let kind = (hash >> 5u) & 3u;
    if (kind == 0u) { return planned; }
    if (kind == 1u && (hash & 0x700u) == 0u) { return never(); }
    var times = 1u;
    if ((gossip.w >> 8u) != 0u) { times += cell_id * 7u % 5u; }
    return wide_add(wide_add(now, wide_multiply(wide(times, 0u), wide(gossip.x, gossip.y))), delay(hash >> 8u));
}";
