//! Classes, disciplines and patience in files.

use std::collections::HashMap;

use schemars::JsonSchema;
use serde::Deserialize;
use toml::Spanned;

use super::attributes::{PatienceUntil, Service};
use super::costs::CostEntry;
use super::durations::Duration;
use super::groups::Servers;
use super::reader::Reader;
use super::servers::Full;
use super::{FileError, StationEntry};
use crate::describe::{Destination, Station, StationId};
use crate::{Class, ClassId, ClassOfStation, Discipline, Repetition, Routing};
use tickless_core::random::ServiceLaw;
use tickless_core::reading::names;

/// A class of tokens.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Class")]
pub(super) struct ClassEntry {
    /// Its name; the first class is that of tokens of which nobody names one.
    #[schemars(with = "String", extend("examples" = ["urgent"]))]
    name: Spanned<String>,
    /// At every station; the lowest number is served first.
    #[serde(default)]
    #[schemars(extend("examples" = [1]))]
    priority: u32,
    /// The share of its tokens from sources that were in the network no longer than each of these times is counted at every sink, exactly.
    #[serde(default)]
    #[schemars(with = "Vec<Duration>", extend("examples" = [["4 h"]]))]
    targets: Vec<f64>,
}

/// What a class has of its own at a station.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "ClassOfStation")]
pub(super) struct StationClassEntry {
    /// The class.
    #[schemars(with = "String", extend("examples" = ["urgent"]))]
    name: Spanned<String>,
    /// The law of its service times, or an attribute, in place of the station's.
    #[schemars(with = "Option<ServiceLaw>", extend("examples" = ["exponential:8"]))]
    service: Option<Service>,
    /// The law of its patience, in place of the station's.
    #[schemars(extend("examples" = ["exponential:15"]))]
    patience: Option<ServiceLaw>,
    /// At time 0, beside the station's own, which are of the first class.
    #[serde(default)]
    #[schemars(extend("examples" = [2]))]
    tokens: u32,
    /// Of its tokens, in place of the station's, without `server`.
    cost: Option<CostEntry>,
    /// With `ps` and one server: its share of the server by those of all tokens there, from 2^-10 to 2^10.
    #[schemars(extend("default" = 1, "examples" = [4]))]
    weight: Option<f64>,
    /// For how many of the class there is room, beside the station's own `capacity`; who finds none is lost or waits, as `full` says, but
    /// `"exchanges"` takes none by class. Without it there is no limit by class.
    #[schemars(range(min = 1), extend("examples" = [3]))]
    capacity: Option<u32>,
}

impl StationEntry {
    /// Whether the entry has anything beyond one queue of patient tokens.
    pub(super) fn is_further(&self) -> bool {
        let Self { discipline, reneges_to, balks_to, full_to, routing, patience, balking, .. } = self;
        let Self { shifts, period, shift_end, failures, setup, vacation, speeds, class, .. } = self;
        let texts = [discipline, reneges_to, balks_to, full_to, routing];
        let is_named = texts.iter().any(|text| text.is_some())
            || self.preemptive
            || self.joins
            || self.kit.is_some()
            || self.splits.is_some()
            || self.full.is_some_and(|full| full != Full::Lost);
        let of_time = shifts.is_some() || period.is_some() || shift_end.is_some() || failures.is_some();
        let of_units = self.seizes.is_some()
            || self.seizes_at.is_some()
            || self.releases.is_some()
            || self.uses.is_some()
            || self.delivers.is_some();
        let groups = self.servers.as_ref().is_some_and(|servers| matches!(servers.as_ref(), Servers::Groups(_)));
        let of_servers = setup.is_some()
            || self.setup_called_off
            || self.off_after.is_some()
            || self.standby.is_some()
            || vacation.is_some()
            || groups;
        is_named
            || of_units
            || of_time
            || of_servers
            || speeds.is_some()
            || self.time_factors.is_some()
            || self.time_factors_period.is_some()
            || self.order_by.is_some()
            || self.route_by.is_some()
            || self.patience_from.is_some()
            || self.patience_until == PatienceUntil::End
            || matches!(self.service, Service::Zero | Service::Attribute { .. })
            || !self.targets.is_empty()
            || patience.is_some()
            || balking.is_some()
            || !class.is_empty()
    }
}

impl Reader<'_> {
    /// # Errors
    /// A name that is there twice.
    pub(super) fn classes(&mut self, entries: Vec<ClassEntry>) -> Result<(), FileError> {
        for ClassEntry { name, priority, targets } in entries {
            if self.classes.contains_key(name.as_ref()) {
                return Err(self.fault(&name, format!("the name '{}' is taken already", name.as_ref())));
            }
            let id = self.network.class(Class::new(name.as_ref()).priority(priority).targets(targets));
            self.classes.insert(name.into_inner(), id);
        }
        Ok(())
    }

    /// The class of a name.
    ///
    /// # Errors
    /// A name that no class has.
    pub(super) fn class(&self, name: &Spanned<String>) -> Result<ClassId, FileError> {
        let Self { classes, .. } = self;
        let unknown = |classes: &HashMap<String, ClassId>| match classes.is_empty() {
            true => "the file has no [[class]]".to_owned(),
            false => {
                let mut all: Vec<(&str, ClassId)> = classes.iter().map(|(name, id)| (name.as_str(), *id)).collect();
                all.sort_by_key(|(_, id)| *id);
                names::known(name.as_ref(), all.into_iter().map(|(name, _)| name))
            }
        };
        let found = classes.get(name.as_ref()).copied();
        found.ok_or_else(|| self.fault(name, format!("no class is named '{}': {}", name.as_ref(), unknown(classes))))
    }

    /// Gives stations the parts of their entries beyond one queue.
    ///
    /// # Errors
    /// An unknown name or discipline, a destination to which no token goes.
    pub(super) fn further(&mut self, of: Vec<(StationId, StationEntry)>) -> Result<(), FileError> {
        for (id, entry) in of {
            let place = id.index() as usize;
            // A message about one of its destinations lists all names, its own included.
            let station = self.network.stations[place].clone();
            self.network.stations[place] = self.with(station, entry)?;
        }
        Ok(())
    }

    fn with(&self, mut station: Station, entry: StationEntry) -> Result<Station, FileError> {
        station = self.with_attributes(station, (&entry.name, &entry.service), entry.order_by.as_ref())?;
        if let Some(discipline) = &entry.discipline {
            let parsed = discipline.as_ref().parse::<Discipline>();
            station = station.discipline(parsed.map_err(|fault| self.fault(discipline, fault))?);
        }
        if let Some(routing) = &entry.routing {
            let parsed = routing.as_ref().parse::<Routing>();
            station = station.routing(parsed.map_err(|fault| self.fault(routing, fault))?);
        }
        if let Some(route_by) = &entry.route_by {
            let attribute = self.attribute(route_by.as_ref()).map_err(|fault| self.fault(route_by, fault))?;
            station.further().route_by = Some(attribute);
        }
        station = match entry.full {
            None | Some(Full::Lost) => station,
            Some(Full::Blocks) => station.blocking(),
            Some(Full::BlocksBefore) => station.blocking_before(),
            Some(Full::Exchanges) => station.exchanging(),
            Some(Full::Repeats) => station.repeating(Repetition::SameDestination),
            Some(Full::RepeatsAnew) => station.repeating(Repetition::RandomDestination),
        };
        if entry.joins {
            station = station.joining();
        }
        station = self.with_kit_and_splits(station, (entry.kit, entry.splits))?;
        if entry.preemptive {
            station = station.preemptive();
        }
        let somewhere = |name: &Option<Spanned<String>>| -> Result<Option<Destination>, FileError> {
            name.as_ref().map(|name| self.find(name)).transpose()
        };
        let (reneges_to, balks_to) = (somewhere(&entry.reneges_to)?, somewhere(&entry.balks_to)?);
        let impatient = entry.patience.is_some() || entry.class.iter().any(|class| class.patience.is_some());
        if let Some(name) = entry.reneges_to.as_ref().filter(|_| !impatient) {
            return Err(self.fault(name, "`reneges_to` without `patience`: nobody gives up here".into()));
        }
        if let Some(name) = entry.balks_to.as_ref().filter(|_| entry.balking.is_none()) {
            return Err(self.fault(name, "`balks_to` without `balking`: everybody joins here".into()));
        }
        let until = (entry.patience_from, entry.patience_until);
        station = self.with_patience(station, (&entry.name, entry.patience), until, reneges_to)?;
        if let Some(balking) = entry.balking {
            station = station.balking(self.some("balking", balking)?, balks_to);
        }
        if let Some(to) = somewhere(&entry.full_to)? {
            station = station.full_to(to);
        }
        if let Some(servers) = entry.servers.as_ref().filter(|_| entry.shifts.is_some()) {
            return Err(self.fault_at(
                servers.span(),
                "`servers` beside `shifts`, which say how many there are: leave one of them out".into(),
            ));
        }
        station = self.with_groups(station, entry.servers)?;
        station = self.with_units(
            station,
            (&entry.seizes, &entry.seizes_at),
            [&entry.uses, &entry.delivers, &entry.releases],
        )?;
        station = self.with_times(station, (entry.shifts, entry.period, entry.shift_end), entry.failures)?;
        station = station.targets(entry.targets);
        if let Some(setup) = entry.setup {
            station = station.setup(setup);
        }
        if entry.setup_called_off {
            station = station.setups_called_off();
        }
        station = entry.off_after.into_iter().fold(station, Station::off_after);
        if let Some(vacation) = entry.vacation {
            station = station.vacations(vacation);
        }
        if let Some(standby) = entry.standby {
            station = standby.at(station);
        }
        station = self.with_time_factors(station, entry.time_factors, entry.time_factors_period)?;
        if let Some(speeds) = entry.speeds {
            station = station.speeds(self.some("speeds", speeds)?);
        }
        self.check_listed(("station", &station.name), entry.class.iter().map(|of| &of.name))?;
        for StationClassEntry { name, service, patience, tokens, cost, weight, capacity } in entry.class {
            let mut of_class = ClassOfStation::new(self.class(&name)?).tokens(tokens);
            of_class.patience = patience;
            of_class = self.with_service(of_class, (&name, service.as_ref()))?;
            if let Some(cost) = cost {
                of_class = of_class.costs(cost.into());
            }
            (of_class.weight, of_class.capacity) = (weight, capacity);
            station = station.class(of_class);
        }
        Ok(station)
    }

    /// A list that is not empty.
    pub(super) fn some(&self, key: &str, list: Spanned<Vec<f64>>) -> Result<Vec<f64>, FileError> {
        if list.as_ref().is_empty() {
            let fault = format!("`{key}` is an empty list: give it one number or more, or leave it out");
            return Err(self.fault_at(list.span(), fault));
        }
        Ok(list.into_inner())
    }
}

#[cfg(test)]
mod tests {
    use super::super::places::said_of;
    use super::*;
    use crate::{Network, Rates, Route, Shifts, Source};

    const TEXT: &str = "until = 70.0
[[class]]
name = 'urgent'
[[class]]
name = 'other'
priority = 2
[[station]]
name = 'a'
service = 'constant:2'
discipline = 'siro'
preemptive = true
patience = 'exponential:9'
reneges_to = 'out'
balking = [0.0, 0.5]
balks_to = 'b'
shifts = [[0.0, 2], [8.0, 1]]
period = 24.0
shift_end = 'interrupt'
failures = { up = 'exponential:50', down = 'constant:1' }
routing = 'round-robin'
[[station.class]]
name = 'other'
service = 'constant:3'
patience = 'constant:4'
tokens = 2
[[station]]
name = 'b'
service = 'constant:1'
servers = 'infinite'
[[source]]
name = 'in'
rates = [[0.0, 0.5], [8.0, 2.0]]
period = 24.0
batch = [0.5, 0.5]
to = 'a'
class = 'other'
[[sink]]
name = 'out'
[[route]]
from = 'a'
to = 'b'
class = 'other'
becomes = 'urgent'
[[route]]
from = 'a'
to = 'out'
[[route]]
from = 'b'
to = 'out'
";

    #[test]
    fn everything_written_is_read() {
        let law = |text: &str| text.parse::<ServiceLaw>().unwrap();
        let mut network = Network::new().until(70.0);
        let _urgent = network.class(Class::new("urgent"));
        let other = network.class(Class::new("other").priority(2));
        let (a, b) = (network.nth(0), network.nth(1));
        let out = network.sink("out");
        let shifts = Shifts::new(vec![(0.0, 2), (8.0, 1)]).every(24.0).interrupting();
        let of_other = ClassOfStation::new(other).service(law("constant:3")).patience(law("constant:4")).tokens(2);
        let station = Station::new("a", law("constant:2"))
            .discipline(Discipline::Random)
            .preemptive()
            .routing(Routing::RoundRobin);
        let station = station.patience(law("exponential:9"), Some(out.into())).balking(vec![0.0, 0.5], Some(b.into()));
        let station = station.shifts(shifts).failures(law("exponential:50"), law("constant:1"));
        network.station(station.class(of_other));
        network.station(Station::new("b", law("constant:1")).infinite_servers());
        let rates = Rates::new(vec![(0.0, 0.5), (8.0, 2.0)]).every(24.0);
        network.source(Source::by_rates("in", rates, a).class(other).batch(vec![0.5, 0.5]));
        network.add_route(Route::new(a, b).class(other).becomes(_urgent));
        network.add_route(Route::new(a, out));
        network.add_route(Route::new(b, out));
        assert_eq!(Network::from_toml(TEXT), Ok(network.clone()));
        assert!(network.check().is_ok());
    }

    /// A station that is shared by weights.
    const SHARED: &str = "class = [{ name = 'x' }, { name = 'y' }]
[[station]]
name = 'a'
service = 'constant:1'
tokens = 1
discipline = 'ps'
speeds = [1.0, 2.0]
[[station.class]]
name = 'x'
weight = 0.5
capacity = 3
[[station]]
name = 'b'
service = 'constant:1'
setup = 'constant:2'
failures = { use = 'constant:9', down = 'constant:1' }
[[station]]
name = 'c'
service = 'constant:1'
vacation = 'constant:3'
[[route]]
from = 'a'
to = 'b'
[[route]]
from = 'b'
to = 'c'
[[route]]
from = 'c'
to = 'a'
";

    #[test]
    fn what_is_shared_is_read() {
        let mut network = Network::new();
        let [x, _] = ["x", "y"].map(|name| network.class(Class::new(name)));
        let station = Station::new("a", "constant:1".parse().unwrap()).tokens(1).discipline(Discipline::Sharing);
        let a = network.station(station.speeds(vec![1.0, 2.0]).class(ClassOfStation::new(x).weight(0.5).capacity(3)));
        let law = |text: &str| text.parse::<ServiceLaw>().unwrap();
        let b = network.station(
            Station::new("b", law("constant:1"))
                .setup(law("constant:2"))
                .failures_by_use(law("constant:9"), law("constant:1")),
        );
        let c = network.station(Station::new("c", law("constant:1")).vacations(law("constant:3")));
        [(a, b), (b, c), (c, a)].iter().for_each(|(from, to)| network.route(*from, *to, 1.0, 0.0));
        assert_eq!(Network::from_toml(SHARED), Ok(network.clone()));
        assert!(network.check().is_ok());
        for (from, to, line, part) in [
            ("0.5", "0", 10, "a weight is 0; it must be from 2^-10 to 2^10"),
            (
                "'ps'",
                "'siro'",
                10,
                "a weight is 0.5; it must be left out, as the discipline is siro and only ps has weights",
            ),
            ("capacity = 3", "capacity = 0", 11, "the capacity of a class is 0; it must be 1 or more"),
            (
                "tokens = 1",
                "tokens = 5",
                5,
                "the number of tokens at time 0 is 5; it must be at most the capacity of their class, 3",
            ),
            (
                "tokens = 1",
                "tokens = 1\ncapacity = 4\nfull = 'exchanges'",
                13,
                "the capacity of a class is 3; it must be left out",
            ),
            (
                "vacation = 'constant:3'",
                "vacation = 'constant:3'\ndiscipline = 'ps'",
                21,
                "the discipline is ps; it must be another one, as the station has vacations",
            ),
            (
                "vacation = ",
                "setup = 'constant:9'\nvacation = ",
                21,
                "the law of vacations is constant:3; it must be left out, as the station",
            ),
            (
                "tokens = 1",
                "servers = 2\ntokens = 1",
                5,
                "the number of servers is 2; it must be 1, as it shares by weights",
            ),
        ] {
            let text = SHARED.replacen(from, to, 1);
            let (at, said) = said_of(&text, &Network::from_toml(&text).expect(to).check().expect_err(to));
            assert!(at == Some(line) && said.contains(part), "{at:?} {said} for {to}");
        }
    }

    #[test]
    fn faults_name_their_line() {
        for (from, to, line, part) in [
            ("'siro'", "'lifo'", 10, "'lifo' is no discipline; it may be fcfs, lcfs, "),
            ("class = 'other'", "class = 'others'", 36, "no class is named 'others': "),
            ("becomes = 'urgent'", "becomes = 'x'", 43, "no class is named 'x': "),
            ("name = 'other'\nservice", "name = 'no'\nservice", 22, "no class is named 'no'"),
            (
                "[[station.class]]\n",
                "[[station.class]]\nname = 'other'\n[[station.class]]\n",
                24,
                "class 'other' has a table there",
            ),
            ("name = 'other'\npriority", "name = 'urgent'\npriority", 5, "'urgent' is taken already"),
            ("reneges_to = 'out'", "reneges_to = 'exit'", 13, "no station or sink is named 'exit'"),
            ("balking = [0.0, 0.5]\n", "", 14, "`balks_to` without `balking`"),
            (
                "shift_end = 'interrupt'",
                "shift_end = 'stop'",
                18,
                "`shift_end` is 'stop'; it must be \"stay\" or \"interrupt\"",
            ),
            ("shifts = [[0.0, 2], [8.0, 1]]\n", "", 17, "`shift_end` without `shifts`"),
            ("failures = ", "servers = 2\nfailures = ", 19, "`servers` beside `shifts`"),
            ("failures = ", "time_factors_period = 2\nfailures = ", 19, "`time_factors_period` without `time_factors`"),
            (
                "'infinite'",
                "'many'",
                29,
                "`servers` is 'many'; it must be a whole number from 1 to 4294967295, \"infinite\", or tables headed [[station.servers]]",
            ),
            (
                "rates = [[0.0, 0.5], [8.0, 2.0]]\n",
                "",
                31,
                "source 'in' has no `interval`: give it one, or `rates`, `phases` or `trace`",
            ),
            ("batch = ", "interval = 'constant:1'\nbatch = ", 31, "has `interval` and `rates`: leave one of them out"),
            ("down = ", "back = ", 19, "`back`"),
        ] {
            let text = TEXT.replacen(from, to, 1);
            assert_ne!(text, TEXT, "{from}");
            let error = Network::from_toml(&text).expect_err(to);
            assert!(error.line == line && error.fault.contains(part), "{error} for {to}");
        }
    }
}
