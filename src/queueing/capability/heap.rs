//! The simulators of the heap.

use crate::NetworkModel;
use crate::torus::Torus;
use tickless_core::heap::Tournament;
use tickless_core::time::Time;

/// The simulator of the heap for a network. All give the same records.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Simulator {
    /// The simulator of a torus with computed edges.
    Torus(Torus),
    /// The simulator of stations of one server each; whether times beside entities need words of 128 bits.
    Singles { wide: bool },
    /// The oracle, for all other networks.
    Oracle,
}

impl Simulator {
    /// The simulator of a network, or of one rank's part of a network.
    pub(crate) fn of(model: &NetworkModel, over_ranks: bool) -> Self {
        if let Some(torus) = model.torus() {
            return Self::Torus(torus);
        }
        let single = model.rules_of_classes().is_none()
            && model.approximate().is_none()
            && model.scale().is_none()
            && (0..model.stations()).all(|id| model.servers(id) == 1);
        let (entities, until) = (entities(model, over_ranks), model.until());
        let words = [Tournament::<u64>::holds(entities, until), Tournament::<u128>::holds(entities, until)];
        match words {
            [true, _] if single => Self::Singles { wide: false },
            [_, true] if single => Self::Singles { wide: true },
            _ => Self::Oracle,
        }
    }
}

/// Whether an edge has a delay.
pub(crate) fn delays(model: &NetworkModel) -> bool {
    model.edges().iter().any(|edge| edge.delay > Time::ZERO)
}

/// The entities with a next event each in a network of single servers: the stations, the sources and, where an edge has a delay or leads to
/// another rank, the transits.
pub(crate) fn entities(model: &NetworkModel, over_ranks: bool) -> u32 {
    model.stations() + model.sources() + u32::from(delays(model) || over_ranks)
}
