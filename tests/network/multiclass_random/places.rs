//! Sources, groups of servers, attributes, units and routes of random networks.

use super::*;

/// A source whose tokens come otherwise than by a law, and how.
pub fn further(
    name: String,
    classes: &[ClassId],
    (to, is_varied): (StationId, bool),
    attributes: &[AttributeId],
    pick: &mut impl FnMut(u32) -> u32,
) -> (Source, &'static str) {
    let batch = vec![0.25, 0.0, 0.75];
    match pick(2) {
        _ if !is_varied => {
            let rates = Rates::new(vec![(0.0, 1.0), (5.0, 0.0), (6.5, f64::from(pick(3)))]);
            let rates = if pick(2) == 0 { rates.every(8.0) } else { rates };
            (Source::by_rates(name, rates, to).batch(batch), "rates")
        }
        0 => {
            let changes = vec![vec![-1.5, 0.5, 0.0], vec![0.0, -2.0, 1.0], vec![0.25, 0.25, -0.5]];
            let brings = vec![vec![1.0, 0.0, 0.0], vec![0.0, 0.5, 0.5], vec![0.0; 3]];
            (Source::by_phases(name, Phases::map(changes, brings), to).batch(batch), "phases")
        }
        _ => {
            let class = classes.last().copied();
            let row = |number: u32| {
                (f64::from(number * number) / 4.0, class.filter(|_| number.is_multiple_of(3)), 1 + number % 4)
            };
            let mut trace = Trace::new((1..20).map(row).collect());
            if let [size, ..] = attributes {
                let value = |number: u32| (!number.is_multiple_of(3)).then_some(f64::from(number) / 8.0);
                trace = trace.values(*size, (1..20).map(value).collect());
            }
            (Source::by_trace(name, trace, to), "trace")
        }
    }
}

/// What tokens carry: a size, which the last class draws otherwise, a due date, and what nobody asks for.
pub fn attributes_of(network: &mut Network, classes: &[ClassId]) -> Vec<AttributeId> {
    let size = Attribute::new("size", law("exponential:1"));
    let size = classes.last().map_or(size.clone(), |last| size.of_class(*last, law("uniform:0.5,2")));
    let due = Attribute::new("due", law("uniform:1,9"));
    let all = [size, due, Attribute::new("colour", law("constant:1"))];
    all.into_iter().map(|attribute| network.attribute(attribute)).collect()
}

/// A discipline by what tokens carry, or by how much is to be done. Nobody with the least left is held, or has units.
pub fn by_attribute(uses: Uses, pick: &mut impl FnMut(u32) -> u32) -> Discipline {
    let is_free = !(uses.blocking || uses.units || uses.paced || uses.absences);
    match pick(5) {
        0 if is_free => Discipline::ShortestRemaining,
        0 | 1 => Discipline::PreemptiveShortestJob,
        2 => Discipline::LeastValue,
        3 => Discipline::EarliestDue,
        _ => Discipline::Ageing,
    }
}

/// Whether who comes to such a station interrupts others of its priority.
pub fn is_preemptive(discipline: Discipline) -> bool {
    use Discipline::{LastComePreemptive, PreemptiveShortestJob, ShortestRemaining};
    matches!(discipline, LastComePreemptive | PreemptiveShortestJob | ShortestRemaining)
}

/// A station with groups of servers, the first of which serves everybody.
pub fn grouped(
    mut station: Station,
    classes: &[ClassId],
    (uses, used): (Uses, &mut Used),
    pick: &mut impl FnMut(u32) -> u32,
) -> Station {
    used.insert("groups".into());
    let has_shifts = !uses.blocking;
    // Nobody behind the first in line waits longer.
    let has_wait = uses.bulks && pick(2) == 0;
    if !has_wait && pick(3) == 0 {
        station = station.discipline(Discipline::LastCome);
    }
    let runs_on = uses.attributes && has_shifts && !has_wait && !uses.forks && pick(2) == 0;
    for number in 0..2 + pick(2) {
        let mut group = ServerGroup::new(format!("g{number}"), 1);
        let mut serves: Vec<ClassId> = classes.iter().copied().filter(|_| number == 0 || pick(2) == 0).collect();
        let first = pick(classes.len() as u32) as usize;
        if first < serves.len() {
            serves.swap(0, first);
        }
        let mut several = classes.len() > 1;
        if !serves.is_empty() && pick(4) > 0 {
            several = serves.len() > 1;
            group = group.service_of(serves[0], law(LAWS[pick(4) as usize])).serves(serves);
        }
        group = match pick(4) {
            0 => group.service(law(LAWS[pick(4) as usize])),
            1 => group.factor([0.001, 1.25, 3.0][pick(3) as usize]),
            2 => {
                several = false;
                group.first_in_line()
            }
            _ => group,
        };
        let group_has_shifts = has_shifts && pick(2) == 0;
        if group_has_shifts {
            let shifts = Shifts::new(vec![(0.0, pick(2)), (f64::from(1 + pick(9)), 1), (10.0, pick(2))]);
            group = group.shifts(if pick(2) == 0 { shifts.every(12.0) } else { shifts });
        }
        if has_shifts && !uses.bulks && !runs_on && pick(2) == 0 {
            used.insert("failures of groups".into());
            group = group.failures(law("exponential:6"), law("uniform:0.5,2"));
        }
        if uses.bulks && !runs_on && pick(2) == 0 {
            group = in_batches(group, has_wait, used, pick);
        } else if uses.bulks && several && pick(3) == 0 {
            used.insert("turns".into());
            group = group.polling([Polling::Exhaustive, Polling::Gated, Polling::Limited(2)][pick(3) as usize]);
            group = match pick(4) {
                kind @ 0..2 if !group_has_shifts => {
                    used.insert("walks".into());
                    let group = group.walking(law(["constant:0.25", "uniform:0.2,1"][kind as usize]));
                    if pick(2) == 0 { group.rests() } else { group }
                }
                2 => group.switching(law("constant:0.25")),
                _ => group,
            };
        }
        station = station.group(group);
    }
    if runs_on || has_shifts && !has_wait && pick(3) == 0 {
        station = station.patience(law(LAWS[pick(4) as usize]), None);
        if runs_on {
            used.insert("patience amid services".into());
            station = station.patience_runs_on();
        }
    }
    station
}

/// A group whose servers serve several tokens at once.
fn in_batches(group: ServerGroup, has_wait: bool, used: &mut Used, pick: &mut impl FnMut(u32) -> u32) -> ServerGroup {
    used.insert("services of several".into());
    let least = 1 + pick(3);
    let group = group.batch_most(least + pick(3)).batch_least(least);
    let group = if pick(2) == 0 { group.batch_factors(vec![1.5]) } else { group };
    let group = if least > 1 && pick(2) == 0 { group.batch_factors(vec![0.75, 1.25]) } else { group };
    if !has_wait || least == 1 {
        return group;
    }
    used.insert("longest waits".into());
    group.batch_wait(1.5)
}

/// A station that takes units and gives some back: all that there are, sooner or later.
pub fn with_units(
    station: Station,
    ([room, tool], steel): ([ResourceId; 2], Option<ResourceId>),
    (place, is_early): (usize, bool),
    (used, pick): (&mut Used, &mut impl FnMut(u32) -> u32),
) -> Station {
    let (station, seizes) = match pick(3) {
        _ if place == 0 => (station.seizes(room, 1), true),
        0 => (station.seizes(room, 1).seizes(tool, 1), true),
        kind if kind == 1 || place == 1 => (station.seizes(tool, 1), true),
        _ => (station, false),
    };
    let mut station = station.releases(room, 3).releases(tool, 2);
    if let Some(steel) = steel {
        if place == 0 {
            used.insert("stock".into());
            station = station.uses(steel, 1 + pick(2));
        } else if place == 1 {
            station = station.delivers(steel, 2);
        }
        if seizes && !is_early && pick(2) == 0 {
            used.insert("alternatives".into());
            station = station.or_seizes([(tool, 2)]);
        }
    }
    if !seizes {
        return station;
    }
    used.insert(format!("seizes at the {}", if is_early { "arrival" } else { "service" }));
    if is_early { station.seizes_at_arrival() } else { station }
}

/// A station that puts tokens together, or splits them, without a fork.
pub fn splitting(
    mut station: Station,
    classes: &[ClassId],
    (uses, routing): (Uses, Routing),
    (used, pick): (&mut Used, &mut impl FnMut(u32) -> u32),
) -> Station {
    if uses.kits {
        used.insert("kits".into());
        let parts = classes.iter().take(2).map(|class| (*class, 1 + pick(2)));
        let parts: Vec<_> = if classes.len() == 1 { vec![(classes[0], 2)] } else { parts.collect() };
        // Each part has room beside the other one.
        for (class, _) in parts.iter().filter(|_| parts.len() > 1) {
            station = station.class(ClassOfStation::new(*class).capacity(4));
        }
        station = station.kit(parts);
    }
    if routing == Routing::Fork || uses.kits && pick(2) == 0 {
        return station;
    }
    used.insert("splits".into());
    station.splitting(vec![0.25, 0.5, 0.25])
}

/// The routes from a station: on to the next one, and out; by queues only to stations.
pub fn ways(
    (network, classes): (&mut Network, &[ClassId]),
    (ids, blocking, out): (&[StationId], &[bool], SinkId),
    (place, routing, splits): (usize, Routing, bool),
    pick: &mut impl FnMut(u32) -> u32,
) {
    let (id, next) = (ids[place], (place + 1) % ids.len());
    let delay = f64::from(pick(2)) * 0.5;
    let by_value = routing == Routing::ByAttribute;
    let mut add = |to: usize, share: f64, change: Option<(ClassId, ClassId)>| {
        let mut route = Route::new(id, ids[to]).delay(if blocking[to] { 0.0 } else { delay });
        if routing == Routing::Random {
            route = route.probability(share);
        }
        if let Some((class, other)) = change {
            route = route.class(class).becomes(other);
        }
        // The first route of two has a value.
        network.add_route(if by_value && share < 0.6 { route.up_to(1.25) } else { route });
    };
    let other = pick(ids.len() as u32) as usize;
    let other = if splits && blocking[other] { next } else { other };
    add(next, 0.5, None);
    if pick(2) == 0 {
        let (class, becomes) = (classes[0], classes[pick(classes.len() as u32) as usize]);
        add(other, 0.25, Some((class, becomes)));
        add(next, 0.75, Some((class, class)));
    }
    match routing {
        Routing::Random => network.add_route(Route::new(id, out).probability(0.5)),
        Routing::RoundRobin | Routing::ByVisit | Routing::ByAttribute => network.add_route(Route::new(id, out)),
        _ => add(other, 0.5, None),
    }
}

/// The disciplines that draw services at the arrival.
pub const KNOW_SERVICES: [Discipline; 3] =
    [Discipline::ShortestJob, Discipline::PreemptiveShortestJob, Discipline::ShortestRemaining];

/// Services of some stations take longer at some times; it draws nothing, so that all else stays as it is without.
pub fn timed(station: Station, number: u32, used: &mut Used) -> Station {
    if number.is_multiple_of(3) {
        return station;
    }
    used.insert("time factors".into());
    let first = if number.is_multiple_of(2) { 0.5 } else { 1.7 };
    let factors = TimeFactors::new(vec![(0.0, first), (f64::from(1 + number % 6), 1.0), (7.5, 0.3)]);
    station.time_factors(if number.is_multiple_of(5) { factors } else { factors.every(8.3) })
}

/// Rooms and tools, of which not all are always there in some networks.
pub fn resources(number: u32, is_preemptive: bool, used: &mut Used) -> [Resource; 2] {
    let (mut room, mut tool) = (Resource::new("room", 3), Resource::new("tool", 2));
    if !number.is_multiple_of(3) {
        used.insert("shifts of units".into());
        let shifts = Shifts::new(vec![(0.0, 2), (1.5, 3), (4.0, 1)]);
        room = room.shifts(if number.is_multiple_of(5) { shifts } else { shifts.every(6.5) });
    }
    if number.is_multiple_of(4) {
        used.insert("failures of units".into());
        tool = tool.failures(law("exponential:9"), law("uniform:0.5,2"));
    }
    if is_preemptive {
        used.insert("preemptive units".into());
        tool = tool.preemptive();
    }
    [room, tool]
}
