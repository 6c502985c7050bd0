//! What approximate time costs: causality errors and errors of the figures against the interval.
//!
//! Prints the tables of docs/networks.md: a closed torus as in Park and Fishwick (2010) and Sang et al. (2019), one token
//! at each station and exponential services of mean 10, for each side that is named on the command line; and an open network. Every
//! figure is the mean of as many replications as `-r` says, with half of its 95 % interval, of the relative error against exact
//! time in percent. Beside them stand the errors of exact time with a window of the same length. All runs of a replication
//! have the same random streams. Asserts that the causality errors grow with the interval.
//!
//! `cargo run --release --example approximate -- -r 20 32 64 128` is what the document shows.

use tickless::device::Target;
use tickless::queueing::{self, Network, NetworkOutcome, Source, Station, Topology};
use tickless::run::unwatched;
use tickless::statistics::Estimate;

type Failure = Box<dyn std::error::Error>;

/// Of every service.
const MEAN: f64 = 10.0;
const FIGURES: &str = "utilization, % | waiting, % | system, %";
const INTERVALS: [f64; 7] = [0.1, 0.25, 0.5, 1.0, 2.0, 5.0, 10.0];

fn main() -> Result<(), Failure> {
    let mut arguments: Vec<String> = std::env::args().skip(1).collect();
    let mut replications = 10;
    if arguments.first().is_some_and(|first| first == "-r") {
        replications = arguments.get(1).ok_or("-r needs a number")?.parse()?;
        arguments.drain(..2);
    }
    let sides = arguments.iter().map(|side| side.parse()).collect::<Result<Vec<u32>, _>>()?;
    for side in if sides.is_empty() { vec![16] } else { sides } {
        table(&format!("closed torus of side {side}"), &torus(side)?, replications)?;
    }
    for load in [0.5, 0.8] {
        table(&format!("open grid, load {load}"), &open(load)?, replications)?;
    }
    Ok(())
}

fn torus(side: u32) -> Result<Network, Failure> {
    let each = Station::new("s", format!("exponential:{MEAN}").parse()?).tokens(1);
    Ok(Network::generate(&Topology::Torus { width: side, height: side }, &each, 0.0)?.warmup(500.0).until(1500.0))
}

/// A torus of 12 by 12 stations; at each one tokens come from outside, and of those that it serves a fifth leaves.
fn open(load: f64) -> Result<Network, Failure> {
    const SIDE: usize = 12;
    let mut network = Network::new().warmup(2000.0).until(12_000.0);
    let station = |place| Ok(Station::new(format!("s{place}"), format!("exponential:{MEAN}").parse()?));
    let stations: Vec<Station> = (0..SIDE * SIDE).map(station).collect::<Result<_, Failure>>()?;
    let ids: Vec<_> = stations.into_iter().map(|station| network.station(station)).collect();
    let exit = network.sink("exit");
    for (place, id) in ids.iter().enumerate() {
        let (row, column) = (place / SIDE, place % SIDE);
        let neighbours = [(row + 1, column), (row, column + 1), (row + SIDE - 1, column), (row, column + SIDE - 1)];
        for (row, column) in neighbours {
            network.route(*id, ids[row % SIDE * SIDE + column % SIDE], 0.2, 0.0);
        }
        network.route(*id, exit, 0.2, 0.0);
        // A token is served five times in the mean.
        network.source(Source::new(format!("in{place}"), format!("exponential:{}", 50.0 / load).parse()?, *id));
    }
    Ok(network)
}

/// Utilization, waiting time, and the time at a station.
fn figures(outcome: &NetworkOutcome) -> [f64; 3] {
    let found = outcome.stations.statistics();
    [found.mean_busy, found.mean_waiting_time, found.mean_system_time]
}

fn outcomes(network: Network, replications: u32) -> Result<Vec<NetworkOutcome>, Failure> {
    let model = network.check()?;
    Ok(queueing::run(&model, 0..replications, Target::Heap, Default::default(), &mut unwatched())?.outcome)
}

fn table(name: &str, network: &Network, replications: u32) -> Result<(), Failure> {
    let exact = outcomes(network.clone(), replications)?;
    let mean = |figure: usize| Estimate::of(exact.iter().map(|outcome| figures(outcome)[figure]));
    let [utilization, waiting, system] = [0, 1, 2].map(|figure| shown(mean(figure), 4));
    println!(
        "\n{name}, {replications} replications; exact: utilization {utilization}, waiting {waiting}, system {system}\n"
    );
    println!("| interval | causality errors | of 1000 arrivals | {FIGURES} | window: {FIGURES} |");
    println!("|---|---|---|---|---|---|---|---|---|");
    let mut before = 0.0;
    for interval in INTERVALS {
        let found = outcomes(network.clone().approximate(interval), replications)?;
        let errors = |outcome: &NetworkOutcome| outcome.all_causality_errors().unwrap_or(0) as f64;
        let count = Estimate::of(found.iter().map(errors));
        let arrivals = |outcome: &NetworkOutcome| outcome.stations.statistics().arrivals as f64;
        let share = Estimate::of(found.iter().map(|outcome| 1000.0 * errors(outcome) / arrivals(outcome)));
        let windowed = match interval < MEAN {
            true => errors_of(&outcomes(network.clone().window(interval), replications)?, &exact),
            // No window reaches the mean.
            false => "| | ".into(),
        };
        let (shown_count, share) = (shown(count, 0), shown(share, 2));
        println!("| {interval} | {shown_count} | {share} | {} | {windowed} |", errors_of(&found, &exact));
        assert!(count.mean >= before, "{name}: {} causality errors at {interval}, {before} before", count.mean);
        before = count.mean;
    }
    assert!(before > 0.0, "{name}: no causality errors");
    Ok(())
}

/// The relative errors of the figures in percent.
fn errors_of(found: &[NetworkOutcome], exact: &[NetworkOutcome]) -> String {
    let error = |figure: usize| {
        let pairs = found.iter().zip(exact).map(|(found, exact)| (figures(found)[figure], figures(exact)[figure]));
        shown(Estimate::of(pairs.map(|(found, exact)| 100.0 * (found - exact) / exact)), 2)
    };
    [0, 1, 2].map(error).join(" | ")
}

fn shown(estimate: Estimate, digits: usize) -> String {
    let Estimate { mean, half_width, .. } = estimate;
    half_width.map_or(format!("{mean:.digits$}"), |half| format!("{mean:.digits$} ± {half:.digits$}"))
}
