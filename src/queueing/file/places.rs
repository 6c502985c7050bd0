//! The places in a file of faults of its network.

use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::line;
use crate::FoldError;
use crate::error::NetworkError;
use tickless_core::number::Written;

/// The line of the text for an error of its network, if the wrong value is written there: an option may have overridden
/// it. And the error with the values as the text has them.
pub fn said_of(text: &str, error: &NetworkError) -> (Option<usize>, String) {
    let said = error.to_string();
    let Ok(table) = DeTable::parse(text) else { return (None, said) };
    let file = Places(table.get_ref());
    let span = file.of(error);
    let said = file.as_written(error, span.clone(), text, said);
    (span.map(|span| line(text, span)), said)
}

/// The keys and values at the top that an error repeats, in its order.
fn numbers(error: &NetworkError) -> Vec<(&'static str, f64)> {
    match *error {
        NetworkError::Until { until, .. } => vec![("until", until)],
        NetworkError::Warmup { warmup, until } => vec![("warmup", warmup), ("until", until)],
        NetworkError::Terminating { warmup } => vec![("warmup", warmup)],
        NetworkError::Window { window, .. } | NetworkError::NoRounds { window, .. } => vec![("window", window)],
        NetworkError::Interval { interval } | NetworkError::NotApproximate { interval, .. } => {
            vec![("approximate", interval)]
        }
        NetworkError::Series { step, .. } => vec![("series_step", step)],
        NetworkError::Fold(FoldError::Period { value }) => vec![("fold", value)],
        NetworkError::Fold(FoldError::Step { value, period }) => vec![("fold_step", value), ("fold", period)],
        NetworkError::Fold(FoldError::Many { step, .. }) => vec![("fold_step", step), ("fold", 24.0 * step)],
        NetworkError::Fold(FoldError::NoPeriod { step }) => vec![("fold_step", step)],
        NetworkError::Quantile(quantile) => vec![("quantiles", quantile)],
        NetworkError::WindowAndInterval { window, interval } => vec![("window", window), ("approximate", interval)],
        _ => vec![],
    }
}

/// The places of the values of a file.
struct Places<'a>(&'a DeTable<'a>);

impl Places<'_> {
    /// The place of the value of an error.
    fn of(&self, error: &NetworkError) -> Option<Range<usize>> {
        match error {
            NetworkError::Observed { name, .. } => self.observed(name),
            NetworkError::QuantilesOfNothing => self.0.get("quantiles").map(Spanned::span),
            NetworkError::Name { name } => self.last_named(name),
            NetworkError::Word { key, .. } => self.0.get(*key).map(Spanned::span),
            NetworkError::Law { kind, name, key, .. } => self.part(kind, name, key, None),
            NetworkError::Parameter { kind, name, parameter, value, .. } => {
                self.part(kind, name, parameter, Some(value))
            }
            NetworkError::Probabilities { station, .. } => self.part("route from station", station, "", None),
            NetworkError::NoWayOut { station } | NetworkError::Unreachable { station } => {
                self.part("station", station, "", None)
            }
            // A warm-up is compared with until, and is at fault itself.
            error => {
                let until = usize::from(matches!(error, NetworkError::Warmup { .. }));
                let numbers = numbers(error);
                numbers[..numbers.len() - until].iter().find_map(|(key, number)| self.number(key, *number))
            }
        }
    }

    /// The message of an error, with the values as the text has them: 4.50 is not 4.5 there, and 1e-400 not 0.
    fn as_written(&self, error: &NetworkError, at: Option<Range<usize>>, text: &str, mut said: String) -> String {
        let parameter = match error {
            // The name in front may have the same digits.
            NetworkError::Parameter { value, .. } => Some((said.rfind(&format!(" is {value};")).unwrap_or(0), value)),
            _ => None,
        };
        let mut replace = |from: usize, shown: &str, span: Option<Range<usize>>| {
            let Some(place) = said[from..].find(shown).map(|place| from + place) else { return from };
            let written = span.and_then(|span| text.get(span)).unwrap_or(shown);
            said.replace_range(place..place + shown.len(), written);
            place + written.len()
        };
        let mut from = 0;
        for (key, number) in numbers(error) {
            from = replace(from, &Written(number).to_string(), self.number(key, number));
        }
        if let Some((from, value)) = parameter {
            // Where the value has a default, the place is that of the name, in quotes, or of a whole table.
            let is_number =
                |written: &str| written.starts_with(|c: char| c.is_ascii_alphanumeric() || "+-".contains(c));
            let own = at.filter(|at| text.get(at.clone()).is_some_and(is_number));
            replace(from, value, own);
        }
        said
    }

    /// A parameter of a group of servers: its own line, or that of the name of the group.
    fn of_group(&self, station: &str, group: &str, parameter: &str) -> Option<Range<usize>> {
        let is_named =
            |entry: &&DeTable<'_>, name| entry.get("name").is_some_and(|of| of.get_ref().as_str() == Some(name));
        let station = self.entries("station").find(|entry| is_named(entry, station))?;
        let group = tables(station, "servers").find(|entry| is_named(entry, group))?;
        let key = match parameter {
            "the number of servers" => "count",
            "the factor" => "factor",
            "switching" | "the law of switching times" => "switching",
            "walking" | "the law of walking times" => "walking",
            "whether its server rests" => "rests",
            "failures" => "failures",
            "the number served at a turn" => "takes",
            "the number of classes that it serves" => "serves",
            "the most tokens of a batch" => "batch_most",
            "the least tokens of a batch" => "batch_least",
            "the longest wait for a batch" => "batch_wait",
            "a factor by the size of a batch" | "the number of factors by the size of a batch" => "batch_factors",
            "a class that it serves" => "serves",
            "the period" => "period",
            _ if parameter.contains("shift") => "shifts",
            _ => "name",
        };
        group.get(key).or_else(|| group.get("name")).map(Spanned::span)
    }

    /// A number at the top, or in a list there, if it is this one.
    fn number(&self, key: &str, number: f64) -> Option<Range<usize>> {
        let value = self.0.get(key)?;
        let elements = value.get_ref().as_array().into_iter().flat_map(|array| array.iter());
        let is_it = |value: &&Spanned<DeValue<'_>>| written(value) == Some(Written(number).to_string());
        std::iter::once(value).chain(elements).find(is_it).map(Spanned::span)
    }

    /// A name in the list of those whose distributions are recorded.
    fn observed(&self, name: &str) -> Option<Range<usize>> {
        let mut names = self.0.get("distributions")?.get_ref().as_array()?.iter();
        names.find(|value| value.get_ref().as_str() == Some(name)).map(Spanned::span)
    }

    /// The tables of a kind.
    fn entries(&self, kind: &str) -> impl Iterator<Item = &DeTable<'_>> {
        tables(self.0, kind)
    }

    /// Where a name is given for the last time.
    fn last_named(&self, name: &str) -> Option<Range<usize>> {
        let all = ["station", "source", "sink"].into_iter().flat_map(|kind| self.entries(kind));
        let names = all.filter_map(|entry| entry.get("name"));
        names.filter(|value| value.get_ref().as_str() == Some(name)).map(Spanned::span).max_by_key(|span| span.start)
    }

    /// A parameter of a named part: its own line, that of the name, or that of the table that makes all stations.
    fn part(&self, kind: &str, name: &str, parameter: &str, value: Option<&str>) -> Option<Range<usize>> {
        if let Some((station, group)) = name.split_once("', group '") {
            return self.of_group(station, group, parameter);
        }
        let (table, named) = match kind {
            "route from station" => ("route", "from"),
            kind => (kind, "name"),
        };
        let key = match (parameter, kind) {
            ("the law", "source") => "interval",
            ("the law" | "the service", _) => "service",
            ("service" | "interval" | "patience" | "setup" | "vacation" | "failures", _) => parameter,
            ("the number of servers", _) => "servers",
            ("the capacity", _) => "capacity",
            ("the number of tokens at time 0", _) => "tokens",
            ("the start", _) => "start",
            ("the probability", _) => "probability",
            ("the transit delay", _) => "delay",
            ("a probability of balking", _) => "balking",
            ("a speed" | "the last speed", _) => "speeds",
            ("a target", _) => "targets",
            ("a weight", _) => "weight",
            ("the capacity of a class", _) => "capacity",
            ("the law of vacations", _) => "vacation",
            (
                "the number of servers on standby"
                | "the number waiting at which servers on standby come"
                | "the number waiting at which servers on standby go"
                | "the servers on standby",
                _,
            ) => "standby",
            (
                "a factor by time"
                | "the number of factors by time"
                | "the first time of the factors"
                | "a time of the factors"
                | "whether services have factors by time"
                | "the longest service by `time_factors`",
                _,
            ) => "time_factors",
            ("the period of the factors", _) => "time_factors_period",
            ("the discipline", _) => "discipline",
            ("the routing", _) => "routing",
            ("the destination of those that find no room", _) => "full_to",
            ("the destination of those that lose patience", _) => "reneges_to",
            ("whether patience runs on in a service (patience_until)", _) => "patience_until",
            ("the attribute by which it orders", _) => "order_by",
            ("the attribute by which it routes", _) => "route_by",
            ("the value up to which a route is taken", _) => "up_to",
            ("the factor of the attribute that is its service" | "the attribute that is its service", _) => "service",
            ("the factor of the attribute that is its patience" | "the attribute that is its patience", _) => {
                "patience"
            }
            ("the period", _) => "period",
            ("the number of units" | "the number of units that fail", _) => "units",
            (
                "the number of units in a shift"
                | "the number of units in every shift"
                | "what the ends of shifts do"
                | "the shifts",
                _,
            ) => "shifts",
            ("the law of failures", _) => "failures",
            ("the stock", _) => "stock",
            ("the list of speeds", _) => "speeds",
            ("whether it is preemptive", _) => "preemptive",
            ("a number of units that it seizes", _) => "seizes",
            ("a number of units that it uses up", _) => "uses",
            ("a number of units that it delivers", _) => "delivers",
            ("a number of units that it releases", _) => "releases",
            (
                "the cost of a token that waits"
                | "the cost of a service"
                | "the cost of a loss"
                | "the cost of a token that balks"
                | "the cost of a token that reneges"
                | "the cost of a server"
                | "the cost of a token that leaves"
                | "the cost of a unit that is held"
                | "the cost of a unit",
                _,
            ) => "cost",
            ("whether it joins", _) => "joins",
            ("whether set-ups are called off", _) => "setup_called_off",
            ("the law after which idle servers are off" | "off_after", _) => "off_after",
            (
                "a class of the kit"
                | "a number of tokens of the kit"
                | "the number of tokens of a kit"
                | "the rooms of the classes of a kit"
                | "a service or a patience beside the kit"
                | "a route beside the kit"
                | "the kit",
                _,
            ) => "kit",
            (
                "a probability of a number of tokens"
                | "the sum of the probabilities of numbers of tokens"
                | "the number of probabilities of numbers of tokens",
                _,
            ) => "splits",
            ("when it seizes", _) => "seizes_at",
            ("what the station takes", _) => "seizes",
            (
                "the number of shifts"
                | "the first time of the shifts"
                | "a time of the shifts"
                | "the number of servers in every shift"
                | "the number of steps of the shifts",
                _,
            ) => "shifts",
            (
                "the number of rates"
                | "the first time of the rates"
                | "a time of the rates"
                | "a rate"
                | "the mean rate",
                _,
            ) => "rates",
            (
                "the number of phases"
                | "the number of phases with arrivals"
                | "the number of rates of a phase"
                | "a rate of the phases"
                | "the sum of the rates of a phase"
                | "the number of phases that a phase leads to"
                | "the mean rate of the phases",
                _,
            ) => "phases",
            ("the number of rows of the trace" | "a time of the trace" | "a number of tokens of the trace", _) => {
                "trace"
            }
            ("the number of sizes of a batch", _)
            | ("a probability of a number of tokens at a time", _)
            | ("the sum of the probabilities of numbers of tokens at a time", _) => "batch",
            _ => named,
        };
        let own =
            |entry: &&DeTable<'_>| entry.get(named).is_some_and(|name_of| name_of.get_ref().as_str() == Some(name));
        let found = || self.entries(table).filter(own);
        // Several routes may lead from a station, and a route or a sink may have several classes: the one with the
        // value.
        let whose = Whose::of(parameter);
        let values = |entry| whose.values(entry, key);
        let value = value.filter(|_| table == "route" || whose != Whose::Own);
        let is_it = |at: &&Spanned<DeValue<'_>>| value.is_none() || written(at).as_deref() == value;
        let exact = found().flat_map(values).find(is_it);
        let at = exact.or_else(|| found().find_map(|entry| entry.get(named)));
        let generate = || {
            let whole = self.0.get("generate")?;
            whole.get_ref().as_table().and_then(|table| table.get(key)).or(Some(whole))
        };
        at.or_else(generate).map(Spanned::span)
    }
}

/// The tables of a kind in a table.
pub(super) fn tables<'a>(table: &'a DeTable<'a>, kind: &str) -> impl Iterator<Item = &'a DeTable<'a>> + use<'a> {
    let array = table.get(kind).and_then(|value| value.get_ref().as_array());
    array.into_iter().flat_map(|array| array.iter()).filter_map(|value| value.get_ref().as_table())
}

/// Whether a parameter stands in the entry of its owner, or in a table of a class there.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Whose {
    Own,
    OfClasses,
    Either,
}

impl Whose {
    fn of(parameter: &str) -> Self {
        match parameter {
            "a weight" | "the capacity of a class" => Self::OfClasses,
            "the cost of a token that leaves" => Self::Either,
            _ => Self::Own,
        }
    }

    /// The values of a key.
    fn values<'a>(self, entry: &'a DeTable<'a>, key: &str) -> Vec<&'a Spanned<DeValue<'a>>> {
        let own = entry.get(key).filter(|_| self != Self::OfClasses);
        let of_classes = tables(entry, "class").filter(|_| self != Self::Own).filter_map(|class| class.get(key));
        own.into_iter().chain(of_classes).collect()
    }
}

/// A value as an error has it.
fn written(value: &Spanned<DeValue<'_>>) -> Option<String> {
    let number = match value.get_ref() {
        DeValue::Integer(integer) if integer.radix() == 10 => integer.as_str().parse().ok()?,
        DeValue::Integer(integer) => i64::from_str_radix(integer.as_str(), integer.radix()).ok()? as f64,
        DeValue::Float(float) => float.as_str().parse().ok()?,
        DeValue::String(text) => return Some(text.to_string()),
        _ => return None,
    };
    Some(Written(number).to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Network;

    const NETWORK: &str = "until = 100\n[[station]]\nname = 'a'\nservice = 'exponential:1'\ntokens = 1\n\
                           [[station]]\nname = 'b'\nservice = 'constant:2'\n\
                           [[route]]\nfrom = 'a'\nto = 'b'\nprobability = 0.5\n\
                           [[route]]\nfrom = 'a'\nto = 'a'\nprobability = 0.5\n\
                           [[route]]\nfrom = 'b'\nto = 'a'\n\
                           [[source]]\nname = 'in'\ninterval = 'exponential:9'\nto = 'b'\n";

    /// The line of the text that one change has made wrong.
    fn found(from: &str, to: &str) -> (Option<usize>, String) {
        let text = NETWORK.replacen(from, to, 1);
        assert_ne!(text, NETWORK, "{from}");
        said_of(&text, &Network::from_toml(&text).expect(to).check().expect_err(to))
    }

    #[test]
    fn values_are_said_as_they_are_written() {
        for (from, to, part) in [
            ("until = 100", "until = 1e-400", "until is 1e-400; it must be above 0"),
            ("until = 100", "until = 9_000_000_000", "until is 9_000_000_000;"),
            (
                "until = 100",
                "until = 0x10\nwarmup = 0x10",
                "time is 0x10; it must be 0 or more and below until, which is 0x10",
            ),
            (
                "until = 100",
                "until = 4.50\nwarmup = 4.50",
                "time is 4.50; it must be 0 or more and below until, which is 4.50",
            ),
            ("until = 100", "until = 5.0\nwarmup = 5", "time is 5; it must be 0 or more and below until, which is 5.0"),
            ("until = 100", "window = -1.0", "the window is -1.0;"),
            ("until = 100", "approximate = 0.00", "time is 0.00;"),
            ("until = 100", "approximate = 1.0\nwindow = 0.50", "window of 0.50 and approximate time of interval 1.0:"),
            ("tokens = 1", "servers = 0x0", "the number of servers is 0x0;"),
            ("'exponential:9'", "'exponential:9'\nstart = -1.0", "the start is -1.0;"),
            (
                "probability = 0.5\n[[route]]\nfrom = 'b'",
                "probability = -0.50\n[[route]]\nfrom = 'b'",
                "probability is -0.50;",
            ),
            ("'constant:2'", "'constant:2'\ncapacity = 0", "the capacity is 0;"),
            ("'constant:2'", "'constant:4.50,1'", ""),
        ] {
            if part.is_empty() {
                let text = NETWORK.replacen(from, to, 1);
                assert!(Network::from_toml(&text).unwrap_err().fault.contains("'constant:4.50,1'"));
                continue;
            }
            let (_, said) = found(from, to);
            assert!(said.contains(part), "{said}");
        }
    }

    #[test]
    fn the_line_of_a_wrong_value_is_found() {
        for (from, to, expected) in [
            ("until = 100", "until = 1e300", 1),
            ("until = 100", "\nwarmup = 100", 2),
            ("until = 100", "window = -1", 1),
            ("until = 100", "approximate = 0", 1),
            ("until = 100", "\nseries_step = 0", 2),
            ("until = 100", "\nfold = 0", 2),
            ("until = 100", "\nfold = 9\nfold_step = 2", 3),
            ("until = 100", "\nfold_step = 2", 2),
            ("until = 100", "approximate = 1\nwindow = 0.5", 2),
            ("until = 100", "distributions = ['b',\n 'c']", 2),
            ("tokens = 1", "servers = 0", 5),
            ("'constant:2'", "'constant:2'\ncapacity = 0", 9),
            ("tokens = 1", "capacity = 2\ntokens = 3", 6),
            ("exponential:9'", "exponential:0.5'\nstart = -1", 23),
            ("probability = 0.5\n[[route]]\nfrom = 'b'", "probability = -0.5\n[[route]]\nfrom = 'b'", 16),
            ("to = 'a'\n[[source]]", "to = 'a'\ndelay = -2\n[[source]]", 20),
            ("probability = 0.5", "probability = 0.25", 10),
            ("[[route]]\nfrom = 'b'\nto = 'a'\n", "", 7),
            ("'in'", "'a'", 21),
        ] {
            assert_eq!(found(from, to).0, Some(expected), "{from} -> {to}");
        }
        // A law is refused while the file is read.
        for (from, to, line) in [("constant:2", "constant:1073741824", 8), ("exponential:9", "exponential:5e7", 22)] {
            let error = Network::from_toml(&NETWORK.replacen(from, to, 1)).expect_err(to);
            assert_eq!(error.line, line, "{error}");
            assert!(error.fault.contains("below 2^30 time units"), "{error}");
        }
    }

    #[test]
    fn what_an_option_gave_has_no_line() {
        let network = || Network::from_toml(NETWORK).unwrap();
        for wrong in [network().until(-1.0), network().warmup(100.0), network().window(-1.0)] {
            assert_eq!(said_of(NETWORK, &wrong.check().unwrap_err()).0, None);
        }
    }

    #[test]
    fn stations_that_a_table_makes_have_its_lines() {
        let text = "[generate]\nkind = 'ring'\nstations = 3\nservice = 'constant:1'\nservers = 0\n";
        assert_eq!(said_of(text, &Network::from_toml(text).unwrap().check().unwrap_err()).0, Some(5));
        let text = text.replace("servers = 0\n", "");
        assert_eq!(said_of(&text, &Network::from_toml(&text).unwrap().check().unwrap_err()).0, Some(1));
    }
}
