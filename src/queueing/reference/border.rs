//! The border between the stations of a rank and those of others.
//!
//! At a simple station the time and the edge of a departure are known when a service starts. So a token that will go to another rank is
//! announced there then: between the announcement and its arrival lie its service and the delay of its edge, and these are the lookahead.
//! From other stations a token is announced when it leaves, and the lookahead is the delay alone. The other rank counts the token as on its
//! way from its departure on; until then it is where it is served.
//!
//! The oracle keeps tokens that come among its own; the simulator of single servers keeps them here.

use super::Slab;
use crate::checkpoint::OnTheWay;
use crate::messages::{Announcement, WORDS};
use crate::share::Share;
use tickless_core::ranks::Mail;
use tickless_core::time::Time;

/// A bit in the number of a station of another rank, which is its number in the whole network. Other numbers are those
/// of the rank.
const ELSEWHERE: u32 = 1 << 31;

/// The tokens that cross between a rank and others.
pub(super) struct Border<'a> {
    share: &'a Share,
    until: Time,
    coming: Slab<Announcement>,
    /// Tokens that come at the current instant.
    landing: Vec<Announcement>,
    pub(super) mail: Mail,
}

/// The number in the whole network of a station, or of a source, behind the stations: streams, orders and messages use it.
#[inline]
pub(super) fn number(border: Option<&Border<'_>>, id: u32) -> u32 {
    match border {
        None => id,
        Some(_) if id >= ELSEWHERE => id - ELSEWHERE,
        Some(border) => border.share.numbers[id as usize],
    }
}

fn receive(mail: &mut Mail, mut take: impl FnMut(Announcement)) {
    mail.take(|list| list.as_chunks::<WORDS>().0.iter().for_each(|words| take(Announcement::unpack(words))));
}

impl<'a> Border<'a> {
    pub(super) fn new(share: &'a Share, ranks: u32) -> Self {
        let mail = Mail::new(ranks, share.to.iter().copied(), share.from.iter().copied());
        Self { share, until: share.model.until(), coming: Slab::new(), landing: vec![], mail }
    }

    /// The first target that is a station of another rank.
    pub(super) fn first(&self) -> u32 {
        self.share.first_abroad
    }

    pub(super) fn lookahead(&self) -> Time {
        self.share.lookahead
    }

    /// Announces a token that will leave, or leaves, to the rank of its target, unless the run ends before.
    pub(super) fn announce(&mut self, leaving: Announcement) {
        if leaving.departed < self.until {
            let (rank, target) = self.share.abroad[(leaving.target - self.share.first_abroad) as usize];
            let from = self.share.numbers[leaving.from as usize];
            self.mail.send(rank, &Announcement { from, target, ..leaving }.pack());
        }
    }

    /// Hands over what others have announced.
    pub(super) fn receive(&mut self, take: impl FnMut(Announcement)) {
        receive(&mut self.mail, take);
    }

    /// Keeps what others have announced: `schedule` gets the time and the place of each.
    pub(super) fn deliver(&mut self, mut schedule: impl FnMut(Time, u32)) {
        let coming = &mut self.coming;
        receive(&mut self.mail, |announced| {
            let from = announced.from | ELSEWHERE;
            schedule(announced.arrives, coming.put(Announcement { from, ..announced }));
        });
    }

    /// A token comes at this instant; returns when it departed.
    pub(super) fn lands(&mut self, place: u32) -> Time {
        let coming = *self.coming.take(place);
        self.landing.push(coming);
        coming.departed
    }

    /// The tokens that come at this instant, numbered so that tokens from one station have the order in which they departed.
    pub(super) fn landed(&mut self) -> impl Iterator<Item = (u64, Announcement)> + '_ {
        self.landing.sort_unstable_by_key(|coming| (coming.from, coming.departed, coming.visit));
        (0..).zip(self.landing.drain(..))
    }

    /// Tokens that have departed before a time and not arrived.
    pub(super) fn in_transit(&self, at: Time) -> u64 {
        self.coming.used().filter(|coming| coming.departed < at).count() as u64
    }

    /// Takes over tokens announced before a checkpoint: they are delivered like new announcements.
    pub(super) fn take_over(&mut self, coming: &[OnTheWay]) {
        let Some(from) = self.mail.from().first().copied() else { return };
        let list = self.mail.incoming_mut(from);
        list.extend(coming.iter().flat_map(|token| Announcement::from(*token).pack()));
    }

    /// Tokens that have departed before a time and not arrived, by the numbers of the whole network.
    pub(super) fn on_their_way(&self, at: Time) -> impl Iterator<Item = OnTheWay> + '_ {
        self.coming.used().filter(move |coming| coming.departed < at).map(|coming| {
            let &Announcement { from, target, visit, entered, departed, arrives, .. } = coming;
            let [from, target] = [from, target].map(|id| number(Some(self), id));
            OnTheWay { from, target, arrival: arrives, entered, departed, visit }
        })
    }

    /// The place here of a station or, behind the stations, of a source with this number in the whole network.
    pub(super) fn place(&self, number: u32) -> u32 {
        self.share.numbers.partition_point(|own| *own < number) as u32
    }

    /// The number in the whole network of a target here: a station, or a sink behind them.
    pub(super) fn target(&self, target: u32) -> u32 {
        let stations = self.share.model.stations();
        if target < stations { self.share.numbers[target as usize] } else { target - stations + self.share.whole }
    }
}
