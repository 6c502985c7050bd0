//! The statistics of every facility, not only the means of the network.
//!
//! Shows how the records of a run are read: who was busiest, how utilization spreads. Asserts that no token is lost,
//! that every service that started has ended or is in progress, and Little's law.

use tickless::device::Target;
use tickless::device::wgpu::{OpenOptions, Selection, WgpuDevice};
use tickless::queueing::{self, Network, Station, Topology};
use tickless::run::unwatched;
use tickless::statistics::FacilityRecord;
use tickless::time::Time;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let each = Station::new("s", "exponential:10".parse()?).tokens(3);
    let torus = Network::generate(&Topology::Torus { width: 100, height: 60 }, &each, 0.0)?;
    let model = torus.window(1.0).until(2000.0).warmup(200.0).check()?;
    let device = WgpuDevice::open(&Selection::Auto, OpenOptions::default())?;
    let run = queueing::run(&model, 0..1, Target::Device(&device), Default::default(), &mut unwatched())?;
    let outcome = &run.outcome[0].stations;

    // All sums are in ticks of 2^-32 time units.
    let measured = (outcome.until.ticks() - outcome.from.ticks()) as f64;
    let utilization = |record: &FacilityRecord| record.busy as f64 / measured;
    let mut order: Vec<usize> = (0..outcome.facilities.len()).collect();
    order.sort_by(|&a, &b| utilization(&outcome.facilities[b]).total_cmp(&utilization(&outcome.facilities[a])));
    println!("facility  row  column  utilization  mean waiting time  waiting at the end");
    for &id in order.iter().take(3).chain(order.iter().rev().take(3).rev()) {
        let record = &outcome.facilities[id];
        let waiting = Time::sum_in_units(record.waiting) / record.starts as f64;
        let (row, column) = (id / 100, id % 100);
        println!("{id:8}  {row:3}  {column:6}  {:11.4}  {waiting:17.3}  {:18}", utilization(record), record.queued);
    }

    let present: u64 = outcome.facilities.iter().map(|r| r.queued + u64::from(r.in_service != Time::NEVER)).sum();
    assert_eq!(present, u64::from(model.tokens()));
    let [arrivals, completions]: [u64; 2] = [|r: &FacilityRecord| r.arrivals, |r: &FacilityRecord| r.completions]
        .map(|f| outcome.facilities.iter().map(f).sum());
    assert_eq!(arrivals, completions);

    // Little's law: the mean number present is the throughput of a facility times the mean time in it.
    let figures = outcome.statistics();
    let little = figures.throughput / outcome.facilities.len() as f64 * figures.mean_system_time;
    println!("mean number present {:.4}, throughput times system time {little:.4}", figures.mean_present);
    assert!((figures.mean_present / little - 1.0).abs() < 0.01);
    assert!((figures.mean_present - 3.0).abs() < 1e-9);
    Ok(())
}
