//! Numbers of a copy that are looked at.

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
    pub(super) const OF_STATIONS: [(&str, Self); 7] = [
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
    pub(super) fn is_by_class(self) -> bool {
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
