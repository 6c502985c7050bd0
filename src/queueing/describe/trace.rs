//! Observed arrivals: when tokens come, of which class, and how many at a time.

use super::classes::of_rate;
use super::{AttributeId, ClassId, Source, StationId};
use tickless_core::time::Time;

/// The bound of times, in time units: 2³⁰.
const MOST: f64 = 1_073_741_824.0;

/// When tokens come.
///
/// ```
/// # use tickless_queueing::facade as tickless;
/// use tickless::queueing::{Class, Network, Source, Station, Trace};
/// let mut network = Network::new();
/// let urgent = network.class(Class::new("urgent"));
/// let desk = network.station(Station::new("desk", "exponential:4".parse()?));
/// // One token of the source's class at 0.5, two urgent ones at 7.25.
/// let trace = Trace::new(vec![(0.5, None, 1), (7.25, Some(urgent), 2)]);
/// network.source(Source::by_trace("street", trace, desk));
/// # Ok::<(), tickless::random::LawError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Trace {
    pub(crate) rows: Vec<(f64, Option<ClassId>, u32)>,
    pub(crate) values: Vec<(AttributeId, Vec<Option<f64>>)>,
}

impl Trace {
    /// Times after the start of the source, in time units, each with a class, by default that of the source, and a number of tokens.
    /// Times do not decrease.
    pub fn new(rows: Vec<(f64, Option<ClassId>, u32)>) -> Self {
        Self { rows, values: vec![] }
    }

    /// The values of an attribute of the tokens of each row, in time units; where there is none it is drawn. There are as many as rows.
    #[must_use]
    pub fn values(mut self, attribute: AttributeId, values: Vec<Option<f64>>) -> Self {
        self.values.push((attribute, values));
        self
    }

    /// The fault: the quantity, its value, and the allowed values.
    pub(crate) fn fault(&self) -> Option<(&'static str, f64, &'static str)> {
        if self.rows.is_empty() {
            return Some(("the number of rows of the trace", 0.0, "1 or more"));
        }
        let mut before = 0.0;
        for (time, _, tokens) in &self.rows {
            if !(*time >= before && *time < MOST) {
                return Some((
                    "a time of the trace",
                    *time,
                    "0 or more, no less than the one before it, and below 2^30",
                ));
            }
            if *tokens == 0 {
                return Some(("a number of tokens of the trace", 0.0, "1 or more"));
            }
            before = *time;
        }
        if let Some((_, values)) = self.values.iter().find(|(_, values)| values.len() != self.rows.len()) {
            return Some((
                "the number of values of an attribute",
                values.len() as f64,
                "that of the rows of the trace",
            ));
        }
        let wrong = |value: &&f64| !(**value >= 0.0 && **value < MOST);
        let wrong = self.values.iter().flat_map(|(_, values)| values).flatten().find(wrong);
        wrong.map(|value| ("a value of an attribute in the trace", *value, "from 0 to below 2^30"))
    }
}

impl Source {
    /// Tokens come according to a trace, in every replication.
    pub fn by_trace(name: impl Into<String>, trace: Trace, to: StationId) -> Self {
        let last = trace.rows.last().map_or(0.0, |(time, ..)| *time);
        let rate = trace.rows.len() as f64 / last;
        Self { trace: Some(trace), ..Self::new(name, of_rate(rate), to) }
    }
}

/// A row of a checked [`Trace`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Coming {
    /// After the start of the source.
    pub(crate) after: Time,
    pub(crate) class: u32,
    pub(crate) tokens: u32,
}

impl Coming {
    /// The rows of a trace without a fault.
    pub(crate) fn all(trace: &Trace, class: Option<ClassId>) -> Vec<Self> {
        let row = |&(time, own, tokens): &(f64, Option<ClassId>, u32)| Self {
            after: Time::from_units(time).unwrap_or(Time::NEVER),
            class: own.or(class).map_or(0, |class| class.0),
            tokens,
        };
        trace.rows.iter().map(row).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faults_are_named() {
        let fault = |rows: &[(f64, u32)]| {
            let rows = rows.iter().map(|(time, tokens)| (*time, None, *tokens)).collect();
            Trace::new(rows).fault().map(|(what, ..)| what)
        };
        assert_eq!(fault(&[]), Some("the number of rows of the trace"));
        assert_eq!(fault(&[(0.0, 1), (3.0, 1), (2.5, 1)]), Some("a time of the trace"));
        assert_eq!(fault(&[(-1.0, 1)]), Some("a time of the trace"));
        assert_eq!(fault(&[(f64::NAN, 1)]), Some("a time of the trace"));
        assert_eq!(fault(&[(1e10, 1)]), Some("a time of the trace"));
        assert_eq!(fault(&[(1.0, 0)]), Some("a number of tokens of the trace"));
        assert_eq!(fault(&[(0.0, 2), (0.0, 1)]), None);
    }
}
