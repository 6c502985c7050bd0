//! A station: who waits, who is served, and what each class has done.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::ops::{Deref, DerefMut};

use super::groups::Group;
use super::line::Line;
use super::serving::Serving;
use super::sharing::Sharing;
use super::wear::Server;
use crate::NetworkModel;
use crate::model::{Preemption, Rules};
use crate::outcome::ClassRecord;
use crate::reference::accounts::Accounts;
use serde::{Deserialize, Serialize};
use tickless_core::random::Stream;
use tickless_core::time::Time;

/// The place of a token in the order of service.
pub(super) type Rank = (u32, u64, u64);

/// In the order in which events need the fields: those of a station that only serves are in three lines of the cache.
#[derive(Serialize, Deserialize)]
#[repr(C, align(64))]
pub(super) struct Station {
    pub(super) stream: Stream,
    /// How many servers are at work, of infinitely many `u64::MAX`: see [`Station::count_servers`].
    servers: u64,
    /// For how many tokens there is room.
    pub(super) capacity: u64,
    /// Of each class.
    pub(super) accounts: Vec<ClassAccounts>,
    /// See [`Rules::is_simple`].
    pub(super) simple: bool,
    /// Whether a token that comes may balk.
    pub(super) balks: bool,
    /// Whether a token that waits may lose its patience.
    pub(super) impatient: bool,
    /// The tokens that wait, in the order of service.
    pub(super) waiting: Line,
    /// Tokens that have joined.
    pub(super) arrivals: u64,
    /// Services that have begun or gone on.
    pub(super) services: u64,
    /// Tokens that have left for somewhere.
    pub(super) departures: u64,
    /// Services that have ended.
    pub(super) completed: u64,
    /// Those in service.
    pub(super) serving: Serving,
    /// Those that wait for their siblings.
    pub(super) aside: u64,
    /// Tokens on their way here for which there is room.
    pub(super) coming: u64,
    /// How many servers set up or are away.
    pub(super) away: u64,
    /// What few stations have: made where it is changed first.
    extensions: Option<Box<Extensions>>,
}

/// What few stations have, read and changed as fields of [`Station`].
#[derive(Serialize, Deserialize)]
pub(super) struct Extensions {
    /// Those that wait for units before they join the others that wait, in the order of service.
    pub(super) outside: BTreeMap<Rank, u32>,
    /// Those that wait for their siblings, by these.
    pub(super) together: BTreeMap<u32, Vec<u32>>,
    /// For each part of its kit the tokens that stand aside, the first to come first.
    pub(super) shelves: Vec<VecDeque<u32>>,
    /// Those that have been served and find no room where they go.
    pub(super) blocked: BTreeMap<Rank, u32>,
    /// Tokens of other stations that wait for room here, the first first.
    pub(super) held: VecDeque<u32>,
    /// Where others are served only while there is room here: who is in a server and goes here then, by station and rank.
    pub(super) feeding: BTreeSet<(u32, Rank, u32)>,
    /// Tokens of each class on their way here for which there is room.
    pub(super) coming_of: BTreeMap<u32, u64>,
    /// Services of each class that have ended, where routes go by turns.
    pub(super) turns: BTreeMap<u32, u64>,
    /// Where all share the servers, or the number present sets the speed.
    pub(super) sharing: Option<Sharing>,
    /// The number of the shift in force, and how many servers it has.
    pub(super) shift: u64,
    pub(super) on_duty: u32,
    /// Its groups of servers; empty where all are alike.
    pub(super) groups: Vec<Group>,
    /// Of each server whether it is in order; empty where none fails.
    pub(super) in_order: Vec<bool>,
    /// How long servers were out of order and held no token, together, in ticks; and up to when this is.
    down: u128,
    downtime_until: Time,
    /// How long servers set up or were away, together, in ticks; and up to when this is.
    absent: u128,
    absence_until: Time,
    /// Each server, where they fail by use; empty otherwise.
    pub(super) wear: Vec<Server>,
    /// The numbers of set-ups that may be called off, or of the start of servers on standby, in the order in which they began.
    pub(super) under_way: Vec<u32>,
    /// Of each idle server the number of the end of its idle time, the one that is idle for the longest time first.
    pub(super) idle: Vec<u32>,
    /// How many set-ups that may be called off, and idle times, have begun.
    pub(super) absences_begun: u32,
    /// How many have just ended a service or their set-up, and serve who waits at once.
    pub(super) ready: u64,
}

impl Extensions {
    const NOTHING: Self = Self {
        outside: BTreeMap::new(),
        together: BTreeMap::new(),
        shelves: vec![],
        blocked: BTreeMap::new(),
        held: VecDeque::new(),
        feeding: BTreeSet::new(),
        coming_of: BTreeMap::new(),
        turns: BTreeMap::new(),
        sharing: None,
        shift: 0,
        on_duty: 0,
        groups: vec![],
        in_order: vec![],
        down: 0,
        downtime_until: Time::ZERO,
        absent: 0,
        absence_until: Time::ZERO,
        wear: vec![],
        under_way: vec![],
        idle: vec![],
        absences_begun: 0,
        ready: 0,
    };
}

impl Deref for Station {
    type Target = Extensions;

    #[inline]
    fn deref(&self) -> &Extensions {
        const NOTHING: &Extensions = &Extensions::NOTHING;
        self.extensions.as_deref().unwrap_or(NOTHING)
    }
}

impl DerefMut for Station {
    #[inline]
    fn deref_mut(&mut self) -> &mut Extensions {
        self.extensions.get_or_insert_with(|| Box::new(Extensions::NOTHING))
    }
}

/// The counts of a class beside those of every station.
#[derive(Serialize, Deserialize)]
#[repr(C, align(64))]
pub(super) struct ClassAccounts {
    pub(super) accounts: Accounts,
    pub(super) balked: u64,
    pub(super) reneged: u64,
    pub(super) patience: u128,
    pub(super) preemptions: u64,
    pub(super) blocked: u128,
    pub(super) stopped: u128,
    pub(super) joining: u128,
    pub(super) joins: u64,
    pub(super) joined: u64,
    pub(super) abandoned: u64,
}

impl Station {
    /// Before time 0, in a network of so many different priorities.
    pub(super) fn new((model, rules, id): (&NetworkModel, &Rules, u32), stream: Stream, levels: usize) -> Self {
        let of_station = &rules.stations[id as usize];
        Self {
            stream,
            simple: rules.is_simple(id),
            balks: !of_station.balking.is_empty(),
            impatient: rules.has_patience(id),
            servers: if of_station.infinite { u64::MAX } else { model.servers(id).into() },
            capacity: model.capacity(id).into(),
            accounts: (0..rules.classes()).map(|_| ClassAccounts::new(model.warmup())).collect(),
            waiting: match of_station.groups.is_empty() {
                true if rules.ranks_of(id).is_some() => Line::of_classes(rules.classes()),
                true => Line::new(of_station.order, levels),
                // Behind the classes those that are interrupted, by their group.
                false if of_station.has_failing_groups() => {
                    Line::of_classes(rules.classes() + of_station.groups.len() as u32)
                }
                false => Line::of_classes(rules.classes()),
            },
            serving: Serving::new(of_station.waits_until_the_end()),
            aside: 0,
            coming: 0,
            away: 0,
            arrivals: 0,
            services: 0,
            departures: 0,
            completed: 0,
            extensions: None,
        }
    }

    /// Servers that serve, or hold a token.
    pub(super) fn taken(&self) -> u64 {
        (self.serving.len() + self.blocked.len()) as u64
    }

    /// Tokens here.
    pub(super) fn present(&self) -> u64 {
        (self.waiting.len() + self.outside.len()) as u64 + self.aside + self.taken()
    }

    /// How many servers are at work.
    #[inline]
    pub(super) fn servers(&self) -> u64 {
        self.servers
    }

    /// There are so many from now on, in groups.
    pub(super) fn set_servers(&mut self, servers: u64) {
        self.servers = servers;
    }

    /// Counts them, where the shift or what is in order has changed.
    pub(super) fn count_servers(&mut self) {
        let of_shift = &self.in_order[..self.in_order.len().min(self.on_duty as usize)];
        let down = of_shift.iter().filter(|in_order| !**in_order).count();
        self.servers = u64::from(self.on_duty) - down as u64;
    }

    /// Begins to count how long servers are out of order, at the end of the warm-up.
    pub(super) fn count_downtime_from(&mut self, warmup: Time) {
        self.downtime_until = warmup;
    }

    /// Counts how long servers have been out of order, up to now: before one fails, is repaired, takes or leaves a token.
    #[inline]
    pub(super) fn count_downtime(&mut self, now: Time) {
        if self.in_order.is_empty() || now <= self.downtime_until || !self.groups.is_empty() {
            return;
        }
        let in_use = self.servers().max(self.taken().min(self.on_duty.into()));
        self.adds_downtime(now, u64::from(self.on_duty) - in_use);
    }

    /// So many servers have been out of order since the last time, up to now.
    pub(super) fn adds_downtime(&mut self, now: Time, down: u64) {
        if now > self.downtime_until {
            self.down += u128::from(now.ticks() - self.downtime_until.ticks()) * u128::from(down);
            self.downtime_until = now;
        }
    }

    /// How long servers were out of order and held no token, together, in ticks.
    pub(super) fn down(&self) -> u128 {
        self.down
    }

    /// Counts how long servers have set up or been away since the warm-up, up to now: before one goes or comes back.
    pub(super) fn count_absences(&mut self, warmup: Time, now: Time) {
        let since = self.absence_until.max(warmup);
        if now > since {
            self.absent += u128::from(now.ticks() - since.ticks()) * u128::from(self.away);
        }
        self.absence_until = now;
    }

    /// How long servers set up or were away, together, in ticks.
    pub(super) fn absent(&self) -> u128 {
        self.absent
    }

    /// Whether there is no room at all for one more.
    pub(super) fn is_full(&self) -> bool {
        self.present() + self.coming >= self.capacity
    }

    /// Servers that neither serve nor set up nor are away.
    pub(super) fn free_servers(&self) -> u64 {
        self.servers().saturating_sub(self.taken() + self.away)
    }

    pub(super) fn has_free_server(&self) -> bool {
        self.free_servers() > 0
    }

    /// Keeps room for a token of a class that is on its way here.
    pub(super) fn keep_room(&mut self, class: u32) {
        self.coming += 1;
        *self.coming_of.entry(class).or_default() += 1;
    }

    /// The room that was kept for one is free, or its own.
    pub(super) fn end_keeping(&mut self, class: u32) {
        self.coming -= 1;
        *self.coming_of.entry(class).or_default() -= 1;
    }

    /// Whether there is no room for one more of a class, of so many.
    pub(super) fn is_full_of(&self, class: u32, capacity: u32) -> bool {
        self.tokens_of(class) >= u64::from(capacity)
    }

    /// Tokens of a class here, and on their way here with reserved room.
    pub(super) fn tokens_of(&self, class: u32) -> u64 {
        let coming = self.coming_of.get(&class).copied().unwrap_or(0);
        self.accounts[class as usize].accounts.present() + coming
    }

    /// Takes the token that is served next out of the queue.
    #[inline]
    pub(super) fn next(&mut self) -> Option<u32> {
        if self.waiting.is_empty() {
            return None;
        }
        let stream = &mut self.stream;
        self.waiting.take_drawn(|count| (u64::from(stream.draw()) * count) >> 32)
    }

    /// Whom a token interrupts that would be served with this rank.
    pub(super) fn interrupted(&self, preemption: Preemption, rank: Rank) -> Option<Rank> {
        let interrupts = |last: &Rank| match preemption {
            Preemption::Never => false,
            Preemption::OfLower => rank.0 < last.0,
            Preemption::OfAll => rank < *last,
        };
        self.serving.last().map(|(last, _)| last).filter(interrupts)
    }
}

impl ClassAccounts {
    fn new(warmup: Time) -> Self {
        Self {
            accounts: Accounts::new(warmup),
            balked: 0,
            reneged: 0,
            patience: 0,
            preemptions: 0,
            blocked: 0,
            stopped: 0,
            joining: 0,
            joins: 0,
            joined: 0,
            abandoned: 0,
        }
    }

    /// The record at `clock`, without what is in service and in the queue.
    pub(super) fn record(&self, clock: Time) -> ClassRecord {
        let record = self.accounts.record(clock);
        let &Self {
            balked, reneged, patience, preemptions, blocked, stopped, joining, joins, joined, abandoned, ..
        } = self;
        ClassRecord {
            record,
            balked,
            reneged,
            patience,
            preemptions,
            blocked,
            stopped,
            joining,
            joins,
            joined,
            abandoned,
        }
    }
}
