//! Pairs of what tokens need, against Markov chains: kits with batches, alternatives with priorities, stock with patience, splits and batches
//! with little room.

use super::chain::Chain;
use super::pairs::{at, gone, lost, taken};
use super::theory::{assert_figures, mean_present, units};
use super::*;
use tickless::queueing::{Class, ClassOfStation, ResourceId, ServerGroup, Source, Station};

/// Units of a resource that are held or missing, in the mean over time.
fn held(resource: usize) -> impl Fn(&NetworkOutcome) -> f64 {
    move |outcome| units(outcome.resources[resource].held) / outcome.stations.measured()
}

/// Kits and batches, with little room by class: a kit has the room of its frame until the batch of two is served.
#[test]
fn kits_are_served_two_at_a_time() {
    let (of_frames, of_wheels, services, room) = (0.8, 1.5, 0.7, [4, 3]);
    // Frames and wheels that wait for each other, kits in line, and those that are served.
    type State = (u32, u32, u32, u32);
    fn next((frames, wheels, line, served): State) -> State {
        match (frames, wheels, line, served) {
            (1.., 2.., ..) => next((frames - 1, wheels - 2, line + 1, served)),
            (_, _, 2.., 0) => (frames, wheels, line - 2, 2),
            other => other,
        }
    }
    let chain = Chain::new((0, 0, 0, 0), |(frames, wheels, line, served): State| {
        let mut moves = vec![];
        if frames + line + served < room[0] {
            moves.push((next((frames + 1, wheels, line, served)), of_frames));
        }
        if wheels < room[1] {
            moves.push((next((frames, wheels + 1, line, served)), of_wheels));
        }
        if served > 0 {
            moves.push((next((frames, wheels, line, 0)), services));
        }
        moves
    });
    let mut network = Network::new().warmup(100.0).until(8_100.0);
    let [frame, wheel] = ["frame", "wheel"].map(|name| network.class(Class::new(name)));
    let station = Station::new("bench", at(services)).kit([(frame, 1), (wheel, 2)]);
    let station = station.group(ServerGroup::new("pairs", 1).batch_most(2).batch_least(2));
    let [frames, wheels] = [(frame, 0), (wheel, 1)].map(|(class, of)| ClassOfStation::new(class).capacity(room[of]));
    let bench = network.station(station.class(frames).class(wheels));
    let out = network.sink("out");
    network.route(bench, out, 1.0, 0.0);
    for (name, class, rate) in [("frames", frame, of_frames), ("wheels", wheel, of_wheels)] {
        network.source(Source::new(name, at(rate), bench).class(class));
    }
    let all = |(frames, wheels, line, served): State| f64::from(frames + wheels + line + served);
    let no_frames = chain.share(|(frames, _, line, served)| frames + line + served == room[0]);
    assert_figures(
        &network,
        &[
            ("lost frames", no_frames, &lost(0)),
            ("lost wheels", chain.share(|(_, wheels, ..)| wheels == room[1]), &lost(1)),
            ("present", chain.mean(all), &|one| mean_present(one, 0)),
            ("taken", chain.share(|(.., served)| served > 0), &taken(0)),
        ],
    );
}

/// Who has a unit.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Holder {
    Nobody,
    High,
    Middle,
    Low,
}

/// Who has the doctor and the registrar, and who waits, by priority.
type Ward = (Holder, Holder, [u32; 3]);

/// Free units are given to those that wait.
fn grant((doctor, registrar, line): Ward) -> Ward {
    use Holder::{High, Low, Middle, Nobody};
    for (place, holder) in [High, Middle, Low].into_iter().enumerate() {
        let mut less = line;
        less[place] = less[place].saturating_sub(1);
        match (doctor, registrar) {
            _ if line[place] == 0 => {}
            (Nobody, _) => return grant((holder, registrar, less)),
            (_, Nobody) if holder != Middle => return grant((doctor, holder, less)),
            _ => {}
        }
    }
    (doctor, registrar, line)
}

/// Alternatives and priorities: the first and the last class take a doctor, or else a registrar; the one between them needs the doctor, at
/// another station. Who is last there may take the registrar before who is served only by the doctor.
#[test]
fn the_next_in_rank_has_no_alternative() {
    use Holder::{High, Low, Middle, Nobody};
    let rate_of = |holder: Holder| match holder {
        High => 1.0,
        Middle => 0.8,
        _ => 0.7,
    };
    let count = |state: Ward, holder: Holder| u32::from(state.0 == holder) + u32::from(state.1 == holder);
    let at_ward = |state: Ward| state.2[0] + state.2[2] + count(state, High) + count(state, Low);
    let at_theatre = |state: Ward| state.2[1] + count(state, Middle);
    let arrivals = [0.4, 0.35, 0.5];
    let chain = Chain::new((Nobody, Nobody, [0; 3]), |state: Ward| {
        let (doctor, registrar, line) = state;
        let mut moves = vec![];
        for (place, rate) in arrivals.into_iter().enumerate() {
            if if place == 1 { at_theatre(state) < 3 } else { at_ward(state) < 5 } {
                let mut line = line;
                line[place] += 1;
                moves.push((grant((doctor, registrar, line)), rate));
            }
        }
        if doctor != Nobody {
            moves.push((grant((Nobody, registrar, line)), rate_of(doctor)));
        }
        if registrar != Nobody {
            moves.push((grant((doctor, Nobody, line)), rate_of(registrar)));
        }
        moves
    });
    let mut network = Network::new().warmup(100.0).until(8_100.0);
    let classes = [0, 1, 2].map(|level| network.class(Class::new(format!("c{level}")).priority(level)));
    let [doctor, registrar] = ["doctor", "registrar"].map(|name| network.resource(name, 1));
    let seizes = |name: &str, rate: f64, others: &[(ResourceId, u32)]| {
        let station = Station::new(name, at(rate)).infinite_servers().seizes(doctor, 1).releases(doctor, 1);
        others.iter().fold(station, |station, (of, units)| station.or_seizes([(*of, *units)]).releases(*of, *units))
    };
    let ward = seizes("ward", rate_of(High), &[(registrar, 1)]).capacity(5);
    let ward = network.station(ward.class(ClassOfStation::new(classes[2]).service(at(rate_of(Low)))));
    let theatre = network.station(seizes("theatre", rate_of(Middle), &[]).capacity(3));
    let out = network.sink("out");
    for station in [ward, theatre] {
        network.route(station, out, 1.0, 0.0);
    }
    for (place, (class, rate)) in classes.into_iter().zip(arrivals).enumerate() {
        let to = if place == 1 { theatre } else { ward };
        network.source(Source::new(format!("in {place}"), at(rate), to).class(class));
    }
    assert_figures(
        &network,
        &[
            ("at the ward", chain.mean(|state| f64::from(at_ward(state))), &|one| mean_present(one, 0)),
            ("at the theatre", chain.mean(|state| f64::from(at_theatre(state))), &|one| mean_present(one, 1)),
            ("doctor", chain.share(|(doctor, ..)| doctor != Nobody), &held(0)),
            ("registrar", chain.share(|(_, registrar, _)| registrar != Nobody), &held(1)),
        ],
    );
}

/// Stock and patience: who waits for steel beside a free server may give up; three units come at a time, two are used, and five have room.
#[test]
fn who_waits_for_stock_gives_up() {
    let (arrivals, services, patience, deliveries) = (0.8, 1.25, 0.3, 0.5);
    // Tokens in line, whether one is served, and units on hand.
    type State = (u32, bool, u32);
    fn next((line, busy, stock): State) -> State {
        if !busy && line > 0 && stock >= 2 { (line - 1, true, stock - 2) } else { (line, busy, stock) }
    }
    let chain = Chain::new((0, false, 5), |(line, busy, stock): State| {
        let mut moves = vec![
            (next(((line + 1).min(25), busy, stock)), arrivals),
            (next((line, busy, (stock + 3).min(5))), deliveries),
        ];
        moves.extend(busy.then(|| (next((line, false, stock)), services)));
        moves.extend((line > 0).then(|| ((line - 1, busy, stock), patience * f64::from(line))));
        moves
    });
    let mut network = Network::new().warmup(100.0).until(8_100.0);
    let steel = network.resource("steel", 5);
    let forge = Station::new("forge", at(services)).patience(at(patience), None).uses(steel, 2);
    let forge = network.station(forge);
    let truck = network.station(Station::new("truck", at(deliveries)).tokens(1).delivers(steel, 3));
    let out = network.sink("out");
    network.route(forge, out, 1.0, 0.0);
    network.route(truck, truck, 1.0, 0.0);
    network.source(Source::new("in", at(arrivals), forge));
    let line = chain.mean(|(line, ..)| f64::from(line));
    assert_figures(
        &network,
        &[
            ("present", line + chain.share(|(_, busy, _)| busy), &|one| mean_present(one, 0)),
            ("gone", patience * line / arrivals, &gone(0)),
            ("missing", chain.mean(|(.., stock)| f64::from(5 - stock)), &held(0)),
        ],
    );
}

/// Splits and little room: of the tokens that one becomes as many go in as there is room for, and the others come back after a while.
#[test]
fn some_of_those_that_split_find_room() {
    let (arrivals, unpacks, services, back, shares) = (0.5, 1.0, 2.0, 0.5, [0.4, 0.3, 0.3]);
    // Tokens before they split, behind that, and aside.
    let chain = Chain::new((0, 0, 0), |(whole, parts, aside): (u32, u32, u32)| {
        let mut moves = vec![];
        if whole < 2 {
            moves.push(((whole + 1, parts, aside), arrivals));
        }
        if whole > 0 {
            for (number, share) in (1..).zip(shares) {
                let go_in = number.min(3 - parts);
                moves.push(((whole - 1, parts + go_in, (aside + number - go_in).min(30)), unpacks * share));
            }
        }
        if parts > 0 {
            moves.push(((whole, parts - 1, aside), services));
        }
        if aside > 0 && parts < 3 {
            moves.push(((whole, parts + 1, aside - 1), back * f64::from(aside)));
        }
        moves
    });
    let mut network = Network::new().warmup(100.0).until(12_100.0);
    let unpack = network.station(Station::new("unpack", at(unpacks)).capacity(2).splitting(shares.to_vec()));
    let aside = network.station(Station::new("aside", at(back)).infinite_servers());
    let desk = network.station(Station::new("desk", at(services)).capacity(3).full_to(aside));
    let out = network.sink("out");
    for (from, to) in [(unpack, desk), (aside, desk)] {
        network.route(from, to, 1.0, 0.0);
    }
    network.route(desk, out, 1.0, 0.0);
    network.source(Source::new("in", at(arrivals), unpack));
    assert_figures(
        &network,
        &[
            ("at unpack", chain.mean(|(whole, ..)| f64::from(whole)), &|one| mean_present(one, 0)),
            ("aside", chain.mean(|(.., aside)| f64::from(aside)), &|one| mean_present(one, 1)),
            ("at the desk", chain.mean(|(_, parts, _)| f64::from(parts)), &|one| mean_present(one, 2)),
        ],
    );
}

/// Blocking and batches: two places are free at once where a batch leaves; the server takes who is in line there before those come that have
/// waited for room elsewhere, and else the first of these alone.
#[test]
fn a_batch_makes_room_for_two() {
    let (arrivals, forms, oven_rate) = (1.4, 1.0, 0.6);
    // Tokens in line, in service and held at the first station; in line and in service at the oven.
    type State = (u32, u32, u32, u32, u32);
    fn next((line, served, held, behind, baked): State) -> State {
        let more = line.min(2 - served - held);
        (line - more, served + more, held, behind, baked)
    }
    let chain = Chain::new((0, 0, 0, 0, 0), |(line, served, held, behind, baked): State| {
        let comes = |held: u32, behind: u32, baked: u32| {
            if baked == 0 { (held, behind, 1) } else { (held, behind + 1, baked) }
        };
        let mut moves = vec![];
        if line + served + held < 4 {
            moves.push((next((line + 1, served, held, behind, baked)), arrivals));
        }
        if served > 0 {
            let full = behind + baked == 3;
            let (held, behind, baked) = if full { (held + 1, behind, baked) } else { comes(held, behind, baked) };
            moves.push((next((line, served - 1, held, behind, baked)), forms * f64::from(served)));
        }
        if baked > 0 {
            let mut oven = (held, behind - behind.min(2), behind.min(2));
            while oven.0 > 0 && oven.1 + oven.2 < 3 {
                oven = comes(oven.0 - 1, oven.1, oven.2);
            }
            moves.push((next((line, served, oven.0, oven.1, oven.2)), oven_rate));
        }
        moves
    });
    let mut network = Network::new().warmup(100.0).until(8_100.0);
    let form = network.station(Station::new("form", at(forms)).servers(2).capacity(4));
    let oven = Station::new("oven", at(oven_rate)).capacity(3).blocking();
    let oven = network.station(oven.group(ServerGroup::new("oven", 1).batch_most(2)));
    let out = network.sink("out");
    network.route(form, oven, 1.0, 0.0);
    network.route(oven, out, 1.0, 0.0);
    network.source(Source::new("in", at(arrivals), form));
    let is_held = |outcome: &NetworkOutcome| units(outcome.classes[0].blocked) / outcome.stations.measured();
    let size = |outcome: &NetworkOutcome| outcome.groups[0].tokens[0] as f64 / outcome.groups[0].batches as f64;
    let (works, served) = (chain.share(|state| state.4 > 0), chain.mean(|state| f64::from(state.1)));
    assert_figures(
        &network,
        &[
            ("lost", chain.share(|(line, served, held, ..)| line + served + held == 4), &lost(0)),
            ("held", chain.mean(|(_, _, held, ..)| f64::from(held)), &is_held),
            ("at the oven", chain.mean(|(.., behind, baked)| f64::from(behind + baked)), &|one| mean_present(one, 1)),
            ("taken", works, &taken(0)),
            ("size of batches", forms * served / (oven_rate * works), &size),
        ],
    );
}
