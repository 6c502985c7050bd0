//! Single visits of tokens to stations.

use tickless_core::time::Time;

/// A visit of a token to a station.
///
/// ```
/// # use tickless_queueing::facade as tickless;
/// use tickless::{run::unwatched, time::Time};
/// use tickless::queueing::{Left, Network, Source, Station, visits};
/// let mut network = Network::new().until(3.0);
/// let desk = network.station(Station::new("desk", "constant:0.75".parse()?));
/// let exit = network.sink("exit");
/// network.source(Source::new("in", "constant:0.5".parse()?, desk).limit(3));
/// network.route(desk, exit, 1.0, 0.0);
/// let mut all = vec![];
/// visits(&network.check()?, 0, |visit| all.push(visit.clone()), &mut unwatched())?;
/// let units = |time: Option<Time>| time.map(Time::units);
/// // The second token comes at 1, waits for the end of the first service at 1.25, and leaves at 2.
/// assert_eq!((all[1].token, all[1].arrival.units(), units(all[1].start)), (1, 1.0, Some(1.25)));
/// assert_eq!((units(all[1].departure), all[1].left), (Some(2.0), Left::Served));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Visit {
    /// The number of the token, in the order in which tokens first came to a station; a copy of a token that splits has one of its own.
    pub token: u64,
    /// Its class there.
    pub class: u32,
    /// The number of the station.
    pub station: u32,
    /// When it came.
    pub arrival: Time,
    /// When its first service began.
    pub start: Option<Time>,
    /// When a service ended, the last one so far.
    pub end: Option<Time>,
    /// When it left; `None` of a token that is there at the end.
    pub departure: Option<Time>,
    /// Why it left.
    pub left: Left,
    /// Where it went: a station, or behind all stations a sink; `None` of a token that is no more, or that is there.
    pub to: Option<u32>,
    /// The resources of which the token held units when its first service began, by their numbers, and how many; `None` where it held none.
    pub held: Option<Box<[(u32, u32)]>>,
}

/// How a visit ended.
///
/// ```
/// # use tickless_queueing::facade as tickless;
/// assert_eq!(tickless::queueing::Left::Reneged.name(), "reneged");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Left {
    /// After its service.
    Served,
    /// It found no room.
    Lost,
    /// It did not join.
    Balked,
    /// It lost its patience.
    Reneged,
    /// It was joined with its siblings: the last of these begins another visit to the same station then.
    Joined,
    /// It is there at the end.
    Present,
}

impl Left {
    /// Every way, in the order of their numbers.
    #[doc(hidden)]
    pub const ALL: [Self; 6] = [Self::Served, Self::Lost, Self::Balked, Self::Reneged, Self::Joined, Self::Present];

    /// Its name in files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Served => "served",
            Self::Lost => "lost",
            Self::Balked => "balked",
            Self::Reneged => "reneged",
            Self::Joined => "joined",
            Self::Present => "present",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ways_stand_in_their_order() {
        assert!((0..).zip(Left::ALL).all(|(number, left)| left as usize == number));
    }
}
