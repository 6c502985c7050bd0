//! Classes, nodes and connections of a model of JMT, with the elements that describe them.

use super::fault::{JmtError, missing, no_equal, unknown, wrong};
use super::xml::{Xml, attribute, children, find, of_class, value};

/// A class of jobs.
pub(super) struct JobClass<'a> {
    pub name: &'a str,
    pub is_open: bool,
    /// The largest is served first.
    pub priority: i64,
    /// The source or station that its jobs start from.
    pub reference: &'a str,
    pub customers: u32,
    pub at: Xml<'a>,
}

/// What a node is by its sections.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Role {
    Source,
    Sink,
    Queue,
    Delay,
    /// A router or a logger: jobs go through it in no time.
    Pass,
    Switch,
    Fork,
    Join,
    Terminal,
}

/// A node.
pub(super) struct Node<'a> {
    pub name: &'a str,
    pub at: Xml<'a>,
    pub role: Role,
    /// Its sections, in their order.
    pub sections: Vec<Xml<'a>>,
    /// The nodes that its connections lead to, in their order.
    pub outs: Vec<usize>,
}

/// A model.
pub(super) struct Model<'a> {
    pub sim: Xml<'a>,
    pub classes: Vec<JobClass<'a>>,
    pub nodes: Vec<Node<'a>>,
    /// Jobs at time 0 as (node, class, count).
    pub start: Vec<(usize, usize, u32)>,
}

/// The parameters of each section that are read, or say nothing of the model. Any other one is an error.
const PARAMETERS: [(&str, &str); 16] = [
    ("RandomSource", "ServiceStrategy"),
    ("JobSink", ""),
    ("Terminal", "NumberOfJobs"),
    ("Queue", "size dropStrategies retrialDistributions FCFSstrategy QueuePutStrategy Impatience"),
    ("Join", "JoinStrategy"),
    ("Server", SERVER),
    ("PreemptiveServer", SERVER),
    ("PSServer", SERVER),
    ("ExhaustivePollingServer", POLLING),
    ("GatedPollingServer", POLLING),
    ("LimitedPollingServer", POLLING),
    ("Delay", "ServiceStrategy ServerStrategy"),
    ("ServiceTunnel", ""),
    ("ClassSwitch", "matrix"),
    ("Router", "RoutingStrategy"),
    ("Fork", "jobsPerLink block isSimplifiedFork ForkStrategy"),
];
const SERVER: &str = "maxJobs numberOfVisits ServiceStrategy ServerStrategy PSStrategy PSPriorityUsed maxRunning serviceWeights \
                      PreemptiveStrategy classParallelism serverNames serversPerServerType serverCompatibilities schedulingPolicy";
/// The servers of one type that go round are alike, so that no policy chooses among them.
const POLLING: &str = "maxJobs numberOfVisits ServiceStrategy SwitchoverStrategy classParallelism serverNames serversPerServerType \
                       serverCompatibilities schedulingPolicy";

/// Sections that no station is, and what they would need.
const OTHERS: [(&[&str], &str); 3] = [
    (&["Storage", "Linkage", "Enabling", "Timing", "Firing"], "the places and transitions of Petri nets"),
    (&["Cache"], "caches"),
    (&["Semaphore"], "a station that waits for some copies"),
];

impl<'a> Model<'a> {
    /// Reads a `<sim>`.
    pub fn read(sim: Xml<'a>) -> Result<Self, JmtError> {
        let classes = children(sim, "userClass").map(class).collect::<Result<Vec<_>, _>>()?;
        let nodes = children(sim, "node").map(node).collect::<Result<Vec<_>, _>>()?;
        let mut model = Self { sim, classes, nodes, start: vec![] };
        model.check_names()?;
        for connection in children(sim, "connection") {
            let [from, to] = ["source", "target"].map(|end| model.named(connection, attribute(connection, end)?));
            let (from, to) = (from?, to?);
            for (node, role, what) in [(from, Role::Sink, "leads from a sink"), (to, Role::Source, "leads to a source")]
            {
                if model.nodes[node].role == role {
                    let what = format!("a connection that {what}, '{}',", model.nodes[node].name);
                    return Err(no_equal(connection, what, "a station there"));
                }
            }
            model.nodes[from].outs.push(to);
        }
        model.start = model.starts()?;
        Ok(model)
    }

    /// Refuses a model without nodes, two nodes or two classes of one name, and a class that comes from no node.
    fn check_names(&self) -> Result<(), JmtError> {
        if self.nodes.is_empty() {
            return Err(missing(self.sim, "a node"));
        }
        let of_nodes = self.nodes.iter().map(|node| (node.name, node.at));
        let of_classes = self.classes.iter().map(|class| (class.name, class.at));
        for all in [of_nodes.collect::<Vec<_>>(), of_classes.collect()] {
            for (place, (name, at)) in all.iter().enumerate() {
                if all[..place].iter().any(|(other, _)| other == name) {
                    return Err(wrong(*at, *name, "a name that nothing else has"));
                }
            }
        }
        // A class that only a class switch or a fork makes says so.
        let made = |class: &&JobClass<'_>| !["", "ClassSwitch", "Fork"].contains(&class.reference);
        self.classes.iter().filter(made).try_for_each(|class| self.named(class.at, class.reference).map(drop))
    }

    /// The node of a name.
    pub fn named(&self, at: Xml<'_>, name: &str) -> Result<usize, JmtError> {
        let found = self.nodes.iter().position(|node| node.name == name);
        found.ok_or_else(|| wrong(at, name, "the name of a node"))
    }

    /// The class of a name.
    pub fn class_named(&self, at: Xml<'_>, name: &str) -> Result<usize, JmtError> {
        let found = self.classes.iter().position(|class| class.name == name);
        found.ok_or_else(|| wrong(at, name, "the name of a class"))
    }

    /// The entry of a class in an array of a node's section.
    pub fn of_class(&self, section: Xml<'a>, name: &str, class: usize) -> Option<Xml<'a>> {
        of_class(find(section, name)?, (class, self.classes[class].name))
    }

    /// Those that `preload` places; the rest of a closed class is where it starts from.
    fn starts(&self) -> Result<Vec<(usize, usize, u32)>, JmtError> {
        let mut start = vec![];
        for at in children(self.sim, "preload").flat_map(|preload| children(preload, "stationPopulations")) {
            let node = self.named(at, attribute(at, "stationName")?)?;
            for entry in children(at, "classPopulation") {
                let class = self.class_named(entry, attribute(entry, "refClass")?)?;
                start.push((node, class, count(entry, "population")?));
            }
        }
        for (number, class) in self.classes.iter().enumerate().filter(|(_, class)| !class.is_open) {
            let placed =
                start.iter().filter(|(_, of, _)| *of == number).map(|(.., count)| u64::from(*count)).sum::<u64>();
            let rest = u32::try_from(placed).ok().and_then(|placed| class.customers.checked_sub(placed));
            let Some(rest) = rest else {
                let allowed = format!("at most {}, the customers of the class: `preload` has more", class.customers);
                return Err(wrong(class.at, placed.to_string(), allowed));
            };
            start.push((self.named(class.at, class.reference)?, number, rest));
        }
        start.retain(|(.., count)| *count > 0);
        Ok(start)
    }
}

/// A number of jobs.
fn count(at: Xml<'_>, name: &str) -> Result<u32, JmtError> {
    let text = attribute(at, name)?;
    text.parse().map_err(|_| wrong(at, text, "a whole number of jobs"))
}

fn class(at: Xml<'_>) -> Result<JobClass<'_>, JmtError> {
    let priority = at.attribute("priority").unwrap_or("0");
    let is_open = match attribute(at, "type")? {
        kind if kind.eq_ignore_ascii_case("open") => true,
        kind if kind.eq_ignore_ascii_case("closed") => false,
        other => return Err(wrong(at, other, "open or closed")),
    };
    Ok(JobClass {
        name: attribute(at, "name")?,
        is_open,
        priority: priority.parse().map_err(|_| wrong(at, priority, "a whole number"))?,
        reference: at.attribute("referenceSource").unwrap_or_default(),
        customers: if is_open { 0 } else { count(at, "customers")? },
        at,
    })
}

fn node(at: Xml<'_>) -> Result<Node<'_>, JmtError> {
    let sections: Vec<_> = children(at, "section").collect();
    let names = sections.iter().map(|section| attribute(*section, "className")).collect::<Result<Vec<_>, _>>()?;
    for (section, name) in sections.iter().zip(&names).filter(|(_, name)| **name != "LogTunnel") {
        if let Some((_, needs)) = OTHERS.iter().find(|(others, _)| others.contains(name)) {
            return Err(no_equal(*section, format!("the section {name}"), needs));
        }
        let Some((_, known)) = PARAMETERS.iter().find(|(section, _)| section == name) else {
            let known = PARAMETERS.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ");
            return Err(unknown(*section, "section", name, &known));
        };
        let is_known = |parameter: &Xml<'_>| known.split(' ').any(|name| parameter.attribute("name") == Some(name));
        if let Some(other) = children(*section, "parameter").find(|parameter| !is_known(parameter)) {
            return Err(unknown(
                other,
                "parameter",
                other.attribute("name").unwrap_or_default(),
                &known.replace(' ', ", "),
            ));
        }
    }
    let role = match names[..] {
        ["JobSink", ..] => Role::Sink,
        ["RandomSource", "ServiceTunnel", "Router"] => Role::Source,
        ["Terminal", "ServiceTunnel", "Router"] => Role::Terminal,
        ["Queue", "Server" | "PreemptiveServer" | "PSServer", "Router"] => Role::Queue,
        ["Queue", "ExhaustivePollingServer" | "GatedPollingServer" | "LimitedPollingServer", "Router"] => Role::Queue,
        ["Queue", "Delay", "Router"] => Role::Delay,
        ["Queue", "ServiceTunnel" | "LogTunnel", "Router"] => Role::Pass,
        ["Queue", "ClassSwitch", "Router"] => Role::Switch,
        ["Queue", "ServiceTunnel", "Fork"] => Role::Fork,
        ["Join", "ServiceTunnel", "Router"] => Role::Join,
        [] => return Err(missing(at, "its sections")),
        _ => return Err(no_equal(at, format!("a node of {}", names.join(", ")), "such a node")),
    };
    let size = sections.first().and_then(|queue| value(find(*queue, "size")?));
    if !matches!(role, Role::Queue | Role::Delay) && size.is_some_and(|size| !size.starts_with('-') && size != "0") {
        return Err(no_equal(at, "a limit of room where jobs go through in no time", "a place that takes time"));
    }
    Ok(Node { name: attribute(at, "name")?, at, role, sections, outs: vec![] })
}
