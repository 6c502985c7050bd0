//! Measures: figures taken from every replication of every point.

mod all;

use toml::Spanned;

use super::error::{ExperimentError, at};
use super::keys::{no_path, path_of};
use tickless_core::reading::names;
use tickless_queueing::figures::{COST, Figure, Lasting, Sums, Unit, Whose};
use tickless_queueing::{NetworkModel, NetworkOutcome, Words};

/// A figure of a network, by the path under which results have it: `network.mean_system_time`, `station.desk.utilization`,
/// `station.desk.class.urgent.mean_waiting_time`, `sink.home.mean_time_in_network`, `resource.room.utilization`, `cost`; or the share of times
/// within a target: `station.desk.waiting_within.20`, `sink.home.class.urgent.time_within.240`; or what a share of the times of a replication
/// does not exceed: `station.desk.waiting_quantile.0.95`.
///
/// ```
/// # use tickless_experiments::facade as tickless;
/// use tickless::experiments::Measure;
/// assert_eq!(Measure::parse("station.desk.utilization")?.name(), "station.desk.utilization");
/// assert!(Measure::parse("station.desk.utilisation").unwrap_err().contains("'utilization' is probably meant"));
/// # Ok::<(), String>(())
/// ```
#[derive(Clone, Debug)]
pub struct Measure {
    name: String,
    whose: Named,
    measured: Measured,
}

/// What is measured.
#[derive(Clone, Copy, Debug)]
enum Measured {
    Figure(Figure),
    /// The share within a target.
    Within(Lasting, f64),
    /// The time that a share does not exceed.
    Quantile(Lasting, f64),
}

impl PartialEq for Measured {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Figure(one), Self::Figure(other)) => one.key == other.key,
            (Self::Within(one, number), Self::Within(other, of_other))
            | (Self::Quantile(one, number), Self::Quantile(other, of_other)) => (one, number) == (other, of_other),
            _ => false,
        }
    }
}

impl PartialEq for Measure {
    fn eq(&self, other: &Self) -> bool {
        (&self.whose, self.measured) == (&other.whose, other.measured)
    }
}

/// The owner of a figure, by names.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Named {
    Network,
    Station(String),
    Class(String, String),
    Sink(String),
    ClassAtSink(String, String),
    Resource(String),
    Group(String, String),
}

/// The value of a measure in one replication: the first number divided by the second. Where the second is 0 there is no
/// value.
pub type Pair = [f64; 2];

impl Measure {
    /// Reads a path.
    ///
    /// # Errors
    /// The names there are in place of an unknown one.
    pub fn parse(text: &str) -> Result<Self, String> {
        let path = path_of(text).map_err(|_| no_path(text, "measure, as station.desk.mean_waiting_time is one"))?;
        let words: Vec<&str> = path.iter().map(String::as_str).collect();
        if let Some(measure) = Self::of_times(text, &words) {
            return measure;
        }
        let (whose, key) = match words[..] {
            ["cost"] => (Named::Network, "cost"),
            ["network", key] => (Named::Network, key),
            ["station", name, key] => (Named::Station(name.into()), key),
            ["station", name, "class", class, key] => (Named::Class(name.into(), class.into()), key),
            ["sink", name, key] => (Named::Sink(name.into()), key),
            ["resource", name, key] => (Named::Resource(name.into()), key),
            ["station", name, "servers", group, key] => (Named::Group(name.into(), group.into()), key),
            _ => {
                return Err(format!(
                    "'{text}' is no measure; it may be cost, network.FIGURE, station.NAME.FIGURE, station.NAME.class.NAME.FIGURE, \
                     station.NAME.servers.NAME.FIGURE, sink.NAME.FIGURE or resource.NAME.FIGURE"
                ));
            }
        };
        let all = whose.figures();
        let Some(figure) = all.iter().find(|figure| figure.key == key).copied() else {
            let known: Vec<&str> = all.iter().map(|figure| figure.key).collect();
            let meant = names::meant(key, known.iter().copied());
            let meant = meant.map(|meant| format!("; '{meant}' is probably meant")).unwrap_or_default();
            return Err(format!("'{text}' names no figure: there are {}{meant}", known.join(", ")));
        };
        Ok(Self { name: text.to_owned(), whose, measured: Measured::Figure(figure) })
    }

    /// Reads the path of a share within a target, or of a quantile, if it is one: its last words are the name and a number.
    fn of_times(text: &str, words: &[&str]) -> Option<Result<Self, String>> {
        let named = |word: &str| {
            let all = Lasting::ALL.into_iter();
            all.flat_map(|lasting| [(Some(lasting.key()), lasting, false), (lasting.quantile(), lasting, true)])
                .find_map(|(key, lasting, is_quantile)| (key == Some(word)).then_some((lasting, is_quantile)))
        };
        let found = words.iter().enumerate().skip(2).find_map(|(place, word)| Some((place, named(word)?)));
        let (place, (lasting, is_quantile)) = found?;
        let whose = match words[..place] {
            ["station", name] => Named::Station(name.into()),
            ["station", name, "class", class] => Named::Class(name.into(), class.into()),
            ["sink", name] => Named::Sink(name.into()),
            ["sink", name, "class", class] => Named::ClassAtSink(name.into(), class.into()),
            _ => return None,
        };
        let number = words[place + 1..].join(".").parse::<f64>().ok();
        let (key, name) = (words[place], text.to_owned());
        let measured = match number {
            Some(below) if is_quantile && below > 0.0 && below <= 1.0 => Measured::Quantile(lasting, below),
            Some(target) if !is_quantile && target >= 0.0 => Measured::Within(lasting, target),
            _ => {
                let behind = if is_quantile { "a share from above 0 to 1" } else { "a number of time units" };
                let number = if is_quantile { "0.95" } else { "20" };
                return Some(Err(format!("'{text}' lacks {behind} at its end, as in `{key}.{number}`")));
            }
        };
        Some(Ok(Self { name, whose, measured }))
    }

    /// Reads a path in a file, to a part that the network has.
    ///
    /// # Errors
    /// The fault, with its line.
    pub(super) fn read(text: &str, path: &Spanned<String>, model: &NetworkModel) -> Result<Self, ExperimentError> {
        let measure = Self::parse(path.get_ref()).and_then(|measure| measure.check(model).map(|()| measure));
        measure.map_err(|said| at(text, path.span(), said))
    }

    /// The default measures: the network as a whole, and its costs where it has some.
    pub(super) fn of_network(model: &NetworkModel) -> Vec<Self> {
        let all = ["network.throughput", "network.mean_present", "network.mean_system_time"];
        let cost = if model.has_costs() { Some("cost") } else { None };
        all.into_iter().chain(cost).filter_map(|name| Self::parse(name).ok()).collect()
    }

    /// The path as written.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What it is counted in, in the words of a network: `min`, `per min`, `EUR per min`, `share of patients`.
    ///
    /// ```
    /// # use tickless_experiments::facade as tickless;
    /// use tickless::{experiments::Measure, queueing::{Network, Words}};
    /// let unit = |path: &str, words: &Words| Measure::parse(path).map(|measure| measure.unit(words));
    /// assert_eq!(unit("cost", &Words::default())?, "per time unit");
    /// # let mut network = Network::new();
    /// # let desk = network.station(tickless::queueing::Station::new("desk", "constant:1".parse()?).tokens(1));
    /// # network.route(desk, desk, 1.0, 0.0);
    /// let model = network.unit("min").token("patient").currency("EUR").check()?;
    /// let units = ["cost", "station.desk.waiting_within.20", "station.desk.waiting_quantile.0.9", "station.desk.throughput"];
    /// let units: Vec<_> = units.into_iter().map(|path| unit(path, model.words())).collect::<Result<_, _>>()?;
    /// assert_eq!(units, ["EUR per min", "share of patients", "min", "per min"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn unit(&self, words: &Words) -> String {
        match self.measured {
            Measured::Figure(figure) if figure.key == COST.key => {
                let per = Unit::Rate.words(words);
                words.currency().map_or(per.clone(), |currency| format!("{currency} {per}"))
            }
            Measured::Figure(figure) => figure.unit.words(words),
            Measured::Within(..) => Unit::Probability.words(words),
            Measured::Quantile(..) => Unit::Time.words(words),
        }
    }

    /// Whether it is the share of tokens to which something happens.
    pub(super) fn is_probability(&self) -> bool {
        match self.measured {
            Measured::Figure(figure) => figure.unit == Unit::Probability,
            Measured::Within(..) => true,
            Measured::Quantile(..) => false,
        }
    }

    /// Whether the network has the measured part.
    ///
    /// # Errors
    /// The names there are in its place.
    pub fn check(&self, model: &NetworkModel) -> Result<(), String> {
        self.of(model, &[]).map(|_| ())
    }

    /// The values in the replications.
    ///
    /// # Errors
    /// The part that the network lacks.
    pub fn of(&self, model: &NetworkModel, outcomes: &[NetworkOutcome]) -> Result<Vec<Pair>, String> {
        let whose = self.whose.placed(model)?;
        let holder = || match &self.whose {
            Named::Station(name) | Named::Class(name, _) => format!("the station '{name}'"),
            Named::Sink(name) | Named::ClassAtSink(name, _) => format!("the sink '{name}'"),
            _ => "the network".into(),
        };
        let figure = match self.measured {
            Measured::Figure(figure) => figure,
            Measured::Within(lasting, target) => {
                let pairs = model.pairs_within(whose, (lasting, target), outcomes);
                return pairs.ok_or_else(|| no_target(model, whose, (lasting, target), &holder()));
            }
            Measured::Quantile(lasting, below) => {
                let key = lasting.quantile().unwrap_or_default();
                let all = model.quantiles_of(whose, (lasting, below), outcomes);
                let is_of_sink = matches!(whose, Whose::Sink(_) | Whose::ClassAtSink { .. });
                return all.ok_or_else(|| match (lasting == Lasting::Network, is_of_sink) {
                    (true, false) => format!("{} has no {key}: it is of sinks", holder()),
                    (false, true) => format!("{} has no {key}: it is of stations; measure time_quantile", holder()),
                    _ if below == 1.0 && model.scale().is_some() => {
                        format!("{} has no {key}.1: its longest time is not recorded; set `quantiles = [1]`", holder())
                    }
                    _ => format!(
                        "{} has no {key}: its distribution is not recorded; set `distributions = true`",
                        holder()
                    ),
                });
            }
        };
        if let Some(why) = figure.lacks(model, whose) {
            let holder = holder();
            return Err(format!("{holder} has no {}: {why}", figure.key));
        }
        Ok(Sums::of(model, whose, outcomes).iter().map(figure.ratio).collect())
    }
}

impl Named {
    /// The figures that can be measured of such an owner.
    fn figures(&self) -> Vec<Figure> {
        let of_any = match self {
            Self::Network => Whose::Network,
            Self::Station(_) => Whose::Station(0),
            Self::Class(..) => Whose::Class { station: 0, class: 0 },
            Self::Sink(_) => Whose::Sink(0),
            Self::ClassAtSink(..) => Whose::ClassAtSink { sink: 0, class: 0 },
            Self::Resource(_) => Whose::Resource(0),
            Self::Group(..) => Whose::Group(0),
        };
        of_any.measured()
    }

    /// The owner's place in a network.
    fn placed(&self, model: &NetworkModel) -> Result<Whose, String> {
        let station = |name: &str| {
            let known: Vec<_> = (0..model.stations()).map(|id| model.station_name(id)).collect();
            place(known.iter().map(|name| name.as_ref()), "station", name)
        };
        let class_of = |class: &str| place(model.classes().iter().map(String::as_str), "class", class);
        let sink = |name: &str| {
            let known: Vec<&str> = (0..model.sinks()).map(|id| model.sink_name(id)).collect();
            place(known.into_iter(), "sink", name)
        };
        Ok(match self {
            Self::Network => Whose::Network,
            Self::Station(name) => Whose::Station(station(name)?),
            Self::Class(name, class) => Whose::Class { station: station(name)?, class: class_of(class)? },
            Self::Sink(name) => Whose::Sink(sink(name)?),
            Self::ClassAtSink(name, class) => Whose::ClassAtSink { sink: sink(name)?, class: class_of(class)? },
            Self::Group(name, group) => {
                let (station, all) = (station(name)?, model.groups());
                let first = all.iter().position(|(at, _)| *at == station).unwrap_or(0) as u32;
                let known: Vec<&str> = all.iter().filter(|(at, _)| *at == station).map(|(_, group)| *group).collect();
                Whose::Group(first + place(known.into_iter(), "group of servers", group)?)
            }
            Self::Resource(name) => {
                let known: Vec<&str> = model.resources().into_iter().map(|(name, _)| name).collect();
                Whose::Resource(place(known.into_iter(), "resource", name)?)
            }
        })
    }
}

/// Why there is no share within a target.
fn no_target(model: &NetworkModel, whose: Whose, (lasting, target): (Lasting, f64), holder: &str) -> String {
    let all = model.targets_of(whose);
    let known: Vec<String> = all.iter().map(f64::to_string).collect();
    let key = lasting.key();
    match all.contains(&target) {
        false if all.is_empty() => format!("{holder} has no targets: give it `targets = [{target}]`"),
        true if lasting == Lasting::Served && matches!(whose, Whose::Station(_) | Whose::Class { .. }) => {
            format!("{holder} has no {key}: nobody leaves it without a service; measure waiting_within")
        }
        true if lasting == Lasting::Network => format!("{holder} has no {key}: it is of sinks"),
        true => format!("{holder} has no {key}: it is of stations; measure time_within"),
        false => format!("{holder} has no target of {target}: there are {}", known.join(", ")),
    }
}

fn lacks<'a>(what: &str, name: &str, known: impl ExactSizeIterator<Item = &'a str> + Clone) -> String {
    format!("the network has no {what} '{name}': {}", names::known(name, known))
}

fn place<'a>(known: impl ExactSizeIterator<Item = &'a str> + Clone, what: &str, name: &str) -> Result<u32, String> {
    let found = known.clone().position(|known| known == name);
    found.map(|place| place as u32).ok_or_else(|| lacks(what, name, known))
}
