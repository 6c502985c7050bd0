//! Costs in files.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::{Costs, UnitCosts};

/// What tokens and servers cost; nothing where nothing is written. Below 0 it is a reward.
#[derive(Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[schemars(rename = "Costs")]
pub(super) struct CostEntry {
    /// A token that is there and not in service, a time unit.
    #[schemars(extend("examples" = [2]))]
    waiting: f64,
    /// A token that was served.
    #[schemars(extend("examples" = [-5]))]
    served: f64,
    /// A token that found no room.
    #[schemars(extend("examples" = [20]))]
    lost: f64,
    /// A token that did not join.
    #[schemars(extend("examples" = [4]))]
    balked: f64,
    /// A token that lost its patience.
    #[schemars(extend("examples" = [8]))]
    reneged: f64,
    /// A server on duty, a time unit; not of a class.
    #[schemars(extend("examples" = [30]))]
    server: f64,
}

impl Default for CostEntry {
    fn default() -> Self {
        let Costs { waiting, served, lost, balked, reneged, server } = Costs::default();
        Self { waiting, served, lost, balked, reneged, server }
    }
}

impl From<CostEntry> for Costs {
    fn from(CostEntry { waiting, served, lost, balked, reneged, server }: CostEntry) -> Self {
        Self { waiting, served, lost, balked, reneged, server }
    }
}

/// What units of a resource cost; nothing where nothing is written.
#[derive(Clone, Copy, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[schemars(rename = "UnitCosts")]
pub(super) struct UnitCostEntry {
    /// A unit that a token holds, or that is on hand of a stock, a time unit.
    #[schemars(extend("examples" = [2]))]
    held: f64,
    /// A unit that there is, held or not, a time unit.
    #[schemars(extend("examples" = [1]))]
    unit: f64,
}

impl From<UnitCostEntry> for UnitCosts {
    fn from(UnitCostEntry { held, unit }: UnitCostEntry) -> Self {
        Self { held, unit }
    }
}

#[cfg(test)]
mod tests {
    use super::super::places::said_of;
    use crate::{Class, ClassOfStation, Costs, Network, Station};

    const TEXT: &str = "[[class]]
name = 'all'
[[station]]
name = 'a'
service = 'constant:1'
tokens = 1
cost = { waiting = 2, served = -1.5, lost = 3, balked = 4, reneged = 5, server = 6 }
[[station.class]]
name = 'all'
cost = { served = 7 }
[[route]]
from = 'a'
to = 'a'
";

    #[test]
    fn costs_are_read() {
        let mut network = Network::new();
        let all = network.class(Class::new("all"));
        let costs = Costs { waiting: 2.0, served: -1.5, lost: 3.0, balked: 4.0, reneged: 5.0, server: 6.0 };
        let own = Costs { served: 7.0, ..Costs::default() };
        let station = Station::new("a", "constant:1".parse().unwrap()).tokens(1).costs(costs);
        let a = network.station(station.class(ClassOfStation::new(all).costs(own)));
        network.route(a, a, 1.0, 0.0);
        assert_eq!(Network::from_toml(TEXT).unwrap().check().unwrap(), network.check().unwrap());
        // Costs alone do not make a network of classes.
        let plain = TEXT.replace("[[class]]\nname = 'all'\n", "");
        let plain = plain.replace("[[station.class]]\nname = 'all'\ncost = { served = 7 }\n", "");
        let model = Network::from_toml(&plain).unwrap().check().unwrap();
        assert!(model.has_costs() && model.classes().is_empty());
    }

    #[test]
    fn faults_name_their_line() {
        for (from, to, line, part) in [
            ("waiting = 2", "wait = 2", 7, "there is no key `wait` here; it may be one of `waiting`, "),
            ("waiting = 2", "waiting = 'x'", 7, "`waiting` is 'x'; it must be"),
            (
                "cost = { waiting = 2, served = -1.5, lost = 3, balked = 4, reneged = 5, server = 6 }",
                "cost = 3",
                7,
                "`cost` is 3",
            ),
        ] {
            let text = TEXT.replacen(from, to, 1);
            let error = Network::from_toml(&text).expect_err(to);
            assert!(error.line == line && error.fault.contains(part), "{error} for {to}");
        }
        for (from, to, part) in [
            ("waiting = 2", "waiting = inf", "the cost of a token that waits is inf; it must be from -1e12 to 1e12"),
            ("served = 7", "server = 7", "the cost of a server is 7; it must be 0 of a class"),
            (
                "tokens = 1",
                "servers = 'infinite'",
                "the cost of a server is 6; it must be 0, as there are infinitely many",
            ),
        ] {
            let text = TEXT.replacen(from, to, 1);
            let (at, said) = said_of(&text, &Network::from_toml(&text).expect(to).check().expect_err(to));
            assert!(at == Some(7) && said.contains(part), "{at:?} {said} for {to}");
        }
    }
}
