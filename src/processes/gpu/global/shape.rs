//! The sizes of a heap of all processes' events: constants of its kernels, and places in its buffers.

use std::fmt::Write as _;

use crate::gpu::model::DeviceModel;
use crate::gpu::options::MOST_NODE;
use tickless_device::AdapterDescription;

/// Events that a workgroup sorts: their keys and places take 10 KiB of workgroup memory.
const BLOCK_EVENTS: u32 = 512;
/// The most runs merged at a time: a pass over the memory for eight times their length.
const MOST_RUNS: u32 = 8;
/// A smaller node would be sorted no sooner.
const LEAST_NODE: u32 = 512;
/// A heap that has grown has at most about so many nodes.
const GROWN_NODES: u64 = 16;
/// Areas of the events sorted in a round: the messages, and the two areas between which runs are merged.
const SORTING: u64 = 3;

/// Bytes of a key.
pub(super) const KEY: u64 = 16;

/// The sizes of a heap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Shape {
    /// Events of a node, a power of two.
    pub(super) node: u32,
    pub(super) nodes: u32,
    /// The most messages that an event sends.
    sent: u32,
    /// Events that are sorted in a round, a power of two.
    pub(super) sorted: u32,
}

/// A pass over runs that makes fewer of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Pass {
    run: u32,
    fan: u32,
    from: u64,
    to: u64,
}

impl Shape {
    /// The first shape for a model.
    pub(super) fn of(model: &DeviceModel, node: Option<u32>) -> Self {
        let processes = f64::from(model.processes);
        let pending = u64::from(model.processes) * u64::from(model.starting);
        Self::new(pending, processes * model.burst, model.most_sent, node)
    }

    /// The shape for `pending` events, of which about `window` are executed between an event and the lookahead behind
    /// it.
    fn new(pending: u64, window: f64, most_sent: u32, asked: Option<u32>) -> Self {
        let sent = most_sent.max(1);
        // An event sends up to `sent` messages: a node has room for all messages of the events executed at once.
        let most = pending.clamp(1, u64::from(MOST_NODE)) as u32;
        let suited = (window * f64::from(sent) * 1.3).clamp(1.0, f64::from(MOST_NODE)) as u32;
        let suited = (1 << suited.ilog2()).min(most.next_power_of_two()).max(LEAST_NODE);
        let node = asked.map_or(suited, |node| node.clamp(1, MOST_NODE).next_power_of_two());
        // Where an event sends at most one message, the number of events never grows.
        let node = if sent == 1 && asked.is_some() { node.min(most.next_power_of_two()) } else { node };
        let node = node.max(sent.next_power_of_two());
        // Where an event sends more than one, events that overflow the root wait beside it.
        let sorted = if sent == 1 { node } else { 4 * node };
        Self { node, nodes: 1, sent, sorted }.with_room(pending)
    }

    fn with_room(self, pending: u64) -> Self {
        let nodes = pending.div_ceil(u64::from(self.node)).clamp(1, u64::from(u32::MAX / 4));
        Self { nodes: nodes as u32, ..self }
    }

    /// The shape for events that have become more than there is room for: with larger nodes too, so that this happens
    /// again only after their number has grown by a share.
    pub(super) fn grown(self, pending: u64) -> Self {
        let node = (pending / GROWN_NODES).clamp(1, u64::from(MOST_NODE)) as u32;
        let node = node.next_power_of_two().max(self.node);
        Self { node, sorted: self.sorted / self.node * node, ..self }.with_room(pending)
    }

    /// Whether all nodes together have room for `pending` events.
    pub(super) fn has_room(&self, pending: u64) -> bool {
        pending <= u64::from(self.node) * u64::from(self.nodes)
    }

    pub(super) fn levels(&self) -> u32 {
        self.nodes.ilog2() + 1
    }

    /// The place of the area held for a level: behind the slots.
    pub(super) fn held_at(&self, level: u32) -> u64 {
        u64::from(self.node) * (u64::from(self.nodes) + u64::from(self.levels()) + u64::from(level))
    }

    fn sent_at(&self) -> u64 {
        self.held_at(self.levels())
    }

    /// The two areas between which runs are merged.
    fn runs_at(&self, number: u32) -> u64 {
        self.sent_at() + u64::from(self.sorted) * u64::from(1 + number % 2)
    }

    pub(super) fn sorted_at(&self) -> u64 {
        self.passes().last().map_or(self.runs_at(0), |pass| pass.to)
    }

    /// The events of all areas.
    pub(super) fn events(&self) -> u64 {
        self.sent_at() + SORTING * u64::from(self.sorted)
    }

    /// The place of the words of a level.
    pub(super) fn level_at(&self, level: u32) -> usize {
        (self.node + self.nodes + 4 * level) as usize
    }

    pub(super) fn words(&self) -> usize {
        self.level_at(self.levels() + 1) + 1
    }

    fn block(&self) -> u32 {
        self.sorted.min(BLOCK_EVENTS)
    }

    pub(super) fn blocks(&self) -> u32 {
        self.sorted / self.block()
    }

    pub(super) fn passes(&self) -> Vec<Pass> {
        let (mut passes, mut run, mut number) = (vec![], self.block(), 0);
        while run < self.sorted {
            let fan = MOST_RUNS.min(self.sorted / run);
            passes.push(Pass { run, fan, from: self.runs_at(number), to: self.runs_at(number + 1) });
            run *= fan;
            number += 1;
        }
        passes
    }

    /// Threads of the steps at even levels and at odd ones, and for left-over events.
    pub(super) fn threads(&self) -> [u32; 2] {
        let each = 3 * self.node;
        [self.levels().div_ceil(2) * each, self.levels() / 2 * each]
    }

    /// The constants of every kernel.
    pub(super) fn constants(&self) -> String {
        let constants = [
            ("NODE", u64::from(self.node)),
            ("NODES", self.nodes.into()),
            ("LEVELS", self.levels().into()),
            ("MOST_SENT", self.sent.into()),
            ("SORTED", self.sorted.into()),
            ("BLOCK_EVENTS", self.block().into()),
            ("HELD_AT", self.held_at(0)),
            ("SENT_AT", self.sent_at()),
            ("RUNS_AT", self.runs_at(0)),
            ("SORTED_AT", self.sorted_at()),
        ];
        written(&constants)
    }
}

impl Pass {
    pub(super) fn constants(&self) -> String {
        let Self { run, fan, from, to } = *self;
        written(&[("RUN", run.into()), ("FAN", fan.into()), ("MERGING_AT", from), ("MERGED_AT", to)])
    }
}

fn written(constants: &[(&str, u64)]) -> String {
    constants.iter().fold(String::new(), |mut text, (name, value)| {
        // Writing to a text never fails.
        _ = writeln!(text, "const {name}: u32 = {value}u;");
        text
    })
}

/// Words of cargo of an event.
pub(super) fn cargo_words(carrying: bool) -> usize {
    if carrying { 4 } else { 1 }
}

/// The most places of events that a buffer has.
pub(super) fn most_events(carrying: bool, adapter: &AdapterDescription) -> u64 {
    let limits = &adapter.capabilities;
    let each = KEY.max(4 * cargo_words(carrying) as u64);
    (limits.buffer_size.min(limits.binding_size) / each).min(1 << 32)
}

/// Whether the adapter has room for the first heap of a model.
pub(in crate::gpu) fn fits_global_heap(model: &DeviceModel, adapter: &AdapterDescription) -> bool {
    Shape::of(model, None).events() <= most_events(model.payload_words > 0, adapter)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_node_has_about_as_many_events_as_a_round() {
        let shape = |pending, window| Shape::new(pending, window, 1, None);
        assert_eq!(shape(1 << 22, 10_000.0).node, 8192);
        assert_eq!((shape(1 << 22, 0.5).node, shape(1 << 22, 0.5).nodes), (512, 8192));
        assert_eq!((shape(700, 600.0).node, shape(700, 600.0).nodes, shape(700, 600.0).levels()), (512, 2, 2));
        assert_eq!(shape(u64::from(u32::MAX), 4e9).node, 1 << 20);
        let shape = Shape::new(100, 3.0, 5, Some(2));
        assert_eq!((shape.node, shape.nodes, shape.sorted), (8, 13, 32));
        assert_eq!((Shape::new(100, 3.0, 1, Some(1 << 20)).node, Shape::new(100, 3.0, 1, Some(33)).node), (128, 64));
        let grown = shape.grown(5000);
        assert_eq!((grown.node, grown.nodes, grown.sorted), (512, 10, 2048));
    }

    /// Every pass begins where the pass before has ended, and the last leaves one run.
    #[test]
    fn passes_end_with_one_run() {
        for power in 0..=22 {
            let shape = Shape { node: 1 << power, nodes: 5, sent: 1, sorted: 1 << power };
            let (mut run, mut at) = (shape.block(), shape.runs_at(0));
            for pass in shape.passes() {
                assert_eq!((pass.run, pass.from), (run, at));
                assert_ne!(pass.from, pass.to);
                (run, at) = (run * pass.fan, pass.to);
            }
            assert_eq!((run, at), (shape.sorted, shape.sorted_at()));
            assert!(shape.sorted_at() + u64::from(shape.sorted) <= shape.events());
        }
    }
}
