//! What is decided and seen of a network under control, as runs need it: `control` makes it.

use tickless_core::time::Time;

/// The words of a decision that are of a station.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Controlled {
    /// How many servers it has.
    pub(crate) servers: Option<u32>,
    /// The first of the ranks of the classes.
    pub(crate) ranks: Option<u32>,
    /// The number of the route.
    pub(crate) route: Option<u32>,
}

/// What is decided and seen, by the numbers of its words.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ControlRules {
    /// The time between decisions; `None` where there is one behind every instant at which something happens.
    pub(crate) every: Option<Time>,
    /// Words of a decision.
    pub(crate) words: u32,
    pub(crate) stations: Vec<Controlled>,
    /// Of each source the word with the route of its tokens.
    pub(crate) sources: Vec<Option<u32>>,
    pub(crate) observed: Vec<Looked>,
    pub(crate) earned: Vec<Looked>,
}

impl ControlRules {
    /// Of a network without control.
    pub(crate) const NOTHING: &Self =
        &Self { every: None, words: 0, stations: vec![], sources: vec![], observed: vec![], earned: vec![] };
}

/// The kind of a number: `looks.wgsl` has the same numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub(crate) enum Kind {
    /// Tokens at a station.
    Present = 0,
    /// Tokens that wait there.
    Waiting = 1,
    /// Tokens in service there.
    Serving = 2,
    /// Servers at work there.
    Servers = 3,
    /// Services that have ended there.
    Completed = 4,
    /// Tokens that found no room there.
    Lost = 5,
    /// Tokens that lost their patience there.
    Reneged = 6,
    /// Tokens that have left by a sink.
    Left = 7,
}

impl Kind {
    /// Of stations, with their keys.
    pub(crate) const OF_STATIONS: [(&str, Self); 7] = [
        ("present", Self::Present),
        ("waiting", Self::Waiting),
        ("serving", Self::Serving),
        ("servers", Self::Servers),
        ("completed", Self::Completed),
        ("lost", Self::Lost),
        ("reneged", Self::Reneged),
    ];

    /// Whether it is a number at a time, which is earned over time.
    pub(crate) fn is_over_time(self) -> bool {
        matches!(self, Self::Present | Self::Waiting | Self::Serving | Self::Servers)
    }

    /// Whether each class has one.
    pub(crate) fn is_by_class(self) -> bool {
        !matches!(self, Self::Waiting | Self::Serving | Self::Servers)
    }
}

/// A number of a copy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Looked {
    pub(crate) kind: Kind,
    /// A station, or a sink.
    pub(crate) place: u32,
    /// None for all classes.
    pub(crate) class: Option<u32>,
}
