//! Every setter of a network.

use std::num::NonZeroU32;

use super::{AtOnce, Choices};
use tickless::device::Target;
use tickless::queueing::gpu::{self, Synchronization};
use tickless::queueing::{
    self, Class, ClassId, ClassOfStation, Costs, CostsOf, Destination, Discipline, Network, NetworkModel,
    NetworkOptions, Observed, Partition, Phases, Rates, Repetition, Resource, ResourceId, Route, Routing, Shifts, Sink,
    SinkId, Source, Station, StationId, Topology, Trace, UnitCosts,
};
use tickless::random::ServiceLaw;
use tickless::ranks::Ranks;

/// The ids that a network has given, and some of another one.
struct Ids {
    stations: Vec<StationId>,
    sinks: Vec<SinkId>,
    classes: Vec<ClassId>,
    resources: Vec<ResourceId>,
}

impl Choices {
    fn law(&mut self) -> ServiceLaw {
        let (a, b) = (self.amount(), self.amount());
        match self.of(20) {
            0..8 => ServiceLaw::Exponential { mean: a },
            8 => ServiceLaw::Constant { time: a },
            9 => ServiceLaw::Uniform { low: a, high: b },
            10 => ServiceLaw::Erlang { stages: self.count(), mean: a },
            11 => ServiceLaw::Hyperexponential { probability: self.amount(), first: a, second: b },
            12 => ServiceLaw::Gamma { shape: a, mean: b },
            13 => ServiceLaw::Weibull { shape: a, scale: b },
            14 => ServiceLaw::Lognormal { mean: a, deviation: b },
            _ => {
                let form = self.one(&[
                    "triangular",
                    "beta",
                    "pareto",
                    "empirical",
                    "normal",
                    "histogram",
                    "discrete",
                    "geometric",
                ]);
                let text = format!("{form}:{a},{b},{}", self.amount());
                text.parse().unwrap_or(ServiceLaw::Exponential { mean: a })
            }
        }
    }

    fn station_id(&mut self, ids: &Ids) -> StationId {
        self.one(&ids.stations)
    }

    fn destination(&mut self, ids: &Ids) -> Destination {
        if self.of(2) == 0 { self.station_id(ids).into() } else { self.one(&ids.sinks).into() }
    }

    fn costs(&mut self) -> Costs {
        let [waiting, served, lost, balked, reneged, server] = std::array::from_fn(|_| self.amount());
        Costs { waiting, served, lost, balked, reneged, server }
    }

    fn station(&mut self, name: &str, ids: &Ids) -> Station {
        let mut station = Station::new(name, self.law()).tokens(self.count());
        for _ in 0..self.of(4) {
            station = self.with_property(station, ids);
        }
        station
    }

    fn with_property(&mut self, station: Station, ids: &Ids) -> Station {
        match self.of(28) {
            0 => station.servers(self.count()),
            1 => station.capacity(self.count()),
            2 => station.discipline(self.one(&Discipline::ALL)),
            3 => station.preemptive(),
            4 => station.infinite_servers(),
            5 => station.routing(self.routing()),
            6 => station.blocking(),
            7 => station.exchanging(),
            8 => station.blocking_before(),
            9 => station.repeating(self.one(&[Repetition::SameDestination, Repetition::RandomDestination])),
            10 => station.joining(),
            11 => {
                let steps = (0..self.of(4)).map(|_| (self.amount(), self.count())).collect();
                let shifts = Shifts::new(steps);
                let shifts = if self.of(2) == 0 { shifts } else { shifts.every(self.amount()) };
                station.shifts(if self.of(2) == 0 { shifts } else { shifts.interrupting() })
            }
            12 => station.speeds(self.amounts()),
            13 => station.failures(self.law(), self.law()),
            14 => station.failures_by_use(self.law(), self.law()),
            15 => station.setup(self.law()),
            16 => station.vacations(self.law()),
            17 => station.patience(self.law(), self.maybe(|choices| choices.destination(ids))),
            18 => station.balking(self.amounts(), self.maybe(|choices| choices.destination(ids))),
            19 => station.costs(self.costs()),
            20 => station.seizes(self.one(&ids.resources), self.count()),
            21 => station.seizes_at_arrival(),
            22 => station.releases(self.one(&ids.resources), self.count()),
            23 => station.full_to(self.destination(ids)),
            _ => {
                let mut of = ClassOfStation::new(self.one(&ids.classes));
                for _ in 0..self.of(4) {
                    of = match self.of(6) {
                        0 => of.weight(self.amount()),
                        1 => of.capacity(self.count()),
                        2 => of.service(self.law()),
                        3 => of.patience(self.law()),
                        4 => of.tokens(self.count()),
                        _ => of.costs(self.costs()),
                    };
                }
                station.class(of)
            }
        }
    }

    fn routing(&mut self) -> Routing {
        let of = self.count();
        self.one(&[
            Routing::Random,
            Routing::RoundRobin,
            Routing::ShortestQueue,
            Routing::ShortestLine,
            Routing::FewestWaiting,
            Routing::ShortestOfClass,
            Routing::ShortestResponse,
            Routing::ShortestOf(of),
            Routing::LeastWork,
            Routing::FirstFree,
            Routing::ByVisit,
            Routing::Fork,
        ])
    }

    fn source(&mut self, name: String, ids: &Ids) -> Source {
        let to = self.station_id(ids);
        let mut source = match self.of(8) {
            0 => Source::by_rates(name, self.rates(), to),
            1 => {
                let rows = (0..self.of(4))
                    .map(|_| (self.amount(), self.maybe(|c| c.one(&ids.classes)), self.count()))
                    .collect();
                Source::by_trace(name, Trace::new(rows), to)
            }
            2 => Source::by_phases(name, self.phases(), to),
            _ => Source::new(name, self.law(), to),
        };
        for _ in 0..self.of(3) {
            source = match self.of(5) {
                0 => source.start(self.amount()),
                1 => source.limit(self.count().into()),
                2 => source.batch(self.amounts()),
                3 => {
                    let others = (0..self.of(3)).map(|_| self.station_id(ids)).collect();
                    source.or_to(others, self.routing())
                }
                _ => source.class(self.one(&ids.classes)),
            };
        }
        source
    }

    fn rates(&mut self) -> Rates {
        let rates = Rates::new((0..self.of(4)).map(|_| (self.amount(), self.amount())).collect());
        if self.of(2) == 0 { rates } else { rates.every(self.amount()) }
    }

    fn phases(&mut self) -> Phases {
        let rows = |choices: &mut Self| (0..choices.of(4)).map(|_| choices.amounts()).collect::<Vec<_>>();
        match self.of(4) {
            0 => Phases::map(rows(self), rows(self)),
            1 => Phases::mmpp(rows(self), &self.amounts()),
            _ => {
                let [a, b] = [self.amount(), self.amount()];
                Phases::mmpp(vec![vec![-a, a], vec![b, -b]], &[self.amount(), self.amount()])
            }
        }
    }

    fn route(&mut self, ids: &Ids) -> Route {
        let mut route = Route::new(self.station_id(ids), self.destination(ids));
        for _ in 0..self.of(3) {
            route = match self.of(4) {
                0 => route.probability(self.amount()),
                1 => route.delay(self.amount()),
                2 => route.class(self.one(&ids.classes)),
                _ => route.becomes(self.one(&ids.classes)),
            };
        }
        route
    }

    fn options(&mut self) -> NetworkOptions {
        let ways = [Synchronization::Window, Synchronization::Appointments, Synchronization::AppointmentsInTiles];
        NetworkOptions {
            synchronization: self.maybe(|choices| choices.one(&ways)),
            most_tokens: self.maybe(|choices| choices.count().into()),
            figures_only: self.of(2) == 0,
            rounds: self.rounds(),
        }
    }
}

fn with_settings(mut network: Network, choices: &mut Choices) -> Network {
    network = network.until(choices.one(&[10.0, 5.0, 1.0]));
    for _ in 0..choices.of(4) {
        network = match choices.of(12) {
            0 => network.tokens(choices.count()),
            1 => network.window(choices.amount()),
            2 => network.approximate(choices.amount()),
            3 => network.exact(),
            4 => network.until(choices.amount().min(1e3)),
            5 => network.warmup(choices.amount()),
            6 => network.terminating(choices.of(2) == 0),
            7 => network.seed(choices.next()),
            8 => network.distributions(Observed::All),
            9 => {
                let names = (0..choices.of(3)).map(|place| format!("s{place}")).collect();
                network.distributions(Observed::Stations(names))
            }
            10 => network.series(choices.amount()),
            _ => {
                network.series_in(choices.count());
                network
            }
        };
    }
    network
}

fn described(choices: &mut Choices) -> Network {
    let mut network = Network::new();
    let mut other = Network::new();
    let given = |network: &mut Network, choices: &mut Choices| {
        let classes =
            (0..1 + choices.of(2)).map(|n| network.class(Class::new(format!("c{n}")).priority(choices.count())));
        let classes: Vec<_> = classes.collect();
        let resource =
            Resource::new("room", choices.count()).costs(UnitCosts { held: choices.amount(), unit: choices.amount() });
        let resources = vec![network.add_resource(resource), network.resource("bed", choices.count())];
        let sinks =
            vec![network.add_sink(Sink::new("out").cost(choices.amount()).cost_of(classes[0], choices.amount()))];
        Ids { stations: vec![], sinks, classes, resources }
    };
    let mut ids = given(&mut network, choices);
    if choices.once_in(8) {
        let foreign = given(&mut other, &mut Choices(vec![].into_iter()));
        ids.classes.extend(foreign.classes);
        ids.sinks.extend(foreign.sinks);
        ids.resources.extend(foreign.resources);
        ids.stations.push(other.station(Station::new("other", choices.law())));
    }
    // Patience and balking lead to the first station, or to one that is perhaps added.
    ids.stations.push(network.later(choices.one(&[0, 0, 1, 2])));
    ids.stations.push(network.station(Station::new("s0", choices.law()).tokens(1)));
    for number in 0..choices.of(3) {
        let station = choices.station(&format!("s{}", number + 1), &ids);
        ids.stations.push(network.station(station));
    }
    for number in 0..choices.of(3) {
        network.source(choices.source(format!("source {number}"), &ids));
    }
    // A way on from each, and a few more.
    let own = ids.stations.clone();
    for station in own {
        let to = choices.destination(&ids);
        network.route(station, to, 1.0, choices.amount());
    }
    for _ in 0..choices.of(2) {
        network.add_route(choices.route(&ids));
    }
    network
}

fn generated(choices: &mut Choices) -> Option<Network> {
    let each = Station::new("s", choices.law()).tokens(choices.count());
    let each = if choices.of(2) == 0 { each } else { each.servers(choices.count()).capacity(choices.count()) };
    // As large as a test has time for, or far too large.
    let size = |choices: &mut Choices| {
        if choices.once_in(8) { choices.one(&[0, u32::MAX, 1 << 31]) } else { 1 + choices.of(9) as u32 }
    };
    let (a, b, seed) = (size(choices), size(choices), choices.next());
    let topology = match choices.of(5) {
        0 => Topology::Torus { width: a, height: b },
        1 => Topology::Ring { stations: a },
        2 => Topology::Tandem { stations: a, interval: choices.law() },
        3 => Topology::RandomRegular { stations: a, degree: b, seed },
        _ => Topology::ScaleFree { stations: a, edges: b, seed },
    };
    let mut network = Network::generate(&topology, &each, choices.amount()).ok()?;
    if choices.of(3) == 2 && network.bytes() < 1 << 20 {
        let station = network.station(Station::new("more", choices.law()));
        network.route(station, station, choices.amount(), choices.amount());
    }
    Some(network)
}

/// Whatever a model is asked.
fn asked(model: &NetworkModel, choices: &mut Choices) {
    let adapter = choices.adapter();
    let options = choices.options();
    let first = choices.count();
    let replications = if choices.of(4) == 3 { first..choices.count() } else { 0..1 };
    let _ = gpu::path(model, choices.count() as usize);
    for how in [Synchronization::Window, Synchronization::Appointments, Synchronization::AppointmentsInTiles] {
        let _ = gpu::parts(&[(model, replications.clone())], how, &adapter, &options);
    }
    let run = |on: Target<'_>| queueing::run(model, 0..1, on, options, &mut AtOnce);
    if let Ok(run) = run(Target::Heap) {
        for of in [CostsOf::Everything, CostsOf::Sink(0), CostsOf::Station(0)] {
            let _ = model.cost(of, &run.outcome);
        }
    }
    let ranks = if choices.once_in(4) { choices.one(&[100_000, u32::MAX, 1025]) } else { 1 + choices.of(3) as u32 };
    let ranks = Ranks::Threads(NonZeroU32::new(ranks).expect("one or more"));
    let cut = (0..choices.of(5)).map(|_| choices.of(3) as u32).collect();
    let _ = match choices.of(3) {
        0 => queueing::run(model, 0..1, (ranks, Partition::of_stations(cut)), options, &mut AtOnce).map(drop),
        _ => queueing::run(model, 0..1, ranks, options, &mut AtOnce).map(drop),
    };
}

pub fn build(choices: &mut Choices) {
    let network = if choices.of(4) == 3 { generated(choices) } else { Some(described(choices)) };
    let Some(network) = network else { return };
    if let Ok(model) = with_settings(network, choices).check() {
        let names: Vec<_> =
            (0..model.stations().min(9)).map(|station| model.station_name(station).into_owned()).collect();
        assert_eq!(names.len() as u32, model.stations().min(9));
        asked(&model, choices);
    }
}
