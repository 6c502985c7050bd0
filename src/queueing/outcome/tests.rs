use super::*;
use tickless_core::statistics::FacilityRecord;
use tickless_core::time::Time;

fn outcome() -> NetworkOutcome {
    let stations = Outcome {
        facilities: vec![FacilityRecord { in_service: Time::NEVER, ..Default::default() }; 3],
        queue: vec![],
        services: vec![],
        from: Time::ZERO,
        until: Time::UNIT,
        added_up: None,
    };
    let sinks = vec![SinkRecord { tokens: 5, from_sources: 4, sojourn: 1 << 70 }; 2];
    NetworkOutcome {
        stations,
        sources: vec![7, 8],
        sinks,
        in_transit: 2,
        tokens_before: 1,
        lost_before: 2,
        causality_errors: vec![3],
        distributions: Some(Box::new(Distributions {
            stations: vec![Distribution {
                waiting: vec![1, 2],
                system: vec![0, 3],
                present: vec![5, 6, 7],
                blocked: vec![8],
                ..Distribution::default()
            }],
            sinks: vec![vec![9]],
            classes: vec![
                Distribution {
                    waiting: vec![1],
                    system: vec![3],
                    present: vec![5, 6],
                    joining: vec![1, 1],
                    system_targets: vec![2],
                    longest: vec![3, 4],
                    ..Distribution::default()
                };
                2
            ],
            class_sinks: vec![vec![4], vec![5]],
            sink_targets: vec![vec![9]],
            class_sink_targets: vec![vec![4], vec![0, 5]],
            longest: vec![7, 8, 7],
        })),
        classes: vec![ClassRecord { patience: 4, ..ClassRecord::default() }; 2],
        class_sinks: vec![SinkRecord::default(); 2],
        series: Some(Box::new(Series::new(1, vec![vec![3, 4], vec![5, 6]]))),
        folded: None,
        resources: vec![ResourceRecord { held: 5, ..ResourceRecord::default() }; 2],
        forks: Some(ForkRecord { copies: 3, joined: 2 }),
        down: vec![4, 5],
        absent: vec![6, 7],
        groups: vec![GroupRecord { busy: 8, batches: 11, tokens: vec![9, 10] }; 2],
        batches: vec![],
    }
}

fn recorded(outcome: &mut NetworkOutcome) -> &mut Distributions {
    outcome.distributions.as_mut().unwrap()
}

#[test]
fn one_changed_value_anywhere_is_caught() {
    type Change = fn(&mut NetworkOutcome);
    let changes: [(Place, &str, Change); 43] = [
        (Place::of("facility", 1), "waiting", |o| o.stations.facilities[1].waiting += 1),
        (Place::WHOLE, "sources[0]", |o| o.sources[0] += 1),
        (Place::WHOLE, "sources[1]", |o| o.sources[1] += 1),
        (Place::WHOLE, "sinks[0].tokens", |o| o.sinks[0].tokens += 1),
        (Place::WHOLE, "sinks[1].from_sources", |o| o.sinks[1].from_sources += 1),
        (Place::WHOLE, "sinks[1].sojourn", |o| o.sinks[1].sojourn += 1),
        (Place::WHOLE, "sinks[0].sojourn (high)", |o| o.sinks[0].sojourn += 1 << 64),
        (Place::WHOLE, "in_transit", |o| o.in_transit += 1),
        (Place::WHOLE, "tokens_before", |o| o.tokens_before += 1),
        (Place::WHOLE, "lost_before", |o| o.lost_before += 1),
        (Place::WHOLE, "causality_errors[0]", |o| o.causality_errors[0] += 1),
        (Place::WHOLE, "distributions.classes[1].system_targets[0]", |o| {
            recorded(o).classes[1].system_targets[0] += 1;
        }),
        (Place::WHOLE, "distributions.sink_targets[0][0]", |o| recorded(o).sink_targets[0][0] += 1),
        (Place::WHOLE, "distributions.class_sink_targets[1][1]", |o| recorded(o).class_sink_targets[1][1] += 1),
        (Place::WHOLE, "distributions.longest[1]", |o| recorded(o).longest[1] += 1),
        (Place::WHOLE, "distributions.classes[0].longest[1]", |o| recorded(o).classes[0].longest[1] += 1),
        (Place::WHOLE, "classes[1].reneged", |o| o.classes[1].reneged += 1),
        (Place::WHOLE, "classes[0].patience", |o| o.classes[0].patience += 1),
        (Place::WHOLE, "classes[1].waiting", |o| o.classes[1].record.waiting += 1),
        (Place::WHOLE, "class_sinks[1].tokens", |o| o.class_sinks[1].tokens += 1),
        (Place::WHOLE, "forks.copies", |o| o.forks.as_mut().unwrap().copies += 1),
        (Place::WHOLE, "down[1]", |o| o.down[1] += 1),
        (Place::WHOLE, "down[0] (high)", |o| o.down[0] += 1 << 64),
        (Place::WHOLE, "absent[1]", |o| o.absent[1] += 1),
        (Place::WHOLE, "forks.joined", |o| o.forks.as_mut().unwrap().joined += 1),
        (Place::WHOLE, "groups[1].busy (high)", |o| o.groups[1].busy += 1 << 64),
        (Place::WHOLE, "groups[1].batches", |o| o.groups[1].batches += 1),
        (Place::WHOLE, "groups[0].tokens[1]", |o| o.groups[0].tokens[1] += 1),
        (Place::WHOLE, "resources[1].grants", |o| o.resources[1].grants += 1),
        (Place::WHOLE, "resources[0].in_use", |o| o.resources[0].in_use += 1),
        (Place::WHOLE, "resources[0].held (high)", |o| o.resources[0].held += 1 << 64),
        (Place::WHOLE, "series[1][0]", |o| o.series.as_mut().unwrap().columns[1][0] += 1),
        (Place::WHOLE, "number of sources, sinks and counts", |o| o.series = None),
        (Place::WHOLE, "distributions.stations[0].waiting[1]", |o| recorded(o).stations[0].waiting[1] += 1),
        (Place::WHOLE, "distributions.stations[0].present[2]", |o| recorded(o).stations[0].present[2] += 1),
        (Place::WHOLE, "length of distributions.stations[0].system", |o| recorded(o).stations[0].system.push(1)),
        (Place::WHOLE, "distributions.stations[0].blocked[0]", |o| recorded(o).stations[0].blocked[0] += 1),
        (Place::WHOLE, "length of distributions.stations[0].joining", |o| recorded(o).stations[0].joining.push(0)),
        (Place::WHOLE, "distributions.classes[0].joining[1]", |o| recorded(o).classes[0].joining[1] += 1),
        (Place::WHOLE, "distributions.sinks[0][0]", |o| recorded(o).sinks[0][0] += 1),
        (Place::WHOLE, "distributions.classes[1].present[1]", |o| recorded(o).classes[1].present[1] += 1),
        (Place::WHOLE, "distributions.class_sinks[0][0]", |o| recorded(o).class_sinks[0][0] += 1),
        (Place::WHOLE, "length of distributions.stations[0].waiting", |o| o.distributions = None),
    ];
    let base = outcome();
    assert_eq!(base.first_difference(&base), None);
    for (place, field, change) in changes {
        let mut other = outcome();
        change(&mut other);
        let found = base.first_difference(&other).unwrap();
        assert_eq!((found.place, found.field.as_str()), (place, field));
        assert!(found.left != found.right, "{field}");
        let found = first_difference(&[base.clone(), base.clone()], &[base.clone(), other.clone()]).unwrap();
        assert_eq!((found.place, found.field.as_str()), (place.in_replication(1), field));
        // What was there at the end of the warm-up follows from the rest, and is not in the digest.
        assert_eq!(base.digest() == other.digest(), field.ends_with("_before"), "{field}");
    }
    let mut other = outcome();
    other.sources.pop();
    assert_eq!(base.first_difference(&other).unwrap().field, "number of sources, sinks and counts");
    let found = first_difference(std::slice::from_ref(&base), &[base.clone(), base.clone()]).unwrap();
    assert_eq!(found.to_string(), "field number of replications: 1 against 2");
}
