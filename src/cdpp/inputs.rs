//! Values that come into cells from outside the space: from generators, queues, a file of events and other spaces, known before
//! the run begins.

use std::collections::HashMap;

use super::RuleFile;
use super::cell_space::number;
use super::coupling::{Inlet, Origin, PortBinding};
use super::error::{Fault, RuleError};
use super::fixed::Fixed;
use super::generator::Generator;
use super::queue::Queue;
use super::source::{Place, SourceLine, Sources};
use super::statements::Statement;
use tickless_core::random::StreamKey;
use tickless_core::time::Time;

/// The most numbers of generators, in all replications together, and the most that come into cells in a replication.
const MOST: usize = 1 << 22;
/// Words of an entry before its values: its time, low word first, and the section of its rules.
const HEAD: usize = 3;

/// The inlets of the cells of a file, and the origins of their values.
#[derive(Clone, Debug, Default)]
pub(super) struct Incoming {
    pub generators: Vec<Generator>,
    pub queues: Vec<Queue>,
    /// The names of the input ports of the model.
    pub ports: Vec<String>,
    /// Inlets, and the sections of their rules.
    pub inlets: Vec<(Inlet, usize)>,
    /// Names of input ports of cells whose values rules read; a rule reads its own port as the first of all.
    pub read: Vec<String>,
    pub events: Vec<Event>,
    /// The links of the model from space to space, by the number of the port binding.
    pub links: Vec<PortBinding>,
    /// Whether the values that other spaces send depend on random numbers.
    pub fed_at_random: bool,
    /// The values that other spaces have sent, once known.
    pub fed: Option<Fed>,
}

/// Times and values that came by each port binding, for one replication or for each.
pub(super) type Fed = Vec<Vec<Vec<(u64, Fixed)>>>;

/// A number that comes to a port of the model.
#[derive(Clone, Copy, Debug)]
pub(super) struct Event {
    time: u64,
    port: usize,
    value: Fixed,
}

impl Incoming {
    /// The words of an entry, for numbers of a width.
    pub fn entry(&self, width: usize) -> usize {
        HEAD + width * (1 + self.read.len())
    }

    /// Whether a generator draws, or another space.
    pub fn draws(&self) -> bool {
        self.fed_at_random || self.generators.iter().any(Generator::draws)
    }

    /// The port bindings that lead to a cell, directly or through queues.
    pub fn bindings(&self) -> impl Iterator<Item = usize> + '_ {
        let mut open: Vec<Origin> = self.inlets.iter().flat_map(|(inlet, _)| &inlet.origins).copied().collect();
        let mut is_known = vec![false; self.queues.len()];
        std::iter::from_fn(move || {
            loop {
                match open.pop()? {
                    Origin::Space(binding) => return Some(binding),
                    Origin::Queue(n) if !std::mem::replace(&mut is_known[n], true) => {
                        open.extend(self.queues[n].inputs.iter().map(|(origin, _)| *origin));
                    }
                    _ => {}
                }
            }
        })
    }

    /// Adds the values that this queue sends, and those of the queues from which it receives, to the known ones.
    fn add_queue(&self, n: usize, known: &mut Known) {
        if known.queues[n].is_some() {
            return;
        }
        let mut coming = vec![];
        for (origin, entrance) in &self.queues[n].inputs {
            if let Origin::Queue(other) = origin {
                self.add_queue(*other, known);
            }
            coming.extend(self.numbers(*origin, known).into_iter().map(|(time, value)| (time, *entrance, value)));
        }
        coming.sort_by_key(|(time, ..)| *time);
        known.queues[n] = Some(self.queues[n].sent(&coming));
    }

    /// The values that an origin sends, with their times.
    fn numbers(&self, origin: Origin, known: &Known) -> Vec<(u64, Fixed)> {
        match origin {
            Origin::Generator(n) => known.drawn[n].clone(),
            Origin::Port(port) => {
                let events = self.events.iter().filter(|event| event.port == port);
                events.map(|event| (event.time, event.value)).collect()
            }
            Origin::Space(binding) => known.fed.and_then(|fed| fed.get(binding)).cloned().unwrap_or_default(),
            Origin::Queue(n) => known.queues[n].clone().unwrap_or_default(),
        }
    }
}

/// The known values of a replication: those that generators, other spaces and queues send.
struct Known<'a> {
    drawn: Vec<Vec<(u64, Fixed)>>,
    fed: Option<&'a Vec<Vec<(u64, Fixed)>>>,
    queues: Vec<Option<Vec<(u64, Fixed)>>>,
}

impl RuleFile {
    /// The same with numbers that come to the input ports of the model: lines `HH:MM:SS:mmm PORT VALUE`, as in CD++.
    ///
    /// ```
    /// # use tickless_cdpp::facade as tickless;
    /// use tickless::cells::rules::RuleFile;
    /// let text = "[top]\ncomponents : a\nin : x\nlink : x x@a\n[a]\ntype : cell\ndim : (1,2)\ndelay : transport\n\
    ///             defaultDelayTime : 5\nborder : wrapped\nneighbors : a(0,0)\ninitialvalue : 0\nin : x\n\
    ///             link : x in@a(0,1)\nlocaltransition : r\n[r]\nrule : {(0,0)} 1 {t}\n";
    /// let file = RuleFile::parse(text, "a.ma", |_| None)?.with_events("00:00:01:500 x 2.5", "a.ev")?;
    /// assert_eq!(file.input_ports(), ["x"]);
    /// # Ok::<(), tickless::cells::rules::RuleError>(())
    /// ```
    ///
    /// # Errors
    /// [`RuleError`] with the place, the fault and what is allowed.
    pub fn with_events(mut self, text: &str, name: &str) -> Result<Self, RuleError> {
        let mut sources = Sources::default();
        let start = sources.add(name, text);
        for line in sources.lines(start) {
            let place = line.place;
            let words = Statement { key: String::new(), place, value: vec![line] }.words();
            if !words.is_empty() {
                self.incoming.events.push(event(&sources, place, &words, &self.incoming.ports)?);
            }
        }
        Ok(self)
    }

    /// The names of the input ports of the model.
    pub fn input_ports(&self) -> &[String] {
        &self.incoming.ports
    }
}

/// The event of a line.
fn event(sources: &Sources, place: Place, words: &[SourceLine], ports: &[String]) -> Result<Event, RuleError> {
    let [time, port, value] = words else {
        let found = format!("a line of {} words", words.len());
        return Err(sources.fail(place, Fault::Syntax { found, expected: "'HH:MM:SS:mmm PORT VALUE'".into() }));
    };
    let name = port.text.to_ascii_lowercase();
    let Some(number_of_port) = ports.iter().position(|other| *other == name) else {
        let known = match ports {
            [] => "the model has none: declare it in the section 'top' as in 'in : PORT'".into(),
            _ => format!("the input ports of the model are {}", ports.join(" ")),
        };
        return Err(sources.fail(port.place, Fault::Unknown { what: "the port".into(), name, known }));
    };
    let value = number(sources, &value.text, value.place)?;
    Ok(Event { time: moment(sources, time)?, port: number_of_port, value })
}

/// The ticks of a time `HH:MM:SS:mmm`.
pub(super) fn moment(sources: &Sources, word: &SourceLine) -> Result<u64, RuleError> {
    let parts: Vec<Option<u64>> = word.text.split(':').map(|part| part.parse().ok().filter(|n| *n < 1 << 20)).collect();
    match parts[..] {
        [Some(hours), Some(minutes), Some(seconds), Some(milliseconds)] if hours < 1000 => {
            // A value at 2^31 ms or later comes behind every horizon.
            Ok((((hours * 60 + minutes) * 60 + seconds) * 1000 + milliseconds).min(1 << 31) << 32)
        }
        _ => {
            let allowed = "hours up to 999, minutes, seconds and milliseconds are allowed, as in 00:00:12:500".into();
            let (what, value) = ("the time".into(), word.text.clone());
            Err(sources.fail(word.place, Fault::Value { what, value, allowed }))
        }
    }
}

/// The values that come into cells of a run, in the order of cells and then of times. Entries of a cell end with one at
/// no time.
#[derive(Clone, Debug, Default)]
pub(super) struct Inputs {
    /// The entries: see [`HEAD`]; then the value of the port that counts, then those of the ports that rules read.
    pub words: Vec<u32>,
    /// Words of an entry.
    each: usize,
    /// The first entry of each cell with entries, of all replications or of each.
    first: Vec<HashMap<u32, u32>>,
}

/// Why values that come in cannot be stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NoPlace {
    /// Too many events.
    Many,
    /// A value does not fit two words.
    Range,
    /// A value needs two words.
    Wide,
    /// The values that other spaces send are not known.
    Unfed,
}

/// An entry.
pub(super) struct Input<'a> {
    pub time: Time,
    pub section: usize,
    /// Words of values.
    pub values: &'a [u32],
}

impl Inputs {
    /// The values that come in before a horizon.
    ///
    /// # Errors
    /// Why they cannot be stored.
    pub fn new(file: &RuleFile, until: Time, keys: impl Iterator<Item = StreamKey>) -> Result<Self, NoPlace> {
        let incoming = &file.incoming;
        let each = incoming.entry(file.width());
        let mut found = Self { words: vec![0; each], each, first: vec![] };
        found.words[..2].fill(u32::MAX);
        if incoming.fed.is_none() && incoming.bindings().next().is_some() {
            return Err(NoPlace::Unfed);
        }
        let mut left = MOST;
        for (number, key) in keys.take(if incoming.draws() { usize::MAX } else { 1 }).enumerate() {
            if incoming.fed_at_random && incoming.fed.as_ref().is_some_and(|fed| number >= fed.len()) {
                return Err(NoPlace::Unfed);
            }
            found.replication(file, until, (number, key), &mut left)?;
        }
        Ok(found)
    }

    /// Adds a replication; its generators may make at most `most` numbers. Returns how many are left.
    fn replication(
        &mut self,
        file: &RuleFile,
        until: Time,
        (number, key): (usize, StreamKey),
        left: &mut usize,
    ) -> Result<(), NoPlace> {
        let incoming = &file.incoming;
        let fed = incoming.fed.as_ref().and_then(|fed| fed.get(number).or(fed.first()));
        let stream = |n: usize| key.stream(u32::MAX - n as u32);
        let mut drawn = vec![];
        for (n, generator) in incoming.generators.iter().enumerate() {
            let numbers = generator.numbers(until.ticks(), stream(n), *left)?;
            *left -= numbers.len();
            drawn.push(numbers);
        }
        let mut known = Known { drawn, fed, queues: vec![None; incoming.queues.len()] };
        let mut all = vec![];
        for (inlet, (Inlet { cell, origins, .. }, _)) in incoming.inlets.iter().enumerate() {
            let cell = file.cell(*cell);
            for origin in origins {
                if let Origin::Queue(n) = origin {
                    incoming.add_queue(*n, &mut known);
                }
                let numbers = incoming.numbers(*origin, &known);
                all.extend(numbers.into_iter().map(|(time, value)| (cell, time, inlet, value)));
                if all.len() > MOST {
                    return Err(NoPlace::Many);
                }
            }
        }
        all.retain(|(_, time, ..)| *time < until.ticks());
        if file.width() == 1 && all.iter().any(|(.., value)| !value.is_short()) {
            return Err(NoPlace::Wide);
        }
        // Values of a cell and a time come in the order of the links.
        all.sort_by_key(|(cell, time, ..)| (*cell, *time));
        let mut first = HashMap::new();
        for of_cell in all.chunk_by(|a, b| a.0 == b.0) {
            first.insert(of_cell[0].0, u32::try_from(self.words.len() / self.each).map_err(|_| NoPlace::Many)?);
            let mut read = vec![Fixed::UNDEFINED; incoming.read.len()];
            for of_time in of_cell.chunk_by(|a, b| a.1 == b.1) {
                let (_, time, inlet, value) = of_time[0];
                for (.., inlet, value) in of_time {
                    let port = &incoming.inlets[*inlet].0.port;
                    read.iter_mut()
                        .zip(&incoming.read)
                        .filter(|(_, name)| *name == port)
                        .for_each(|(to, _)| *to = *value);
                }
                let section = incoming.inlets[inlet].1 as u32;
                self.words.extend([time as u32, (time >> 32) as u32, section]);
                let (at, width) = (self.words.len(), file.width());
                self.words.resize(at + self.each - HEAD, 0);
                let values = [value].into_iter().chain(read.iter().copied());
                values.enumerate().for_each(|(n, value)| value.write(&mut self.words[at..], n, width));
            }
            self.words.extend_from_within(..self.each);
        }
        self.first.push(first);
        Ok(())
    }

    /// The number of the first entry of a cell.
    pub fn first(&self, replication: usize, cell: u32) -> u32 {
        let of = self.first.get(replication).or(self.first.first());
        of.and_then(|first| first.get(&cell)).copied().unwrap_or(0)
    }

    /// An entry by its number.
    pub fn entry(&self, number: u32) -> Input<'_> {
        let words = &self.words[number as usize * self.each..][..self.each];
        let time = Time::from_ticks(u64::from(words[1]) << 32 | u64::from(words[0]));
        Input { time, section: words[2] as usize, values: &words[HEAD..] }
    }
}
