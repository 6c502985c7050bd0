//! What a network may have that ranks or approximate time refuse: whatever is local to a station, its sources and the tokens there goes over
//! ranks, and what has a rule for its times goes in approximate time.

use crate::describe::{Network, Observed, Order, Routing, Source};
use crate::model::time_factors::FactorSchedule;
use crate::model::{Preemption, Rules, StationRules, VisitRules};

use Verdict::{No, Yes};

/// Whether a network with a feature can run so, perhaps on a condition, or why it cannot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    Yes(&'static str),
    No(&'static str),
}

/// Something that a network may have.
pub(super) struct Feature {
    /// As messages and documents call it.
    pub(super) name: &'static str,
    /// Where a network has it.
    has: Has,
    /// Whether one run of a network that has it goes over ranks.
    pub(super) ranks: Verdict,
    /// Whether such a network runs in approximate time.
    pub(super) approximate: Verdict,
}

/// Who may have a feature.
enum Has {
    Network(fn(&Network) -> bool),
    Station(fn(&StationRules) -> bool),
    /// A class at a station.
    Visit(fn(&VisitRules) -> bool),
}

/// A feature that goes over ranks and in approximate time.
const fn everywhere(name: &'static str, has: Has) -> Feature {
    Feature { name, has, ranks: Yes(""), approximate: Yes("") }
}

/// At a station where nobody knows when a token leaves before it does.
const LATE: Verdict = Yes("if routes to other ranks have delays");
const TIMES: Verdict = No("it has times of its own, which no rule rounds");
const LEFT: Verdict = No("what is left of a service is no time that a rule rounds");
const UNWRITTEN: Verdict = No("no rule is written for it yet");
const INSTANT: Verdict = No("no rule says which of several events of an instant comes first");

pub(super) const FEATURES: &[Feature] = &[
    everywhere(
        "classes, their priorities, laws, tokens, routes and changes",
        Has::Network(|net| !net.classes.is_empty()),
    ),
    everywhere(
        "`rates`, `phases`, `trace` and `batch` of sources",
        Has::Network(|network| {
            let varies = |source: &Source| source.rates.is_some() || source.phases.is_some() || source.trace.is_some();
            network.sources.iter().any(|source| varies(source) || !source.batch.is_empty())
        }),
    ),
    everywhere(
        "the disciplines `lcfs` and `siro`",
        Has::Station(|of| matches!(of.order, Order::LastCome | Order::Random) && of.preemption == Preemption::Never),
    ),
    everywhere("infinite servers", Has::Station(|of| of.infinite)),
    everywhere("`balking` out of the network", Has::Station(|of| !of.balking.is_empty() && of.balks_to == Rules::LOST)),
    Feature { name: "`patience`", has: Has::Visit(VisitRules::is_impatient), ranks: Yes(""), approximate: TIMES },
    Feature {
        name: "`balks_to`, `reneges_to` and `full_to`",
        has: Has::Station(|of| [of.balks_to, of.reneges_to, of.full_to].iter().any(|to| *to != Rules::LOST)),
        ranks: Yes("if both stations are on one rank"),
        approximate: INSTANT,
    },
    Feature {
        name: "`shifts`",
        has: Has::Station(|of| of.shift_schedule.is_some()),
        ranks: Yes("if routes to other ranks have delays where the end of a shift interrupts"),
        approximate: TIMES,
    },
    Feature {
        name: "groups of servers (`[[station.servers]]`)",
        has: Has::Station(|of| !of.groups.is_empty()),
        ranks: No("ranks do not gather what groups do"),
        approximate: UNWRITTEN,
    },
    Feature { name: "`failures`", has: Has::Station(|of| of.has_failures()), ranks: LATE, approximate: TIMES },
    Feature {
        name: "`setup`, `vacation` and `standby`",
        has: Has::Station(StationRules::has_absences),
        ranks: LATE,
        approximate: TIMES,
    },
    Feature {
        name: "`time_factors`",
        has: Has::Station(|of| of.time_factors.as_ref().is_some_and(|factors| !factors.is_zero())),
        ranks: No("the shortest service, by which ranks look ahead, is not that of the law"),
        approximate: UNWRITTEN,
    },
    Feature {
        name: "services that take no time (`service = \"zero\"`)",
        has: Has::Station(|of| of.time_factors.as_ref().is_some_and(FactorSchedule::is_zero)),
        ranks: No("ranks look ahead by the shortest service, and there is none"),
        approximate: UNWRITTEN,
    },
    Feature {
        name: "the disciplines `sjf`, `psjf` and `srpt`",
        has: Has::Station(|of| of.order.knows_services()),
        ranks: LATE,
        approximate: No("it serves by exact times"),
    },
    Feature {
        name: "attributes of tokens (`[[attribute]]`)",
        has: Has::Network(|network| !network.attributes.is_empty()),
        ranks: No("ranks do not tell each other what tokens carry"),
        approximate: UNWRITTEN,
    },
    Feature {
        name: "the discipline `ps`",
        has: Has::Station(|of| of.order == Order::Sharing),
        ranks: LATE,
        approximate: LEFT,
    },
    Feature {
        name: "preemption (`preemptive`, `lcfs-preemptive`, `psjf`, `srpt`)",
        has: Has::Station(|of| of.preemption != Preemption::Never),
        ranks: LATE,
        approximate: LEFT,
    },
    Feature { name: "`speeds`", has: Has::Station(|of| !of.speeds.is_empty()), ranks: LATE, approximate: LEFT },
    Feature {
        name: "`capacity` by class",
        has: Has::Visit(|visit| visit.capacity < u32::MAX),
        ranks: LATE,
        approximate: UNWRITTEN,
    },
    Feature {
        name: "the routing `round-robin`",
        has: Has::Station(|of| of.routing == Routing::RoundRobin),
        ranks: LATE,
        approximate: UNWRITTEN,
    },
    Feature {
        name: "a routing by what others do (`shortest-queue`, `shortest-line`, `fewest-waiting`, `shortest-of`, `shortest-of-class`, `shortest-response`, `least-work`, `first-free`)",
        has: Has::Station(|of| of.routing.counts() || of.routing == Routing::FirstFree),
        ranks: No("a token looks at other stations when it leaves"),
        approximate: INSTANT,
    },
    Feature {
        name: "a choice of sources (several stations in `to`)",
        has: Has::Network(|network| network.sources.iter().any(|source| source.choice.is_some())),
        ranks: No("a source is where its station is"),
        approximate: UNWRITTEN,
    },
    Feature {
        name: "the routing `by-visit`",
        has: Has::Station(|of| of.routing == Routing::ByVisit),
        ranks: No("no message says how often a token has been at each station"),
        approximate: UNWRITTEN,
    },
    Feature {
        name: "blocking (`full`)",
        has: Has::Station(|of| of.blocks),
        ranks: No("stations know in the same instant that there is room at another one"),
        approximate: INSTANT,
    },
    Feature {
        name: "resources (`seizes`, `uses`, `delivers`, `releases`)",
        has: Has::Station(|of| !(of.seizes.is_empty() && of.releases.is_empty() && of.delivers.is_empty())),
        ranks: No("units go from one station to any other in the same instant"),
        approximate: INSTANT,
    },
    Feature {
        name: "copies (`fork`, `splits`, `joins`)",
        has: Has::Station(|of| of.splits_tokens() || of.joins),
        ranks: No("siblings know of each other in the same instant, wherever they are"),
        approximate: INSTANT,
    },
    Feature {
        name: "kits (`kit`)",
        has: Has::Station(|of| !of.kit.is_empty()),
        ranks: No("ranks do not gather how many tokens are put together"),
        approximate: INSTANT,
    },
    Feature {
        name: "distributions",
        has: Has::Network(|network| network.distributions != Observed::Nothing),
        ranks: No("ranks do not gather them"),
        approximate: Yes(""),
    },
    Feature {
        name: "`targets`",
        has: Has::Network(|network| network.targets().next().is_some()),
        ranks: No("ranks do not gather them"),
        approximate: Yes(""),
    },
    Feature {
        name: "a series (`series_step`, `--series`)",
        has: Has::Network(|network| network.series_step.is_some()),
        ranks: No("ranks do not gather it"),
        approximate: Yes(""),
    },
    Feature {
        name: "figures by the hour (`fold`)",
        has: Has::Network(|network| network.fold.is_some()),
        ranks: No("ranks do not gather them"),
        approximate: Yes(""),
    },
    Feature {
        name: "approximate time",
        has: Has::Network(|network| network.approximate.is_some()),
        ranks: No("ranks do not tell original times"),
        approximate: Yes(""),
    },
];

impl Feature {
    /// Where a network has it, as messages say that behind its name.
    pub(super) fn place(&self, network: &Network, rules: &Rules) -> Option<String> {
        let classes = rules.names.len();
        let station = match self.has {
            Has::Network(has) => return has(network).then(String::new),
            Has::Station(has) => rules.stations.iter().position(has),
            Has::Visit(has) => rules.visits.iter().position(has).map(|place| place / classes),
        };
        station.map(|station| format!(" at station '{}'", network.stations[station].name))
    }

    /// The first that a network has and one of the verdicts refuses, with its place and why.
    fn refused(network: &Network, rules: &Rules, verdict: fn(&Self) -> Verdict) -> Option<String> {
        FEATURES.iter().find_map(|feature| match verdict(feature) {
            Yes(_) => None,
            No(why) => feature.place(network, rules).map(|place| format!("{}{place}, as {why}", feature.name)),
        })
    }
}

/// The first feature of a network that goes over no ranks, and why.
pub(super) fn not_over_ranks(network: &Network, rules: &Rules) -> Option<String> {
    Feature::refused(network, rules, |feature| feature.ranks)
}

/// The first feature of a network that approximate time refuses, and why.
pub(super) fn not_approximate(network: &Network, rules: &Rules) -> Option<String> {
    Feature::refused(network, rules, |feature| feature.approximate)
}
