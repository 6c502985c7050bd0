//! The CSV file of the numbers of tokens over time.

use std::borrow::Cow;

use serde::Serialize;

use tickless_core::statistics::Estimate;
use tickless_core::time::Time;
use tickless_queueing::{NetworkModel, NetworkOutcome, Series};

/// A line: how many tokens there are at a time, in the mean over the replications.
#[derive(Clone, Debug, Serialize)]
pub struct SeriesLine<'a> {
    pub time: f64,
    /// None of the whole network.
    pub station: Option<Cow<'a, str>>,
    /// None of all classes together.
    pub class: Option<&'a str>,
    pub present: f64,
    pub present_half_width: Option<f64>,
    /// None of the whole network, as the next ones.
    pub waiting: Option<f64>,
    pub waiting_half_width: Option<f64>,
    pub in_service: Option<f64>,
    pub in_service_half_width: Option<f64>,
    pub replications: u64,
}

/// For the network and then each station, for all classes and then, if there are several, each class: all times.
pub fn lines<'a>(model: &'a NetworkModel, outcomes: &'a [NetworkOutcome]) -> impl Iterator<Item = SeriesLine<'a>> {
    let classes = model.classes();
    let of_classes = move || {
        let each = (0..classes.len() as u32).filter(|_| classes.len() > 1);
        [None].into_iter().chain(each.map(Some))
    };
    let places = [None].into_iter().chain((0..model.stations()).map(Some));
    places.flat_map(move |place| of_classes().map(move |class| (place, class))).flat_map(move |(place, class)| {
        let numbers = |series: &Series| match place {
            None => series.in_network(class),
            Some(station) => series.at_station(station, class),
        };
        let noted: Vec<Vec<u64>> =
            outcomes.iter().filter_map(|outcome| outcome.series.as_deref()).map(numbers).collect();
        let series = outcomes.iter().filter_map(|outcome| outcome.series.as_deref());
        let served: Option<Vec<_>> =
            place.map(|station| series.map(|series| series.in_service(station, class)).collect());
        let name = class.map(|class| classes[class as usize].as_str());
        let step = model.series_step().unwrap_or(Time::ZERO);
        (0..noted.first().map_or(0, Vec::len)).map(move |number| {
            let present = Estimate::of(noted.iter().filter_map(|numbers| numbers.get(number)).map(|n| *n as f64));
            let there = |of: fn(u64, u64) -> u64| {
                let pairs = noted.iter().zip(served.iter().flatten());
                let numbers =
                    pairs.filter_map(|(all, served)| Some(of(*all.get(number)?, *served.get(number)?) as f64));
                served.as_ref().map(|_| Estimate::of(numbers))
            };
            let (waiting, in_service) = (there(|all, served| all - served), there(|_, served| served));
            SeriesLine {
                time: Time::from_ticks(step.ticks() * number as u64).units(),
                station: place.map(|station| model.station_name(station)),
                class: name,
                present: present.mean,
                present_half_width: present.half_width,
                waiting: waiting.map(|waiting| waiting.mean),
                waiting_half_width: waiting.and_then(|waiting| waiting.half_width),
                in_service: in_service.map(|served| served.mean),
                in_service_half_width: in_service.and_then(|served| served.half_width),
                replications: present.count,
            }
        })
    })
}
