//! Random networks of classes, disciplines, patience and all that changes with time.

mod places;
mod queues;

use std::collections::BTreeSet;

use super::*;
pub use places::further;
use places::{KNOW_SERVICES, attributes_of, by_attribute, grouped, is_preemptive, splitting, timed, ways, with_units};
use queues::queue;
use tickless::queueing::{
    Attribute, AttributeId, Class, ClassId, ClassOfStation, Destination, Discipline, Observed, Phases, Polling, Rates,
    Repetition, Resource, ResourceId, Route, Routing, ServerGroup, Shifts, Sink, SinkId, Source, Standby, Station,
    StationId, TimeFactors, Trace,
};

/// What a network has besides classes, disciplines, patience and balking: of each at least one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Uses {
    /// Rates and batches.
    pub sources: bool,
    /// Phases and traces.
    pub varied: bool,
    /// Shifts or failures.
    pub servers: bool,
    /// Turns or queues.
    pub routing: bool,
    /// Routing by work and visits, and capacity by class.
    pub counted: bool,
    /// Set-up times or vacations, and failures by use.
    pub absences: bool,
    pub blocking: bool,
    /// Beside it services that stop for want of room behind them.
    pub stops: bool,
    /// Beside it tokens that exchange.
    pub exchanges: bool,
    /// Beside it services that are repeated for want of room.
    pub repeats: bool,
    pub sharing: bool,
    /// Speeds, and weights of those that share.
    pub paced: bool,
    /// Units of resources.
    pub units: bool,
    /// Tokens that split and are joined.
    pub forks: bool,
    /// Kits, and tokens that split into a drawn number.
    pub kits: bool,
    /// Distributions, and numbers over time.
    pub observed: bool,
    /// Stations where the next token is drawn, all of them; else none.
    pub random: bool,
    /// Groups of servers.
    pub groups: bool,
    /// Beside them servers that serve several tokens at once.
    pub bulks: bool,
    /// Services that take longer at some times.
    pub timed: bool,
    /// What tokens carry, and the disciplines that look at it.
    pub attributes: bool,
}

impl Uses {
    /// Few of all that go together, as a device has a kernel for each. The first ones are what a software adapter compiles in a minute.
    pub const SETS: [Self; 37] = {
        let nothing = Self {
            sources: false,
            varied: false,
            servers: false,
            routing: false,
            counted: false,
            absences: false,
            blocking: false,
            stops: false,
            exchanges: false,
            repeats: false,
            sharing: false,
            paced: false,
            observed: false,
            units: false,
            forks: false,
            kits: false,
            random: false,
            groups: false,
            bulks: false,
            timed: false,
            attributes: false,
        };
        let all = Self {
            sources: true,
            varied: false,
            servers: true,
            routing: true,
            counted: true,
            absences: true,
            blocking: true,
            stops: false,
            exchanges: false,
            repeats: true,
            sharing: true,
            paced: false,
            observed: true,
            units: true,
            forks: true,
            kits: false,
            random: false,
            groups: false,
            bulks: false,
            timed: false,
            attributes: true,
        };
        [
            nothing,
            Self { observed: true, servers: true, groups: true, bulks: true, timed: true, attributes: true, ..nothing },
            Self { absences: true, ..nothing },
            Self { sources: true, sharing: true, kits: true, timed: true, ..nothing },
            Self { units: true, forks: true, random: true, ..nothing },
            Self { counted: true, routing: true, blocking: true, random: true, ..nothing },
            Self { absences: true, servers: true, observed: true, varied: true, attributes: true, ..nothing },
            all,
            Self { sharing: false, random: true, ..all },
            Self { servers: true, routing: true, groups: true, ..nothing },
            Self { units: true, absences: true, servers: true, ..nothing },
            Self { units: true, blocking: true, sharing: true, random: true, ..nothing },
            Self { forks: true, blocking: true, units: true, absences: true, ..nothing },
            Self { paced: true, sharing: true, ..nothing },
            Self { paced: true, servers: true, ..nothing },
            Self { paced: true, observed: true, ..nothing },
            Self { paced: true, ..all },
            Self { stops: true, blocking: true, groups: true, ..nothing },
            Self { stops: true, blocking: true, counted: true, ..nothing },
            Self { stops: true, blocking: true, exchanges: true, servers: true, ..nothing },
            Self { stops: true, blocking: true, units: true, servers: true, random: true, ..nothing },
            Self { stops: true, blocking: true, servers: true, absences: true, observed: true, ..nothing },
            Self { stops: true, blocking: true, units: true, repeats: true, random: true, ..nothing },
            Self { exchanges: true, blocking: true, groups: true, ..nothing },
            Self {
                exchanges: true,
                blocking: true,
                servers: true,
                routing: true,
                paced: true,
                observed: true,
                ..nothing
            },
            Self { repeats: true, blocking: true, servers: true, observed: true, random: true, ..nothing },
            Self { repeats: true, blocking: true, forks: true, groups: true, ..nothing },
            Self { groups: true, ..nothing },
            Self { repeats: true, blocking: true, units: true, sharing: true, paced: true, ..nothing },
            Self { exchanges: true, blocking: true, units: true, ..nothing },
            Self { exchanges: true, blocking: true, units: true, servers: true, stops: true, ..nothing },
            Self { stops: true, blocking: true, paced: true, ..nothing },
            Self { stops: true, blocking: true, paced: true, servers: true, absences: true, observed: true, ..nothing },
            Self { stops: true, blocking: true, forks: true, ..nothing },
            Self { kits: true, units: true, blocking: true, observed: true, servers: true, ..nothing },
            Self { kits: true, attributes: true, routing: true, exchanges: true, blocking: true, ..nothing },
            Self { stops: true, blocking: true, forks: true, paced: true, servers: true, units: true, ..nothing },
        ]
    };

    pub fn of(number: u32) -> Self {
        Self::SETS[number as usize % Self::SETS.len()]
    }

    /// What some networks of these have.
    pub fn names(self) -> Used {
        let names: [(bool, &[&str]); 28] = [
            (true, &["infinite"]),
            (self.sources, &["batches", "rates"]),
            (self.varied, &["batches", "phases", "trace"]),
            (self.servers, &["failures", "interrupting shifts", "periods", "shifts"]),
            (
                self.routing,
                &[
                    "choice",
                    "fewest-waiting",
                    "first-free",
                    "full_to",
                    "round-robin",
                    "shortest-line",
                    "shortest-of:2",
                    "shortest-queue",
                ],
            ),
            (self.counted, &["capacity by class"]),
            (self.counted && !self.stops, &["by-visit", "least-work", "shortest-of-class", "shortest-response"]),
            (
                self.absences,
                &[
                    "failures by use",
                    "off after a while",
                    "set-up times",
                    "set-ups called off",
                    "standby",
                    "standby that starts",
                    "vacations",
                ],
            ),
            (self.blocking, &["blocking"]),
            (self.stops, &["stops"]),
            (self.exchanges, &["exchanges"]),
            (self.repeats, &["repeats", "repeats anew"]),
            (self.sharing, &["ps"]),
            (self.paced, &["speeds"]),
            (self.paced && self.sharing, &["weights"]),
            (self.observed, &["distributions", "fold", "longest", "series", "targets"]),
            (self.groups, &["groups"]),
            (self.groups && !self.bulks && !self.blocking, &["failures of groups"]),
            (self.timed, &["time factors"]),
            (self.bulks, &["longest waits", "services of several", "turns", "walks"]),
            (
                self.attributes,
                &["ageing", "edd", "least", "patience amid services", "patience by attributes", "psjf", "sizes"],
            ),
            (self.attributes && self.routing && !self.stops, &["by-attribute"]),
            (self.forks, &["fork", "joins"]),
            (self.forks || self.kits, &["splits"]),
            (self.kits, &["kits"]),
            (self.units, &["failures of units", "seizes at the arrival", "seizes at the service", "shifts of units"]),
            (self.units && !self.stops, &["alternatives", "stock"]),
            (self.units && !self.paced, &["preemptive units"]),
        ];
        names.iter().filter(|(is_used, _)| *is_used).flat_map(|(_, names)| *names).map(|name| (*name).into()).collect()
    }
}

/// Names of what a network has.
pub type Used = BTreeSet<String>;

/// Routings of sources, those by class last.
#[rustfmt::skip]
const OF_SOURCES: [&str; 10] = ["random", "round-robin", "shortest-of:3", "first-free", "fewest-waiting", "shortest-line", "shortest-queue",
    "least-work", "shortest-of-class", "shortest-response"];
const LAWS: [&str; 4] = ["exponential:1.5", "constant:1", "uniform:0.5,2", "erlang:2,1"];

/// The network of a number, with some of everything that it uses.
pub fn network_of(number: u32, uses: Uses) -> (Network, Used) {
    let mut stream = tickless::random::StreamKey::new(24, 0).stream(number);
    let pick = &mut |choices: u32| ((u64::from(stream.draw()) * u64::from(choices)) >> 32) as u32;
    let (mut network, mut used) =
        (Network::new().until(f64::from(30 + pick(40))).seed(u64::from(pick(1000))), Used::new());
    if pick(2) == 0 {
        network = network.warmup(f64::from(1 + pick(20)));
    }
    if uses.observed {
        used.extend(["distributions".into(), "fold".into(), "series".into(), "targets".into()]);
        // Every other one asks for the longest of times.
        let longest = if number.is_multiple_of(2) { vec![0.5, 1.0] } else { vec![] };
        used.extend(longest.last().map(|_| "longest".into()));
        let some = Observed::Stations(vec!["s0".into(), "s2".into()]);
        network = network.series(0.75).fold(9.0).fold_step(2.25).quantiles(longest).distributions(if pick(2) == 0 {
            Observed::All
        } else {
            some
        });
    }
    let priorities: Vec<u32> = (0..1 + pick(3)).map(|_| pick(3)).collect();
    let levels = priorities.windows(2).any(|pair| pair[0] != pair[1]);
    let targets = |list: &[f64]| if uses.observed { list.to_vec() } else { vec![] };
    let class =
        |(place, priority)| network.class(Class::new(format!("c{place}")).priority(priority).targets(targets(&[2.5])));
    let classes: Vec<ClassId> = priorities.into_iter().enumerate().map(class).collect();
    // Services that stop give back what they have taken, which is used up there.
    let has_stock = uses.units && !uses.stops && number.is_multiple_of(2);
    // Units that are taken from tokens go neither with alternatives nor with speeds.
    let loses_units = uses.units && levels && !has_stock && !uses.paced && number % 4 != 3;
    let resources = if uses.units {
        let all = places::resources(number, loses_units, &mut used);
        all.into_iter().map(|resource| network.add_resource(resource)).collect()
    } else {
        vec![]
    };
    let steel = has_stock.then(|| network.add_resource(Resource::new("steel", 6).stock(4)));
    let attributes = if uses.attributes { attributes_of(&mut network, &classes) } else { vec![] };
    let count = 3 + pick(2) as usize;
    let sinks = [network.add_sink(Sink::new("out").targets(targets(&[4.0]))), network.sink("lost")];
    let (mut ids, mut blocking, mut routings) = (vec![], vec![], vec![]);
    for place in 0..count {
        let mut station = Station::new(format!("s{place}"), law(LAWS[pick(4) as usize]));
        // Who shares servers has its units by then.
        let is_early = uses.units && pick(2) == 0 && !(place == 0 && has_stock) && !(place > 0 && loses_units);
        let uses = Uses { sharing: uses.sharing && (!uses.units || is_early), ..uses };
        let (mut shares, mut knows_services) = (false, false);
        station = match pick(6) {
            _ if place == 0 && (uses.servers || uses.absences) => {
                queue(station, (uses, levels), (&mut used, sinks[0], &attributes, &mut knows_services), pick)
            }
            _ if uses.groups && pick(2) == 0 => grouped(station, &classes, (uses, &mut used), pick),
            0 => {
                used.insert("infinite".into());
                station.infinite_servers()
            }
            kind if uses.sharing && (place == 1 || kind == 1) => {
                used.insert("ps".into());
                let servers = 1 + pick(3);
                shares = servers == 1;
                station.servers(servers).discipline(Discipline::Sharing)
            }
            _ => queue(station, (uses, levels), (&mut used, sinks[0], &attributes, &mut knows_services), pick),
        };
        if uses.timed && !knows_services {
            station = timed(station, number + place as u32, &mut used);
        }
        if uses.attributes && pick(3) == 0 {
            used.insert("sizes".into());
            station = station.service_by(attributes[pick(2) as usize], [0.5, 1.25][pick(2) as usize]);
        }
        if uses.paced && pick(2) == 0 {
            used.insert("speeds".into());
            let speeds: [&[f64]; 4] =
                [&[0.75, 1.3], &[1.0, 0.0, 3.0], &[0.1, 2.0, 0.0, 0.7], &[65_536.0, 0.000_02, 1.25]];
            station = station.speeds(speeds[pick(4) as usize].to_vec());
        }
        // No copy goes to a station that blocks.
        let often = if uses.exchanges || uses.repeats { 2 } else { 4 };
        let blocks = uses.blocking && (place == 2 || pick(often) == 0 && !uses.forks && !uses.kits);
        if blocks {
            used.insert("blocking".into());
            station = station.capacity(3 + if uses.exchanges { 0 } else { pick(3) }).blocking();
            if uses.stops && place == 2 {
                used.insert("stops".into());
                station = station.blocking_before();
            }
            if uses.exchanges && !(uses.stops && place == 2) && (place == 2 || pick(4) > 0) {
                used.insert("exchanges".into());
                station = station.exchanging();
            }
            if uses.repeats && !(uses.stops && place == 2) && pick(3) > 0 {
                let (name, repetition) = match pick(2) {
                    0 => ("repeats", Repetition::SameDestination),
                    _ => ("repeats anew", Repetition::RandomDestination),
                };
                used.insert(name.into());
                station = station.repeating(repetition);
            }
        } else if pick(4) == 0 {
            station = station.capacity(3 + pick(4));
            if uses.routing {
                used.insert("full_to".into());
                let to = ids.first().map_or(Destination::from(sinks[1]), |id: &StationId| (*id).into());
                station = station.full_to(to);
            }
        }
        if pick(3) == 0 {
            let to = [None, Some(sinks[1].into()), ids.first().map(|id: &StationId| (*id).into())][pick(3) as usize];
            station = station.balking(vec![0.0, 0.25, 0.5, 1.0], to);
        }
        let routing = match pick(8) {
            _ if uses.forks && place == 0 && number.is_multiple_of(3) => Routing::Fork,
            _ if uses.forks && place == 0 => Routing::Random,
            5 if uses.counted && !uses.stops => {
                [Routing::LeastWork, Routing::ShortestOfClass, Routing::ShortestResponse][pick(3) as usize]
            }
            6 if uses.counted && !uses.stops => Routing::ByVisit,
            7 if uses.attributes && uses.routing && !uses.stops => Routing::ByAttribute,
            _ if !uses.routing => Routing::Random,
            0 => Routing::RoundRobin,
            1 if number.is_multiple_of(2) => Routing::ShortestLine,
            1 => Routing::ShortestQueue,
            2 => Routing::ShortestOf(2),
            3 => Routing::FirstFree,
            4 => Routing::FewestWaiting,
            _ if place == 0 => Routing::RoundRobin,
            _ => Routing::Random,
        };
        if routing != Routing::Random {
            used.insert(routing.to_string());
            station = match routing {
                Routing::ByAttribute => station.route_by(attributes[pick(2) as usize]),
                _ => station.routing(routing),
            };
        }
        if (uses.forks || uses.kits) && place == 0 {
            // Tokens would be more and more.
            station = station.capacity(if uses.kits { 8 } else { 4 });
            station = splitting(station, &classes, (uses, routing), (&mut used, pick));
        }
        if uses.forks && (place == 2 || pick(6) == 0) {
            used.insert("joins".into());
            station = station.joining();
        }
        if let [room, tool] = resources[..] {
            station = with_units(station, ([room, tool], steel), (place, is_early), (&mut used, pick));
        }
        for class in &classes {
            if pick(3) == 0 {
                let of_class = ClassOfStation::new(*class).tokens(pick(2));
                // Who only goes into kits there has no service.
                let goes_in = uses.kits && place == 0 && classes.get(1) == Some(class);
                let mut of_class = match uses.attributes && pick(2) == 0 {
                    _ if goes_in => of_class,
                    true => of_class.service_by(attributes[0], 0.75),
                    false => of_class.service(law(LAWS[pick(4) as usize])),
                };
                if uses.counted {
                    used.insert("capacity by class".into());
                    // Parts of a kit have room.
                    let least = if uses.kits && place == 0 { 2 } else { 1 };
                    of_class = of_class.capacity(least + pick(3));
                }
                if uses.paced && shares {
                    used.insert("weights".into());
                    of_class = of_class.weight([0.001, 0.3, 3.0, 1000.0][pick(4) as usize]);
                }
                station = station.class(of_class);
            }
        }
        let own = if place == 1 { targets(&[0.0, 1.0]) } else { vec![] };
        ids.push(network.station(station.targets(own)));
        blocking.push(blocks);
        routings.push(routing);
    }
    for (place, routing) in routings.iter().enumerate() {
        let splits = (uses.forks || uses.kits) && place == 0;
        ways((&mut network, &classes), (&ids, &blocking, sinks[0]), (place, *routing, splits), pick);
    }
    for (place, class) in classes.iter().enumerate() {
        let interval = law(["exponential:0.8", "constant:1"][pick(2) as usize]);
        let to = if place == 0 || uses.kits { ids[0] } else { ids[pick(count as u32) as usize] };
        let source = match (uses.sources || uses.varied) && (place == 0 || pick(2) == 0) {
            true => {
                let (source, kind) = further(format!("in{place}"), &classes, (to, uses.varied), &attributes, pick);
                used.insert(kind.into());
                used.extend((kind != "trace").then(|| "batches".into()));
                source
            }
            false => Source::new(format!("in{place}"), interval, to),
        };
        let source = if uses.routing && pick(2) == 0 {
            used.insert("choice".into());
            let routing = OF_SOURCES[pick(if uses.counted { 10 } else { 7 }) as usize].parse().expect("a routing");
            let others = (0..1 + pick(2)).map(|_| ids[pick(count as u32) as usize]).collect();
            source.or_to(others, routing)
        } else {
            source
        };
        network.source(if pick(4) == 0 { source.limit(7) } else { source }.class(*class));
    }
    (network, used)
}
