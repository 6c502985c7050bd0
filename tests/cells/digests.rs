//! Digests that are kept.

use std::path::Path;

use tickless::cells::fire::{Fire, Landscape, Spreading, Weather};
use tickless::cells::gpu::DeviceCells;
use tickless::cells::rules::RuleFile;
use tickless::cells::{self, Watershed};
use tickless::device::Target;
use tickless::run::unwatched;
use tickless::time::Time;

fn digest(model: &impl DeviceCells, replications: u32) -> String {
    cells::run(model, 0..replications, Target::Heap, Default::default(), &mut unwatched())
        .unwrap_or_else(|e| panic!("{e}"))
        .outcome
        .digest()
        .to_string()
}

/// A fire under a wind from the south-west, on a landscape made up of the same seed.
fn fire(spreading: Spreading, side: u32, wind: &str, until: f64, replications: u32, seed: u64) -> String {
    let columns = "minutes,wind_kmh,wind_adjustment,wind_from,moisture_1h,moisture_10h,moisture_100h,moisture_herb";
    let weather = format!("{columns},moisture_woody\n0,{wind},0.4,225,6,7,8,60,90\n");
    let weather = Weather::parse(&weather, "weather.csv").expect("weather");
    let landscape = Landscape::made_up(side, side, seed).expect("a landscape");
    let fire = Fire::new(landscape, weather).until(until).seed(seed);
    digest(&fire.spreading(spreading).check().expect("a fire"), replications)
}

fn watershed(side: u32, soil: f64, until: f64, seed: u64) -> String {
    let heights = Landscape::made_up_heights(side, side, seed).expect("heights");
    digest(&Watershed::new(side, side, heights).soil(soil).until(until).check().expect("a watershed"), 1)
}

fn rules(name: &str, until: f64, replications: u32, seed: u64) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/cells").join(name);
    let file = RuleFile::read(&path).unwrap_or_else(|e| panic!("{e}"));
    digest(&file.model(Time::from_units(until).expect("a time"), seed), replications)
}

/// What the contract says of these models, kept: a change here is a change of every user's results.
#[test]
fn golden_digests() {
    let mut seen = 0;
    for line in include_str!("../golden.txt").lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        let number = |text: &str| text.parse::<f64>().expect("a number");
        let whole = |text: &str| text.parse::<u32>().expect("a count");
        let seed = |text: &str| text.parse::<u64>().expect("a seed");
        let (found, digest) = match words[..] {
            ["fire", spread, side, wind, until, replications, s, digest] => {
                let spreading = if spread == "fronts" { Spreading::Fronts } else { Spreading::Neighbours };
                (fire(spreading, whole(side), wind, number(until), whole(replications), seed(s)), digest)
            }
            ["watershed", side, soil, until, s, digest] => {
                (watershed(whole(side), number(soil), number(until), seed(s)), digest)
            }
            ["rules", name, until, replications, s, digest] => {
                (rules(name, number(until), whole(replications), seed(s)), digest)
            }
            _ => continue,
        };
        assert_eq!(found, digest, "{line}");
        seen += 1;
    }
    assert_eq!(seen, 10);
}

/// The seed of the draws, the horizon and the weather are part of what is kept.
#[test]
fn what_is_asked_changes_the_digest() {
    let fronts = |wind, until, seed| fire(Spreading::Fronts, 16, wind, until, 1, seed);
    let fires = [
        fronts("0", 600.0, 1),
        fronts("9", 600.0, 1),
        fronts("0", 600.0, 2),
        fronts("0", 90.0, 1),
        fire(Spreading::Neighbours, 16, "0", 600.0, 1, 1),
    ];
    let waters = [watershed(8, 0.0, 90.0, 1), watershed(8, 3.0, 90.0, 1), watershed(8, 0.0, 60.0, 1)];
    let forests = [rules("forest.ma", 20.0, 1, 1), rules("forest.ma", 20.0, 1, 2), rules("forest.ma", 19.0, 1, 1)];
    let all: std::collections::BTreeSet<String> = fires.into_iter().chain(waters).chain(forests).collect();
    assert_eq!(all.len(), 11);
}
