//! Generated networks: degrees, reachability, the torus's own digest, seeds, files, and what is refused.

use super::*;
use std::collections::HashSet;
use tickless::queueing::{Destination, Network, Station, Topology};

fn each() -> Station {
    Station::new("s", law("exponential:10")).tokens(1)
}

fn generate(topology: Topology) -> Network {
    Network::generate(&topology, &each(), 0.0).unwrap_or_else(|e| panic!("{topology:?}: {e}"))
}

/// The pairs of stations that routes lead between, and the number of routes that lead out.
fn pairs(network: &Network) -> (Vec<(u32, u32)>, usize) {
    let to = |to| match to {
        Destination::Station(station) => Some(station.index()),
        Destination::Sink(_) => None,
    };
    let pairs: Vec<_> = network.routes().filter_map(|route| Some((route.0.index(), to(route.1)?))).collect();
    let out = network.routes().len() - pairs.len();
    (pairs, out)
}

/// The routes from and to each station.
fn degrees(pairs: &[(u32, u32)], stations: u32) -> (Vec<u32>, Vec<u32>) {
    let (mut out, mut into) = (vec![0; stations as usize], vec![0; stations as usize]);
    for (from, to) in pairs {
        out[*from as usize] += 1;
        into[*to as usize] += 1;
    }
    (out, into)
}

/// How many stations a token reaches from station 0.
fn reached(pairs: &[(u32, u32)], stations: u32) -> usize {
    let mut next = vec![vec![]; stations as usize];
    pairs.iter().for_each(|(from, to)| next[*from as usize].push(*to));
    let (mut seen, mut open) = (HashSet::from([0]), vec![0]);
    while let Some(station) = open.pop() {
        open.extend(next[station as usize].iter().copied().filter(|to| seen.insert(*to)));
    }
    seen.len()
}

/// Every route of a station is as likely as any other.
fn assert_equal_parts(network: &Network, out: &[u32], delay: f64) {
    for (from, _, probability, found) in network.routes() {
        assert_eq!((probability, found), (1.0 / f64::from(out[from.index() as usize]), delay));
    }
}

#[test]
fn a_ring_and_a_tandem_lead_to_the_next() {
    for stations in [1, 2, 7] {
        let ring: Vec<_> = (0..stations).map(|id| (id, (id + 1) % stations)).collect();
        assert_eq!(pairs(&generate(Topology::Ring { stations })), (ring, 0));
        let tandem = generate(Topology::Tandem { stations, interval: law("exponential:12") });
        assert_eq!(pairs(&tandem), ((1..stations).map(|id| (id - 1, id)).collect(), 1));
        let model = model(tandem.until(500.0).window(1.0));
        assert_eq!((model.sources(), model.sinks(), model.warnings()), (1, 1, [].as_slice()));
        let outcome = simulate(&model, &mut unwatched()).expect("a run").outcome;
        assert!(outcome.sinks[0].tokens > 0);
    }
}

#[test]
fn a_random_regular_network_has_its_degree_everywhere() {
    for (stations, degree) in [(2, 1), (5, 4), (64, 1), (500, 3), (2000, 16)] {
        for seed in 0..3 {
            let network = generate(Topology::RandomRegular { stations, degree, seed });
            let (pairs, out) = pairs(&network);
            assert_eq!((pairs.len() as u32, out), (stations * degree, 0));
            assert_eq!(degrees(&pairs, stations), (vec![degree; stations as usize], vec![degree; stations as usize]));
            assert!(pairs.iter().all(|(from, to)| from != to));
            assert_eq!(reached(&pairs, stations), stations as usize);
            assert_equal_parts(&network, &vec![degree; stations as usize], 0.0);
        }
    }
}

#[test]
fn a_scale_free_network_leads_both_ways_and_has_hubs() {
    for (stations, edges) in [(2, 1), (6, 5), (50, 1), (3000, 2)] {
        let network =
            Network::generate(&Topology::ScaleFree { stations, edges, seed: 4 }, &each(), 0.25).expect("sizes");
        let (pairs, _) = pairs(&network);
        let (out, into) = degrees(&pairs, stations);
        assert_eq!((pairs.len() as u32, &out), (2 * edges * (stations - edges), &into));
        assert_eq!(reached(&pairs, stations), stations as usize);
        assert_equal_parts(&network, &out, 0.25);
        let set: HashSet<_> = pairs.iter().copied().collect();
        assert_eq!(set.len(), pairs.len(), "no two routes between the same stations");
        assert!(set.iter().all(|(from, to)| from != to && set.contains(&(*to, *from))));
        assert!(out[edges as usize..].iter().all(|degree| *degree >= edges));
    }
    // The largest degree grows with the root of the number of stations: a random graph of this density has below 20.
    let (pairs, _) = pairs(&generate(Topology::ScaleFree { stations: 3000, edges: 2, seed: 4 }));
    assert!(*degrees(&pairs, 3000).0.iter().max().expect("stations") > 50);
}

#[test]
fn one_seed_is_one_network() {
    let regular = |seed| generate(Topology::RandomRegular { stations: 100, degree: 3, seed });
    let free = |seed| generate(Topology::ScaleFree { stations: 100, edges: 3, seed });
    assert!(regular(5) == regular(5) && free(5) == free(5));
    assert!(regular(5) != regular(6) && free(5) != free(6));
    // What every platform must draw.
    let last = |network: Network| pairs(&network).0.iter().rev().map(|pair| pair.1).take(9).collect::<Vec<_>>();
    assert_eq!(last(regular(5)), [52, 43, 11, 90, 50, 85, 51, 91, 22]);
    assert_eq!(last(free(5)), [32, 28, 86, 3, 0, 10, 12, 35, 0]);
}

/// Hundreds of thousands of stations and a million routes: quadratic work would never end.
#[test]
fn large_networks_can_be_made() {
    let stations = 250_000;
    assert_eq!(generate(Topology::Torus { width: 500, height: 500 }).routes().len(), 1_000_000);
    assert_eq!(generate(Topology::RandomRegular { stations, degree: 4, seed: 1 }).routes().len(), 1_000_000);
    assert_eq!(generate(Topology::ScaleFree { stations, edges: 2, seed: 1 }).routes().len(), 999_992);
    let tandem = Topology::Tandem { stations, interval: law("exponential:12") };
    assert_eq!(model(generate(tandem)).warnings(), []);
}

#[test]
fn sizes_are_checked() {
    let refused = |topology: Topology, expected: &str| {
        let error = Network::generate(&topology, &each(), 0.0).expect_err(expected);
        assert_eq!(error.to_string(), expected);
    };
    let (seed, interval) = (1, law("constant:1"));
    refused(Topology::Torus { width: 3, height: 0 }, "height is 0; it must be from 1 to 357913941, where width is 3");
    refused(
        Topology::Torus { width: 70_000, height: 70_000 },
        "height is 70000; it must be from 1 to 15339, where width is 70000",
    );
    refused(Topology::Torus { width: u32::MAX, height: 1 }, "width is 4294967295; it must be from 1 to 1073741823");
    refused(Topology::Ring { stations: 0 }, "stations is 0; it must be from 1 to 2147483647");
    refused(Topology::Ring { stations: 1 << 31 }, "stations is 2147483648; it must be from 1 to 2147483647");
    refused(Topology::Tandem { stations: 0, interval }, "stations is 0; it must be from 1 to 2147483645");
    let regular = |stations, degree| Topology::RandomRegular { stations, degree, seed };
    refused(regular(1, 1), "stations is 1; it must be from 2 to 2147483647");
    refused(regular(9, 0), "degree is 0; it must be from 1 to 8, where stations is 9");
    refused(regular(9, 9), "degree is 9; it must be from 1 to 8, where stations is 9");
    refused(regular(1 << 20, 5000), "degree is 5000; it must be from 1 to 4095, where stations is 1048576");
    let free = |stations, edges| Topology::ScaleFree { stations, edges, seed };
    refused(free(0, 1), "stations is 0; it must be from 2 to 2147483647");
    refused(free(5, 5), "edges is 5; it must be from 1 to 4, where stations is 5");
    refused(
        free(1_000_000, 3000),
        "edges is 3000; it must be such that the number of routes, 2 edges (stations - edges), is at most 4294967295, \
         where stations is 1000000",
    );
}

/// What the template gets wrong is found by the check, with the first station's name.
#[test]
fn the_template_is_checked() {
    let wrong = |station: Station, delay| {
        let network = Network::generate(&Topology::Ring { stations: 3 }, &station, delay).expect("sizes");
        network.check().expect_err("a fault").to_string()
    };
    assert_eq!(wrong(each().servers(0), 0.0), "station 's0': the number of servers is 0; it must be 1 or more");
    assert!(wrong(each(), -1.0).starts_with("route from station 's0': the transit delay is -1"));
    assert!(wrong(each().tokens(0), 0.0).starts_with("no token ever reaches station 's0'"));
}

#[test]
fn a_file_makes_the_same() {
    let read = |text: &str| Network::from_toml(text).unwrap_or_else(|e| panic!("{e}: {text}"));
    let common = "service = 'erlang:3,10'\nservers = 2\ncapacity = 9\ntokens = 4\ndelay = 0.5\n";
    let station = Station::new("s", law("erlang:3,10")).servers(2).capacity(9).tokens(4);
    for (kind, topology) in [
        ("kind = 'torus'\nwidth = 4\nheight = 3\n", Topology::Torus { width: 4, height: 3 }),
        ("kind = 'ring'\nstations = 5\n", Topology::Ring { stations: 5 }),
        (
            "kind = 'tandem'\nstations = 5\ninterval = 'constant:8'\n",
            Topology::Tandem { stations: 5, interval: law("constant:8") },
        ),
        (
            "kind = 'random-regular'\nstations = 20\ndegree = 3\nseed = 8\n",
            Topology::RandomRegular { stations: 20, degree: 3, seed: 8 },
        ),
        ("kind = 'scale-free'\nstations = 20\nedges = 3\n", Topology::ScaleFree { stations: 20, edges: 3, seed: 1 }),
    ] {
        let expected = Network::generate(&topology, &station, 0.5).expect("sizes");
        let expected = expected.until(70.0).warmup(7.0).seed(3).window(0.25).tokens(6);
        let top = "until = 70\nwarmup = 7\nseed = 3\nwindow = 0.25\ntokens = 6\n[generate]\n";
        assert!(read(&format!("{top}{kind}{common}")) == expected, "{kind}");
    }
    let plain = read("generate = { kind = 'ring', stations = 2, service = 'exponential:1' }");
    let station = Station::new("s", law("exponential:1"));
    assert_eq!(plain, Network::generate(&Topology::Ring { stations: 2 }, &station, 0.0).expect("sizes"));
}

#[test]
fn faults_of_the_table_name_their_line() {
    let torus = "until = 5\n[generate]\nkind = 'torus'\nservice = 'exponential:10'\nwidth = 4\n";
    let desk = "[[station]]\nname = 'desk'\nservice = 'exponential:1'\n";
    for (text, line, part) in [
        (
            format!("{torus}height = 3\ndegree = 2\n"),
            7,
            "kind \"torus\" has no `degree`; of its own it has `width`, `height`",
        ),
        (torus.to_owned(), 2, "kind \"torus\" needs the key `height`, which is missing"),
        (format!("{torus}height = 0\n"), 6, "height is 0; it must be from 1 to 268435455, where width is 4"),
        (format!("{torus}height = -1\n"), 6, "`height` is -1; it must be a whole number from 0 to 4294967295"),
        (format!("{torus}height = 3\ncolour = 'red'\n"), 7, "colour"),
        (format!("{torus}height = 3\n[[route]]\nfrom = 's0'\nto = 's1'\n"), 8, "[[route]] beside [generate]"),
        (format!("{torus}height = 3\n{desk}"), 8, "[[station]] beside [generate]"),
        (format!("{desk}{}height = 3\n", torus.replace("until = 5\n", "")), 2, "[[station]] beside [generate]"),
        (format!("{torus}height = 3\n[[sink]]\nname = 'out'\n"), 8, "[[sink]] beside [generate]"),
        ("[generate]\nkind = 'star'\nservice = 'constant:1'\n".to_owned(), 2, "random-regular"),
        ("[generate]\nkind = 'ring'\nstations = 4\n".to_owned(), 1, "service"),
        ("\n[generate]\nstations = 4\nservice = 'constant:1'\n".to_owned(), 2, "kind"),
        ("[generate]\nkind = 'ring'\nstations = 4\nservice = 'constant:x'\n".to_owned(), 4, "not a number"),
        (
            "[generate]\nkind = 'tandem'\nservice = 'constant:1'\nstations = 4\ninterval = 'daily'\n".to_owned(),
            5,
            "daily",
        ),
        (
            "[generate]\nkind = 'ring'\nstations = 4\nservice = 'constant:1'\nseed = 3\n".to_owned(),
            5,
            "kind \"ring\" has no `seed`",
        ),
    ] {
        let error = Network::from_toml(&text).expect_err(&text);
        assert!(error.line == line && error.fault.contains(part), "{error} for:\n{text}");
    }
}
