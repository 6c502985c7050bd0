//! Rules that few stations have.

use std::ops::Deref;

use super::groups::GroupRules;
use super::rules::{KitPart, Need, Rules, StationRules};
use super::time_factors::FactorSchedule;
use crate::describe::{ShiftSchedule, Standby};
use tickless_core::random::EffectiveLaw;

/// Properties of few stations, read as fields of [`StationRules`].
#[derive(Clone, Debug, PartialEq)]
pub struct FurtherRules {
    /// How many of the 2³² draws balk, by the number present; empty where no token balks.
    pub(crate) balking: Vec<u64>,
    /// A station, beyond the stations a sink, or [`Rules::LOST`].
    pub(crate) balks_to: u32,
    /// Like `balks_to`.
    pub(crate) reneges_to: u32,
    /// Like `balks_to`.
    pub(crate) full_to: u32,
    /// Servers that come when many wait.
    pub(crate) standby: Option<Standby>,
    /// How long these take to come, if they do.
    pub(crate) standby_start: Option<EffectiveLaw>,
    /// Whether patience by an attribute counts from the source.
    pub(crate) patience_from_source: bool,
    /// The attribute by which it orders, if it does.
    pub(crate) order_by: u32,
    /// The attribute by which tokens take their routes, if they do.
    pub(crate) route_by: u32,
    pub(crate) shift_schedule: Option<ShiftSchedule>,
    /// How many times as long services take, by the time at which they begin.
    pub(crate) time_factors: Option<FactorSchedule>,
    /// Empty where all servers are alike.
    pub(crate) groups: Vec<GroupRules>,
    /// The speed of each service by the number present, from 1 on, in units of 2⁻³²; empty where it is always 1.
    #[doc(hidden)]
    pub speeds: Vec<u64>,
    /// By class, in units of 1 / [`WEIGHT`]; empty where all share alike.
    pub(crate) weights: Vec<u64>,
    /// How long a server works, and how long it is out of order.
    pub(crate) failures: Option<[EffectiveLaw; 2]>,
    /// Whether only service counts toward a failure.
    pub(crate) by_use: bool,
    /// How long a server that has been idle sets up.
    pub(crate) setup: Option<EffectiveLaw>,
    /// Whether set-ups for which no token waits any longer are called off.
    pub(crate) calls_off: bool,
    /// How long an idle server stays set up.
    pub(crate) off_after: Option<EffectiveLaw>,
    /// How long a server without waiting tokens goes away.
    pub(crate) vacation: Option<EffectiveLaw>,
    /// The units that a token takes before its first service here, of all alternatives, in the order of the resources.
    pub(crate) seizes: Vec<Need>,
    /// The alternatives, of which a token takes the first that is all there; empty where it takes all of `seizes`, and holds them.
    pub(crate) alternatives: Vec<Vec<Need>>,
    /// What of `seizes` is used up.
    pub(crate) uses: Vec<Need>,
    /// Units that a token brings when it leaves, as far as there is room.
    pub(crate) delivers: Vec<Need>,
    /// Whether it takes them before it joins the line, and not when the service begins.
    pub(crate) seizes_early: bool,
    /// Whether a token whose service is interrupted gives back what it has seized here: some of it is of a preemptive resource. Such a station is
    /// preemptive, and seizes at the service.
    pub(crate) loses_units: bool,
    /// The units that it gives back when it leaves, as far as it holds them.
    pub(crate) releases: Vec<Need>,
    /// The classes of which so many tokens are put together here, in the order of the file; empty where none are.
    pub(crate) kit: Vec<KitPart>,
    /// The upper bounds of the draws for 1, 2, ... tokens that leave in place of one; empty where it is always one.
    pub(crate) splits: Vec<u64>,
}

impl FurtherRules {
    /// For a station without such properties.
    pub(crate) const NOTHING: Self = Self {
        balking: vec![],
        balks_to: Rules::LOST,
        reneges_to: Rules::LOST,
        full_to: Rules::LOST,
        standby: None,
        standby_start: None,
        patience_from_source: false,
        order_by: 0,
        route_by: 0,
        shift_schedule: None,
        time_factors: None,
        groups: vec![],
        speeds: vec![],
        weights: vec![],
        failures: None,
        by_use: false,
        setup: None,
        calls_off: false,
        off_after: None,
        vacation: None,
        seizes: vec![],
        alternatives: vec![],
        uses: vec![],
        delivers: vec![],
        seizes_early: false,
        loses_units: false,
        releases: vec![],
        kit: vec![],
        splits: vec![],
    };
}

impl Deref for StationRules {
    type Target = FurtherRules;

    #[inline]
    fn deref(&self) -> &FurtherRules {
        const NOTHING: &FurtherRules = &FurtherRules::NOTHING;
        self.further.as_deref().unwrap_or(NOTHING)
    }
}
