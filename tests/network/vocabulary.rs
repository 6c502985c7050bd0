//! Files of random networks over the whole vocabulary.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use tickless::queueing::Discipline;

/// A file, and what a test has to know of it.
pub(super) struct File {
    pub(super) text: String,
    /// Names of what it has, as the format has them.
    pub(super) used: BTreeSet<&'static str>,
    pub(super) stations: Vec<Told>,
}

/// What a test has to know of a station.
#[derive(Clone, Default)]
pub(super) struct Told {
    /// Tokens of each class at time 0.
    pub(super) tokens: Vec<u64>,
    /// Whether those that balk, or lose their patience, leave the network.
    pub(super) balks_away: bool,
    pub(super) reneges_away: bool,
    /// Whether those that find no room go elsewhere.
    pub(super) full_elsewhere: bool,
    pub(super) joins: bool,
    pub(super) shares: bool,
    /// How it is full, if that is more than a loss.
    pub(super) full: Option<&'static str>,
}

const LAWS: [&str; 18] = [
    "constant:1",
    "exponential:1",
    "uniform:0.5,2",
    "erlang:2,1",
    "constant:0.5",
    "exponential:0.7",
    "uniform:0.25,1",
    "hyperexponential:0.3,2,0.5",
    "discrete:1*3,2.5",
    "samples:1,2,0.5",
    "histogram:0.5*2,1*1,2",
    "exponential:2",
    "gamma:0.7,1",
    "weibull:1.5,1",
    "lognormal:1,0.7",
    "triangular:0.2,1,2",
    "pareto:1.5,0.5,4",
    "coxian:0.5,0.4,1",
];
const FULL: [&str; 5] = ["blocks", "blocks-before", "exchanges", "repeats", "repeats-anew"];
const ROUTINGS: [&str; 11] = [
    "round-robin",
    "shortest-queue",
    "shortest-line",
    "fewest-waiting",
    "shortest-of-class",
    "shortest-response",
    "shortest-of:2",
    "least-work",
    "first-free",
    "by-visit",
    "fork",
];

/// Disciplines that need no attribute of tokens, and that most stations may have.
const DISCIPLINES: [Discipline; 6] = [
    Discipline::FirstCome,
    Discipline::LastCome,
    Discipline::LastComePreemptive,
    Discipline::Random,
    Discipline::ShortestJob,
    Discipline::Sharing,
];

/// What some file must have beside every discipline.
const NAMES: [&str; 58] = [
    "becomes",
    "balking",
    "balks_to",
    "batch",
    "blocks",
    "blocks-before",
    "by-visit",
    "capacity",
    "choice",
    "class capacity",
    "class cost",
    "class patience",
    "class routes",
    "class service",
    "class tokens",
    "classes",
    "cost",
    "d0",
    "delay",
    "distributions",
    "exchanges",
    "failures",
    "fewest-waiting",
    "first-free",
    "fork",
    "full_to",
    "generator",
    "infinite",
    "joins",
    "least-work",
    "limit",
    "patience",
    "period",
    "preemptive",
    "rates",
    "releases",
    "reneges_to",
    "repeats",
    "repeats-anew",
    "resources",
    "round-robin",
    "seizes",
    "seizes_at",
    "series_step",
    "setup",
    "shift_end",
    "shifts",
    "shortest-line",
    "shortest-of-class",
    "shortest-of:2",
    "shortest-queue",
    "shortest-response",
    "speeds",
    "targets",
    "trace",
    "use",
    "vacation",
    "weight",
];

/// Everything that some file must have.
pub(super) fn all() -> impl Iterator<Item = &'static str> {
    NAMES.into_iter().chain(DISCIPLINES.map(Discipline::name))
}

/// Draws of one file.
pub(super) struct Picks(tickless::random::Stream);

impl Picks {
    pub(super) fn of(&mut self, choices: u32) -> u32 {
        ((u64::from(self.0.draw()) * u64::from(choices)) >> 32) as u32
    }

    pub(super) fn one_in(&mut self, choices: u32) -> bool {
        self.of(choices) == 0
    }

    pub(super) fn discipline(&mut self) -> &'static str {
        DISCIPLINES[self.of(DISCIPLINES.len() as u32) as usize].name()
    }

    pub(super) fn law(&mut self) -> &'static str {
        // Laws of tables are seldom, as a table takes a while.
        let choices = if self.one_in(8) { LAWS.len() } else { 12 };
        LAWS[self.of(choices as u32) as usize]
    }
}

/// A station before its lines are written.
pub(super) struct Plan {
    pub(super) told: Told,
    pub(super) routing: Option<&'static str>,
    /// Where its routes lead: stations, or behind them the sinks.
    targets: Vec<usize>,
    /// Whether it leads to a station that blocks before the service.
    pub(super) feeds: bool,
}

pub(super) struct Writer {
    pub(super) picks: Picks,
    pub(super) text: String,
    pub(super) used: BTreeSet<&'static str>,
    pub(super) classes: u32,
    pub(super) priorities: BTreeSet<u32>,
    pub(super) units_there: Vec<u32>,
    pub(super) count: usize,
    /// Whether nobody is there at time 0, and whether the stations themselves lose nobody.
    pub(super) is_empty: bool,
    pub(super) keeps_all: bool,
    /// Whether everything is local to a station, and every route takes time.
    local: bool,
}

/// The file of a number. Not all that is drawn goes together: some files are refused.
pub(super) fn file_of(number: u32) -> File {
    file(number, false)
}

/// The same of more stations that have nothing to do with each other at one instant: what goes over ranks.
pub(super) fn local_file_of(number: u32) -> File {
    file(number, true)
}

fn file(number: u32, local: bool) -> File {
    let picks = Picks(tickless::random::StreamKey::new(42, 0).stream(number));
    let mut writer = Writer {
        picks,
        text: String::new(),
        used: BTreeSet::new(),
        classes: 0,
        priorities: BTreeSet::new(),
        units_there: vec![],
        count: 0,
        is_empty: number.is_multiple_of(3),
        keeps_all: number.is_multiple_of(6),
        local,
    };
    let stations = writer.write(number);
    File { text: writer.text, used: writer.used, stations }
}

impl Writer {
    pub(super) fn line(&mut self, line: impl AsRef<str>) {
        self.text += line.as_ref();
        self.text.push('\n');
    }

    /// Writes a key, and notes its name.
    pub(super) fn key(&mut self, name: &'static str, value: impl std::fmt::Display) {
        self.used.insert(name);
        let key = name.strip_prefix("class ").unwrap_or(name);
        let _ = writeln!(self.text, "{key} = {value}");
    }

    fn write(&mut self, number: u32) -> Vec<Told> {
        self.line(format!("until = 250\nseed = {number}"));
        if self.picks.one_in(4) {
            self.line("warmup = 5");
        }
        if self.picks.one_in(6) && !self.local {
            self.key("series_step", 7.5);
        }
        if self.picks.one_in(4) && !self.local {
            self.key("distributions", true);
        }
        self.classes = self.picks.of(4);
        for class in 0..self.classes {
            self.used.insert("classes");
            let priority = self.picks.of(3);
            self.priorities.insert(priority);
            self.line(format!("[[class]]\nname = 'c{class}'\npriority = {priority}"));
        }
        let resources = if self.local { 0 } else { self.picks.of(3) };
        self.units_there = (0..resources).map(|_| 1 + self.picks.of(3)).collect();
        for resource in 0..self.units_there.len() {
            self.used.insert("resources");
            self.line(format!("[[resource]]\nname = 'r{resource}'\nunits = {}", self.units_there[resource]));
        }
        self.count = 2 + self.picks.of(3) as usize + if self.local { 2 } else { 0 };
        let mut plans = self.plan();
        for (place, plan) in plans.iter_mut().enumerate() {
            self.station(place, plan);
        }
        self.line("[[sink]]\nname = 'out'\n[[sink]]\nname = 'lost'");
        for (place, plan) in plans.iter().enumerate() {
            self.routes(place, plan, &plans);
        }
        for source in 0..self.classes.max(1) {
            self.source(source, plans[0].routing == Some("fork"));
        }
        plans.into_iter().map(|plan| plan.told).collect()
    }

    /// How stations are full, which way tokens go, and who waits before a service for room.
    fn plan(&mut self) -> Vec<Plan> {
        let forks = self.picks.one_in(5) && !self.local;
        let full: Vec<Option<&'static str>> =
            (0..self.count).map(|_| (self.picks.of(5) < 2).then(|| FULL[self.picks.of(5) as usize])).collect();
        // Where tokens split, nobody goes back, and copies go at once.
        let first = usize::from(forks);
        let full: Vec<_> = full.into_iter().map(|full| full.filter(|_| !forks && !self.local)).collect();
        let mut plans = vec![];
        for place in 0..self.count {
            let routing = match self.picks.of(3) {
                _ if forks && place == 0 => Some("fork"),
                0 => Some(ROUTINGS[self.picks.of(10) as usize]),
                _ => None,
            };
            let routing = routing.filter(|routing| !self.local || *routing == "round-robin");
            let mut any = || first + self.picks.of((self.count - first) as u32) as usize;
            let (one, other, out) = (any(), any(), self.count);
            let targets = match routing {
                Some("fork") => (1..self.count).chain((self.count == 2).then_some(out)).collect(),
                Some("first-free") => vec![one, other, out],
                Some("round-robin" | "by-visit") => vec![one, out],
                Some(_) => vec![one, other],
                None => vec![one, other, out],
            };
            let mut feeds = targets.iter().any(|to| *to != place && full.get(*to) == Some(&Some("blocks-before")));
            // Such stations route by chance.
            let routing = if feeds { None } else { routing };
            let targets = if routing.is_none() && targets.len() < 3 { vec![one, other, out] } else { targets };
            feeds |= targets.iter().any(|to| full.get(*to) == Some(&Some("blocks-before")));
            let told = Told { full: full[place], joins: forks && place > 0 && self.picks.one_in(2), ..Told::default() };
            plans.push(Plan { told, routing, targets, feeds });
        }
        plans
    }

    fn routes(&mut self, place: usize, plan: &Plan, plans: &[Plan]) {
        let shares: &[f64] = if plan.targets.len() == 2 { &[0.5, 0.5] } else { &[0.3, 0.2, 0.5] };
        for (number, to) in plan.targets.iter().enumerate() {
            let share = plan.routing.is_none().then(|| shares[number]);
            let becomes = self.classes > 1 && self.picks.one_in(5);
            self.route(place, *to, plans, (share, None, becomes));
        }
        // A class of its own ways.
        let leaves = plan.targets.contains(&self.count);
        if leaves && plan.routing.is_none() && self.classes > 1 && self.picks.one_in(3) {
            self.used.insert("class routes");
            for (to, share) in [(plan.targets[0], 0.4), (self.count, 0.6)] {
                self.route(place, to, plans, (Some(share), Some(0), to < self.count));
            }
        }
    }

    fn route(
        &mut self,
        from: usize,
        to: usize,
        plans: &[Plan],
        (share, class, becomes): (Option<f64>, Option<u32>, bool),
    ) {
        let name = if to < self.count { format!("s{to}") } else { "out".into() };
        self.line(format!("[[route]]\nfrom = 's{from}'\nto = '{name}'"));
        if let Some(share) = share {
            self.line(format!("probability = {share}"));
        }
        if let Some(class) = class {
            self.line(format!("class = 'c{class}'"));
        }
        if becomes {
            let class = self.picks.of(self.classes);
            self.key("becomes", format!("'c{class}'"));
        }
        let blocks = plans.get(to).is_some_and(|plan| plan.told.full.is_some());
        if self.local {
            let delay = [0.25, 0.5, 0.5, 1.0][self.picks.of(4) as usize];
            self.key("delay", delay);
        } else if !blocks && self.picks.one_in(4) {
            self.key("delay", 0.5);
        }
    }

    fn source(&mut self, source: u32, splits: bool) {
        let to = if splits { 0 } else { self.picks.of(self.count as u32) };
        self.line(format!("[[source]]\nname = 'in{source}'"));
        if !splits && !self.local && self.picks.one_in(5) {
            self.used.insert("choice");
            let (other, routing) = (self.picks.of(self.count as u32), ROUTINGS[self.picks.of(9) as usize]);
            self.used.insert(routing);
            self.line(format!("to = ['s{to}', 's{other}']\nrouting = '{routing}'"));
        } else {
            self.line(format!("to = 's{to}'"));
        }
        if self.classes > 0 {
            self.line(format!("class = 'c{source}'"));
        }
        match self.picks.of(6) {
            0 => self.key("rates", "[[0, 1], [5, 0], [6.5, 2]]\nperiod = 8"),
            1 => {
                self.used.insert("d0");
                self.line("phases = { d0 = [[-2, 1], [0.5, -1]], d1 = [[0.5, 0.5], [0, 0.5]] }");
            }
            2 => {
                self.used.insert("generator");
                self.line("phases = { generator = [[-0.2, 0.2], [0.3, -0.3]], arrivals = [2, 0.25] }");
            }
            3 => return self.key("trace", "\"time,batch\\n1,2\\n1,1\\n3.5,1\\n20,3\""),
            _ => {
                let law = self.picks.law();
                self.line(format!("interval = '{law}'"));
            }
        }
        if self.picks.one_in(4) {
            self.key("batch", "[0.5, 0.25, 0.25]");
        }
        // All of them are served by the end, as a rule.
        let limit = 4 + self.picks.of(26);
        self.key("limit", limit);
    }
}
