//! The optional features that a network uses: features that it does not use cost no code and no memory.

use super::layout::MOST_PLACES;
use crate::NetworkModel;
use crate::describe::Order;
use crate::describe::Routing;
use crate::model::{ResourceRules, Rules, SourceRules, StationRules, VisitRules};
use tickless_core::time::Time;
use tickless_kernels::Mounts;

/// Whether working servers times the speed may pass 64 bits, where all tokens share the servers.
fn is_fast(model: &NetworkModel, (id, station): (u32, &StationRules)) -> bool {
    let fastest = station.speeds.iter().max().filter(|_| station.order == Order::Sharing);
    u128::from(model.servers(id).min(MOST_PLACES)) * u128::from(fastest.copied().unwrap_or(0)) > 1 << 63
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) struct Features {
    /// Sources that send several tokens at a time.
    pub(super) batches: bool,
    /// Sources whose rate changes.
    pub(super) rates: bool,
    /// Sources with phases, or a trace.
    pub(super) varied: bool,
    /// Sources that choose among stations.
    pub(super) choices: bool,
    /// Routes in turn, to the shortest queue, and the like.
    pub(super) routing: bool,
    /// Places for tokens that find no room.
    pub(super) overflows: bool,
    /// Tokens of each class at a station, for its room, its work or their number.
    pub(super) class_counts: bool,
    /// Shifts, failures or absences.
    pub(super) changes: bool,
    /// Set-up times or vacations.
    pub(super) absences: bool,
    /// Idle servers that stay set up for a while.
    pub(super) idle: bool,
    /// Servers on standby.
    pub(super) standby: bool,
    /// Groups of servers.
    pub(super) groups: bool,
    /// Servers that serve several tokens at once.
    pub(super) bulks: bool,
    /// Servers that walk from class to class, also where nobody waits.
    pub(super) walks: bool,
    /// Groups whose servers fail.
    pub(super) breakdowns: bool,
    /// Groups that take the first of several classes: who has come earlier is looked up.
    pub(super) in_line: bool,
    /// Patience that ends amid services.
    pub(super) deadlines: bool,
    /// What tokens carry.
    pub(super) attributes: bool,
    /// Services that take longer at some times.
    pub(super) time_factors: bool,
    /// Failures by use.
    pub(super) wear: bool,
    pub(super) blocking: bool,
    /// Services that need room behind them.
    pub(super) stops: bool,
    /// Tokens that change places where they wait for each other's room.
    pub(super) exchanges: bool,
    /// Services that are repeated for lack of room.
    pub(super) repeats: bool,
    /// Stations that serve in random order.
    pub(super) random: bool,
    /// Stations whose tokens share all servers.
    pub(super) sharing: bool,
    /// Speeds, or weights of tokens that share servers.
    pub(super) paced: bool,
    /// Shared servers so many and so fast that their work in a tick passes 64 bits.
    pub(super) fast: bool,
    /// Units of resources.
    pub(super) units: bool,
    /// Units that come and go.
    pub(super) unit_changes: bool,
    /// Tokens that wait for units and interrupt services.
    pub(super) preemption: bool,
    /// Tokens that split, or are put together.
    pub(super) forks: bool,
    /// Tokens that are put together in kits.
    pub(super) kits: bool,
    /// Numbers over time.
    pub(super) series: bool,
    /// Figures by the bin of a period.
    pub(super) fold: bool,
    /// Distributions.
    pub(super) histograms: bool,
    /// Targets.
    pub(super) targets: bool,
    /// Tokens that do not join a long line, or leave it.
    pub(super) impatience: bool,
    /// Services that are interrupted, by whatever.
    pub(super) interruptions: bool,
    /// Stations that serve the last to come first, or the shortest job.
    pub(super) orders: bool,
    /// Ways that take time.
    pub(super) delays: bool,
    /// Tokens at time 0.
    pub(super) first_tokens: bool,
    /// Decisions during a run.
    pub(super) control: bool,
}

impl Features {
    pub(in super::super) fn of(model: &NetworkModel, rules: &Rules) -> Self {
        let sources = |has: fn(&SourceRules) -> bool| rules.sources.iter().any(has);
        let stations = |has: fn(&StationRules) -> bool| rules.stations.iter().any(has);
        let absences = stations(StationRules::has_absences);
        let stops = stations(|station| station.before);
        Self {
            batches: sources(|source| !source.batch.is_empty() || source.trace.is_some()),
            rates: sources(|source| source.intensity.is_some()),
            varied: sources(|source| source.phases.is_some() || source.trace.is_some()),
            choices: sources(|source| source.choice.is_some()),
            routing: stations(|station| station.routing != Routing::Random),
            overflows: stations(|station| station.full_to != Rules::LOST),
            class_counts: rules.counts_classes(),
            changes: rules.control.is_some()
                || absences
                || rules.resources.iter().any(ResourceRules::changes)
                || stations(|of| {
                    of.shift_schedule.is_some() || of.has_failures() || of.has_shifts_of_groups() || of.has_walks()
                }),
            idle: stations(|station| station.off_after.is_some()),
            standby: stations(|station| station.standby.is_some()),
            groups: stations(|station| !station.groups.is_empty()),
            bulks: stations(StationRules::has_bulks),
            walks: stations(StationRules::has_walks),
            breakdowns: stations(StationRules::has_failing_groups),
            in_line: stations(|of| of.groups.iter().any(|group| group.first_in_line && group.serves.len() > 1)),
            absences,
            deadlines: stations(|station| station.patience_runs_on),
            attributes: !rules.attributes.is_empty(),
            time_factors: stations(|station| station.time_factors.is_some()),
            wear: stations(|station| station.by_use),
            blocking: stations(|station| station.blocks),
            stops,
            exchanges: stations(|station| station.exchanges),
            repeats: stations(|station| station.repeats.is_some()),
            random: stations(|station| station.order == Order::Random),
            sharing: stations(|station| station.order == Order::Sharing),
            paced: stations(|station| !station.speeds.is_empty() || !station.weights.is_empty()),
            fast: (0..).zip(&rules.stations).any(|station| is_fast(model, station)),
            units: rules.has_resources(),
            preemption: stations(StationRules::pushes),
            unit_changes: rules.resources.iter().any(ResourceRules::changes),
            forks: rules.changes_numbers(),
            kits: rules.has_kits(),
            series: model.series_step().is_some(),
            fold: model.folding().is_some(),
            histograms: model.scale().is_some(),
            targets: !model.targets().is_empty(),
            impatience: stations(|station| !station.balking.is_empty())
                || stations(|of| of.groups.iter().any(|group| group.bulk.wait.is_some()))
                || rules.visits.iter().any(VisitRules::is_impatient),
            // A service that stops is interrupted.
            interruptions: stops || stations(StationRules::interrupts),
            orders: stations(|station| !matches!(station.order, Order::FirstCome | Order::Random | Order::Sharing)),
            delays: rules.edges.iter().any(|edge| edge.delay > Time::ZERO),
            first_tokens: model.tokens() > 0,
            control: rules.control.is_some(),
        }
    }

    /// Whether the tokens of every source come one by one, after times of its law.
    pub(in super::super) fn come_by_law(self) -> bool {
        !(self.batches || self.rates || self.varied)
    }

    /// Whether a token needs few words: nobody is put behind another in a line or in a server, so that the event of a service has all that
    /// is known of it.
    pub(super) fn is_lean(self) -> bool {
        let put_back = self.interruptions || self.orders || self.random || self.repeats || self.wear || self.in_line;
        let held = self.blocking || self.stops || self.exchanges || self.units || self.forks;
        !(put_back || held || self.sharing || self.paced || self.attributes || self.deadlines)
    }

    /// Whether stations keep how many servers they have and how many tokens these serve, which else follows from the tokens there.
    pub(super) fn keeps_servers(self) -> bool {
        self.changes || self.groups || !self.is_lean()
    }

    /// What kernels look at, as constants: code for the rest falls away. In software, where a kernel takes seconds to compile, few kernels
    /// are worth more than short ones.
    pub(super) fn constants(self, in_software: bool) -> String {
        let is_full = !self.is_lean() && in_software;
        let constants = [
            ("IS_LEAN", self.is_lean()),
            ("KEEPS_SERVERS", self.keeps_servers()),
            ("HAS_INTERRUPTIONS", self.interruptions || is_full),
            ("HAS_ORDERS", self.orders || is_full),
            ("HAS_IMPATIENCE", self.impatience || is_full),
            ("HAS_OVERFLOW", self.overflows),
            ("HAS_LOADS", self.class_counts || in_software),
            ("HAS_DELAYS", self.delays || in_software),
            ("HAS_FIRST_TOKENS", self.first_tokens || in_software),
            ("IS_CONTROLLED", self.control),
        ];
        constants.iter().map(|(name, is_so)| format!("const {name}: bool = {is_so};\n")).collect()
    }

    /// The module of the tokens of sources.
    pub(in super::super) fn intervals(self) -> &'static str {
        match self {
            Self { varied: true, .. } => "multiclass/sources/intervals_varied",
            Self { rates: true, .. } => "multiclass/sources/intervals_by_rate",
            _ => "multiclass/sources/intervals_by_law",
        }
    }

    /// The modules of these features.
    pub(super) fn mounts(self) -> Mounts {
        let times =
            if self.histograms { "multiclass/statistics/histograms" } else { "multiclass/statistics/targets_alone" };
        let choices = [
            ("batches", self.batches, ["multiclass/sources/batch_of_one", "multiclass/sources/batches"]),
            (
                "class_counts",
                self.class_counts,
                ["multiclass/routes/no_class_counts", "multiclass/routes/class_counts"],
            ),
            ("goals", self.choices, ["multiclass/sources/one_goal", "multiclass/sources/goals_chosen"]),
            ("ways", self.routing, ["multiclass/routes/ways_by_chance", "multiclass/routes/ways_chosen"]),
            ("server_schedule", self.changes, ["multiclass/servers/steady", "multiclass/servers/changing"]),
            ("absences", self.absences, ["multiclass/servers/no_absences", "multiclass/servers/absences"]),
            ("idle", self.idle, ["multiclass/servers/never_idle", "multiclass/servers/idle"]),
            ("standby", self.standby, ["multiclass/servers/no_standby", "multiclass/servers/standby"]),
            ("line_order", self.random, ["multiclass/queues/known_order", "multiclass/queues/random_order"]),
            ("series", self.series, ["multiclass/statistics/no_series", "multiclass/statistics/series"]),
            ("fold", self.fold, ["multiclass/statistics/no_fold", "multiclass/statistics/fold"]),
            ("histograms", self.histograms || self.targets, ["multiclass/statistics/no_histograms", times]),
            ("units", self.units, ["multiclass/resources/no_units", "multiclass/resources/units"]),
            (
                "unit_changes",
                self.unit_changes,
                ["multiclass/resources/no_unit_changes", "multiclass/resources/unit_changes"],
            ),
            ("preemption", self.preemption, ["multiclass/resources/no_preemption", "multiclass/resources/preemption"]),
            ("forks", self.forks, ["multiclass/forks/no_forks", "multiclass/forks/forks"]),
            ("aside", self.forks, ["multiclass/forks/none_aside", "multiclass/forks/aside"]),
            ("joining", self.kits, ["multiclass/forks/joins", "multiclass/forks/kits"]),
            ("groups", self.groups, ["multiclass/servers/no_groups", "multiclass/servers/groups"]),
            ("bulks", self.bulks, ["multiclass/servers/no_bulks", "multiclass/servers/bulks"]),
            ("breakdowns", self.breakdowns, ["multiclass/servers/no_breakdowns", "multiclass/servers/breakdowns"]),
            ("walks", self.walks, ["multiclass/servers/no_walks", "multiclass/servers/walks"]),
            ("deadlines", self.deadlines, ["multiclass/stations/no_deadlines", "multiclass/stations/deadlines"]),
            (
                "attributes",
                self.attributes,
                ["multiclass/attributes/no_attributes", "multiclass/attributes/attributes"],
            ),
            (
                "time_factors",
                self.time_factors,
                ["multiclass/stations/no_time_factors", "multiclass/stations/time_factors"],
            ),
            ("wear", self.wear, ["multiclass/servers/no_wear", "multiclass/servers/wear"]),
            ("full", self.blocking, ["multiclass/blocking/full_lost", "multiclass/blocking/full_blocks"]),
            ("stops", self.stops, ["multiclass/blocking/no_stops", "multiclass/blocking/stops"]),
            ("stopped", self.paced, ["multiclass/blocking/stopped_by_event", "multiclass/blocking/stopped_by_clock"]),
            (
                "circles",
                self.units && self.exchanges,
                ["multiclass/blocking/full_blocks", "multiclass/blocking/exchanges_units"],
            ),
            ("exchanges", self.exchanges, ["multiclass/blocking/no_exchanges", "multiclass/blocking/exchanges"]),
            ("pace", self.fast, ["multiclass/sharing/pace", "multiclass/sharing/pace_fast"]),
            ("repeats", self.repeats, ["multiclass/blocking/no_repeats", "multiclass/blocking/repeats"]),
            ("steps", self.control, ["multiclass/control/no_steps", "multiclass/control/steps"]),
            ("decisions", self.control, ["multiclass/control/no_decisions", "multiclass/control/decisions"]),
        ];
        let mount = |mounts: Mounts, (choice, is_used, modules): (_, bool, [_; 2])| {
            mounts.with(choice, modules[usize::from(is_used)])
        };
        let own = Mounts::default()
            .with("source_words", "multiclass/sources/source_words")
            .with("intervals", self.intervals());
        let own = self.of_several().into_iter().fold(own, |mounts, (choice, module)| mounts.with(choice, module));
        choices.into_iter().fold(own, mount)
    }

    /// Modules for combinations of features.
    fn of_several(self) -> [(&'static str, &'static str); 3] {
        let shares = match self {
            Self { paced: true, .. } => "multiclass/sharing/paced",
            Self { sharing: true, .. } => "multiclass/sharing/alike",
            _ => "multiclass/sharing/no_sharing",
        };
        let grants = match self {
            Self { units: true, exchanges: true, .. } => "multiclass/blocking/exchanges_units",
            Self { units: true, .. } => "multiclass/resources/units",
            _ => "multiclass/resources/no_units",
        };
        let rooms = match self {
            Self { stops: true, forks: true, .. } => "multiclass/blocking/stops_forks",
            Self { stops: true, .. } => "multiclass/blocking/stops",
            _ => "multiclass/blocking/no_stops",
        };
        [("shares", shares), ("grants", grants), ("rooms", rooms)]
    }
}
