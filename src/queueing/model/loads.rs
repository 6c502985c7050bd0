//! How many tokens are likely to be served, or on their way, at a time. Devices make room for so many and choose by these numbers how they
//! look for the next event; no result depends on them.

use super::NetworkModel;

/// The means in the long run, by routes. Where routes give no rates, `in_service` has no stations.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Loads {
    /// Tokens in service at each station.
    pub(crate) in_service: Vec<f64>,
    /// Tokens on their way between stations.
    pub(crate) on_their_way: f64,
    /// Tokens that come from outside in a time unit.
    pub(crate) sent: f64,
    /// Tokens in the lines of all stations, and the variance of their number; the longest line that hardly ever comes.
    pub(crate) in_lines: f64,
    pub(crate) variance: f64,
    pub(crate) longest_line: f64,
}

/// So many standard deviations above the mean of a Poisson distribution.
fn above(mean: f64, deviations: f64) -> u32 {
    (mean + deviations * mean.sqrt()).ceil() as u32
}

impl NetworkModel {
    /// Whether routes give arrival rates.
    pub(crate) fn has_loads(&self) -> bool {
        !self.loads.in_service.is_empty()
    }

    /// The tokens that are served at once at a station at most times, by as many servers as there are. Where routes give no rates, all tokens
    /// of time 0 may be there.
    pub(crate) fn likely_in_service(&self, station: u32) -> u32 {
        let likely = match self.loads.in_service.get(station as usize) {
            Some(mean) => self.at_most_sent(above(*mean, 4.0)),
            None => self.tokens(),
        };
        let servers = if self.has_infinite_servers(station) { u32::MAX } else { self.servers(station) };
        likely.min(servers)
    }

    /// A number of tokens that hardly any of many replications passes in a long run; 0 where routes give no rates.
    pub(crate) fn most_present(&self) -> u32 {
        let Loads { in_service, on_their_way, in_lines, variance, longest_line, .. } = &self.loads;
        let mean = in_service.iter().sum::<f64>() + on_their_way;
        let in_lines = in_lines + longest_line.max(6.0 * variance.sqrt());
        self.at_most_sent(above(mean, 6.0).saturating_add(in_lines.ceil() as u32))
    }

    /// The tokens that are on their way at most times.
    pub(crate) fn likely_on_their_way(&self) -> u32 {
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
