//! How many tokens are likely to be served, or on their way, at a time: only room is made for them, no result depends on it.

use super::model::NetworkModel;
use super::warnings::Routed;

/// The means in the long run, by routes. They are 0 where routes give no rates.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Loads {
    /// Tokens in service at each station.
    in_service: Vec<f64>,
    /// Tokens on their way between stations.
    on_their_way: f64,
    /// Tokens that come from outside in a time unit.
    sent: f64,
    /// Tokens in the lines of all stations, and the variance of their number; the longest line that hardly ever comes.
    in_lines: f64,
    variance: f64,
    longest_line: f64,
}

/// Loads above this one, up to 1, count as this: their lines depend on how long a network runs.
const LARGEST_LOAD: f64 = 0.97;
/// A line of one server is longer than -ln(this) / -ln(load) with the probability of this.
const HARDLY: f64 = 1e-7;

impl Loads {
    /// From the arrival rates by class at station.
    pub(super) fn of(routed: &Routed<'_>, rates: &[f64]) -> Self {
        let served: Vec<f64> = rates.iter().zip(routed.most_rates()).map(|(rate, most)| rate.min(most)).collect();
        let servers = routed.servers();
        let in_service = |(station, servers): (usize, &f64)| {
            let nodes = station * routed.classes()..(station + 1) * routed.classes();
            let busy = |node: usize| Some(served[node] * routed.mean_service(node)).filter(|mean| mean.is_finite());
            let capacity = routed.network.stations[station].capacity.map_or(f64::INFINITY, f64::from);
            let most = if routed.rules.stations[station].infinite { f64::INFINITY } else { *servers };
            nodes.filter_map(busy).sum::<f64>().min(most).min(capacity)
        };
        let in_service: Vec<f64> = servers.iter().enumerate().map(in_service).collect();
        let on_their_way = |node: usize| served[node] * routed.mean_delay(node);
        // Lines as of one server that works as fast as all, which are the longest.
        let load = |(station, servers): (usize, &f64)| {
            let has_line =
                !routed.rules.stations[station].infinite && routed.network.stations[station].capacity.is_none();
            let load = Some(in_service[station] / servers).filter(|load| has_line && *load > 0.0 && *load < 1.0);
            load.map(|load| load.min(LARGEST_LOAD))
        };
        let loads: Vec<f64> = servers.iter().enumerate().filter_map(load).collect();
        Self {
            on_their_way: (0..rates.len()).map(on_their_way).sum(),
            sent: routed.sent().map(|(_, rate)| rate).sum(),
            in_lines: loads.iter().map(|load| load / (1.0 - load)).sum(),
            variance: loads.iter().map(|load| load / (1.0 - load).powi(2)).sum(),
            longest_line: loads.iter().map(|load| HARDLY.ln() / load.ln()).fold(0.0, f64::max),
            in_service,
        }
    }
}

/// So many standard deviations above the mean of a Poisson distribution.
fn above(mean: f64, deviations: f64) -> u32 {
    (mean + deviations * mean.sqrt()).ceil() as u32
}

impl NetworkModel {
    /// Whether routes give arrival rates.
    pub(super) fn has_loads(&self) -> bool {
        !self.loads.in_service.is_empty()
    }

    /// The tokens that are served at once at a station at most times, by as many servers as there are. Where routes give no rates, all tokens
    /// of time 0 may be there.
    pub(super) fn likely_in_service(&self, station: u32) -> u32 {
        let likely = match self.loads.in_service.get(station as usize) {
            Some(mean) => self.at_most_sent(above(*mean, 4.0)),
            None => self.tokens(),
        };
        let servers = if self.has_infinite_servers(station) { u32::MAX } else { self.servers(station) };
        likely.min(servers)
    }

    /// A number of tokens that hardly any of many replications passes in a long run; 0 where routes give no rates.
    pub(super) fn most_present(&self) -> u32 {
        let Loads { in_service, on_their_way, in_lines, variance, longest_line, .. } = &self.loads;
        let mean = in_service.iter().sum::<f64>() + on_their_way;
        let in_lines = in_lines + longest_line.max(6.0 * variance.sqrt());
        self.at_most_sent(above(mean, 6.0).saturating_add(in_lines.ceil() as u32))
    }

    /// The tokens that are on their way at most times.
    pub(super) fn likely_on_their_way(&self) -> u32 {
        self.at_most_sent(above(self.loads.on_their_way, 4.0))
    }

    /// A number of tokens, or what may come in the whole run, if these are fewer.
    fn at_most_sent(&self, tokens: u32) -> u32 {
        tokens.min(self.tokens().saturating_add(above(self.loads.sent * self.until().units(), 6.0)))
    }
}

#[cfg(test)]
mod tests {
    use crate::{Network, Source, Station};

    #[test]
    fn loads_are_those_of_routes() {
        let law = |text: &str| text.parse().expect("a law");
        let mut network = Network::new().until(1000.0);
        let ward = network.station(Station::new("ward", law("exponential:100")).infinite_servers());
        let desk = network.station(Station::new("desk", law("exponential:0.9")).servers(3));
        let exit = network.sink("exit");
        network.source(Source::new("in", law("exponential:1"), ward));
        network.route(ward, desk, 0.5, 32.0);
        network.route(ward, exit, 0.5, 0.0);
        network.route(desk, exit, 1.0, 0.0);
        let model = network.check().expect("a network");
        // 100 + 4 * 10, 0.45 + 4 * 0.67 but three servers, 16 + 4 * 4.
        assert_eq!([0, 1].map(|station| model.likely_in_service(station)), [140, 3]);
        assert_eq!(model.likely_on_their_way(), 32);
        // 116.45 + 6 * 10.79, lines of 0.15 / 0.85 and of 16.1 / 1.9.
        assert_eq!(model.most_present(), 182 + 9);
        // No more than 4 + 6 * 2 come.
        let short = crate::NetworkModel { until: tickless_core::time::Time::from_ticks(4 << 32), ..model };
        assert_eq!([short.likely_in_service(0), short.most_present()], [16, 16]);
    }

    #[test]
    fn nothing_is_likely_where_routes_give_no_rates() {
        let mut network = Network::new();
        let desk = network.station(Station::new("desk", "constant:1".parse().expect("a law")).tokens(7));
        network.route(desk, desk, 1.0, 1.0);
        let model = network.check().expect("a network");
        // The desk has one server.
        assert_eq!([model.likely_in_service(0), model.likely_on_their_way(), model.most_present()], [1, 0, 0]);
    }
}
