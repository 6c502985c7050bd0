//! `--facilities`: a CSV line for each facility.

use serde::Serialize;

use crate::queueing::TorusModel;
use crate::statistics::{FacilityRecord, Outcome};
use crate::time::Time;

/// The lines of the file, in the order of the facilities.
pub fn lines(model: &TorusModel, outcome: &Outcome) -> impl Iterator<Item = impl Serialize> {
    let (width, measured) = (model.width() as usize, outcome.measured());
    outcome.facilities.iter().enumerate().map(move |(facility, record)| Line::new(width, measured, facility, record))
}

/// A line. `docs/json.md` describes each column. Times are in time units.
#[derive(Serialize)]
struct Line {
    facility: usize,
    row: usize,
    column: usize,
    arrivals: u64,
    starts: u64,
    completions: u64,
    losses: u64,
    utilization: f64,
    mean_waiting_time: f64,
    mean_service_time: f64,
    mean_present: f64,
    busy_time: f64,
    waiting_time: f64,
    service_time: f64,
    presence_time: f64,
    in_service_until: Option<f64>,
    queued: u64,
}

impl Line {
    fn new(width: usize, measured: f64, facility: usize, record: &FacilityRecord) -> Self {
        let units = |ticks| Time::from_ticks(ticks).units();
        let ratio = |a: f64, b: f64| if b > 0.0 { a / b } else { 0.0 };
        Self {
            facility,
            row: facility / width,
            column: facility % width,
            arrivals: record.arrivals,
            starts: record.starts,
            completions: record.completions,
            losses: record.losses,
            utilization: ratio(units(record.busy), measured),
            mean_waiting_time: ratio(units(record.waiting), record.starts as f64),
            mean_service_time: ratio(units(record.service), record.starts as f64),
            mean_present: ratio(units(record.presence), measured),
            busy_time: units(record.busy),
            waiting_time: units(record.waiting),
            service_time: units(record.service),
            presence_time: units(record.presence),
            in_service_until: (record.in_service != Time::NEVER).then(|| record.in_service.units()),
            queued: record.queued,
        }
    }
}
