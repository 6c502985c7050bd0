//! Queues, delays and what else is a station here: servers, disciplines, room, laws and patience.

use std::fmt::Write;

use super::fault::{JmtError, missing, no_equal, unknown, wrong};
use super::laws::{Law, MOMENT, service};
use super::model::{Model, Role};
use super::xml::{Xml, entries, find, kind, of_class, parameter, parsed, value, whole};

/// A station of the network file.
#[derive(Default)]
pub(super) struct Place {
    /// Lines of keys without the law and what classes have.
    pub keys: String,
    /// By class its law, and lines of further keys.
    pub classes: Vec<(usize, Law, String)>,
    /// In which order classes are served, if the station tells them apart: the lowest number first.
    pub order: Option<Vec<(usize, f64)>>,
    /// What differs from JMT, as comments.
    pub remarks: Vec<String>,
    /// Who finds it full waits where he is.
    pub blocks: bool,
}

/// A station at which jobs spend no time in JMT.
pub(super) fn moment(classes: impl IntoIterator<Item = usize>) -> Place {
    let law = || Law { text: MOMENT.into(), mean: 0.0 };
    let classes = classes.into_iter().map(|class| (class, law(), String::new())).collect();
    Place { keys: "servers = \"infinite\"\n".into(), classes, ..Place::default() }
}

/// The station of a node to which these classes come.
pub(super) fn station(model: &Model<'_>, node: usize, classes: &[usize]) -> Result<Place, JmtError> {
    let of = &model.nodes[node];
    match of.role {
        Role::Queue | Role::Delay => {}
        Role::Join => return join(model, node, classes),
        _ => return Ok(moment(classes.iter().copied())),
    }
    let [queue, server] = [of.sections[0], of.sections[1]];
    let mut place = Place::default();
    for class in classes {
        let name = model.classes[*class].name;
        let strategy =
            ["ServiceStrategy", "ServerStrategy"].into_iter().find_map(|key| model.of_class(server, key, *class));
        let strategy =
            strategy.ok_or_else(|| missing(server, format!("a service of class '{name}', whose jobs come here")))?;
        let law =
            service(strategy)?.ok_or_else(|| missing(strategy, "a service, though jobs of the class come here"))?;
        place.classes.push((*class, law, patience(model, queue, *class)?));
    }
    if of.role == Role::Delay {
        place.keys = "servers = \"infinite\"\n".into();
    } else {
        let servers = whole(server, "maxJobs")?;
        if servers < 1 {
            return Err(wrong(parameter(server, "maxJobs")?, servers.to_string(), "1 server or more"));
        }
        if servers > 1 {
            let _ = writeln!(place.keys, "servers = {servers}");
        }
        plain_servers(model, server, classes)?;
        discipline(model, (queue, server), servers, &mut place)?;
    }
    room(model, queue, classes, &mut place)?;
    Ok(place)
}

/// Refuses servers that differ from each other, and jobs that take several.
fn plain_servers(model: &Model<'_>, server: Xml<'_>, classes: &[usize]) -> Result<(), JmtError> {
    for (name, needs) in
        [("classParallelism", "jobs that take several servers"), ("numberOfVisits", "jobs served several times")]
    {
        for entry in classes.iter().filter_map(|class| model.of_class(server, name, *class)) {
            if parsed::<i64>(entry, "a whole number")? != 1 {
                return Err(no_equal(entry, format!("`{name}` other than 1"), needs));
            }
        }
    }
    let several = find(server, "serverNames").filter(|names| entries(*names).count() > 1);
    let refused = find(server, "serverCompatibilities").filter(|all| {
        all.descendants().any(|value| value.has_tag_name("value") && value.text().map(str::trim) == Some("false"))
    });
    match several.or(refused) {
        Some(at) => Err(no_equal(
            at,
            "a station whose servers are of several types",
            "its servers as [[station.servers]], written by hand",
        )),
        None => Ok(()),
    }
}

/// How the classes of a station are told apart.
#[derive(Clone, Copy)]
pub(super) enum Order {
    Alike,
    Priority,
    /// The shortest mean service first, or, below 0, the longest.
    Mean(f64),
}

/// The disciplines of JMT that are known, without `Strategy`, and ours.
pub(super) const DISCIPLINES: [(&str, &str, Order); 14] = [
    ("Tail", "fcfs", Order::Alike),
    ("TailStrategyPriority", "fcfs", Order::Priority),
    ("Head", "lcfs", Order::Alike),
    ("HeadStrategyPriority", "lcfs", Order::Priority),
    ("Rand", "siro", Order::Alike),
    ("RandStrategyPriority", "siro", Order::Priority),
    ("SJF", "sjf", Order::Alike),
    ("SJFStrategyPriority", "sjf", Order::Priority),
    ("SEPT", "fcfs", Order::Mean(1.0)),
    ("LEPT", "fcfs", Order::Mean(-1.0)),
    // Without priorities it interrupts nobody.
    ("FCFSPR", "fcfs", Order::Alike),
    (INTERRUPTS, "fcfs", Order::Priority),
    ("LCFSPR", "lcfs-preemptive", Order::Alike),
    ("LCFSPRStrategyPriority", "lcfs-preemptive", Order::Priority),
];
const INTERRUPTS: &str = "FCFSPRStrategyPriority";

fn discipline(
    model: &Model<'_>,
    (queue, server): (Xml<'_>, Xml<'_>),
    servers: i64,
    place: &mut Place,
) -> Result<(), JmtError> {
    let get = parameter(queue, "FCFSstrategy")?;
    if kind(get) != "FCFSstrategy" {
        return Err(no_equal(get, format!("the polling {}", kind(get)), "a server that goes from class to class"));
    }
    if server.attribute("className") == Some("PSServer") {
        return shared(model, server, servers, place);
    }
    let mut all = vec![];
    for (class, ..) in &place.classes {
        let name = model.classes[*class].name;
        let strategy = model.of_class(queue, "QueuePutStrategy", *class);
        all.push(strategy.ok_or_else(|| missing(queue, format!("a strategy of the queue for class '{name}'")))?);
    }
    let Some(first) = all.first() else { return Ok(()) };
    if let Some(other) = all.iter().find(|other| kind(**other) != kind(*first)) {
        let what = format!("{} beside {}", kind(*other), kind(*first));
        return Err(no_equal(*other, what, "a discipline of each class"));
    }
    let found = DISCIPLINES.iter().find(|(name, ..)| *name == kind(*first).trim_end_matches("Strategy"));
    let Some(&(theirs, name, order)) = found else {
        let needs = "an order of service other than those of `discipline`";
        return Err(no_equal(*first, format!("the discipline {}", kind(*first)), needs));
    };
    if name != "fcfs" {
        let _ = writeln!(place.keys, "discipline = \"{name}\"");
    }
    let rank = |(class, law, _): &(usize, Law, String)| match order {
        Order::Alike => (*class, 0.0),
        Order::Priority => (*class, -(model.classes[*class].priority as f64)),
        Order::Mean(sign) => (*class, sign * law.mean),
    };
    let ranks: Vec<(usize, f64)> = place.classes.iter().map(rank).collect();
    if theirs == INTERRUPTS && ranks.iter().any(|(_, rank)| *rank != ranks[0].1) {
        place.keys.push_str("preemptive = true\n");
    }
    place.order = Some(ranks);
    Ok(())
}

/// Servers that all jobs share.
fn shared(model: &Model<'_>, server: Xml<'_>, servers: i64, place: &mut Place) -> Result<(), JmtError> {
    place.keys.push_str("discipline = \"ps\"\n");
    if let Some(most) =
        find(server, "maxRunning").filter(|most| value(*most).is_some_and(|most| !most.starts_with('-')))
    {
        return Err(no_equal(most, "a limit of the jobs that share", "a resource that a station before it seizes"));
    }
    if find(server, "PSPriorityUsed").and_then(value) == Some("true") {
        return Err(no_equal(
            parameter(server, "PSPriorityUsed")?,
            "sharing by priority",
            "`ps` that looks at priorities",
        ));
    }
    for (class, _, keys) in &mut place.classes {
        let strategy = model.of_class(server, "PSStrategy", *class);
        match strategy.map_or("EPSStrategy", kind) {
            "EPSStrategy" => {}
            "DPSStrategy" if servers == 1 => {
                let weights = parameter(server, "serviceWeights")?;
                let weight = of_class(weights, (*class, model.classes[*class].name));
                let weight: f64 = weight.map_or(Ok(1.0), |weight| parsed(weight, "a number"))?;
                let _ = writeln!(keys, "weight = {weight:?}");
            }
            other => {
                let at = strategy.unwrap_or(server);
                let needs = "`ps` by other shares than alike, or than weights with one server";
                return Err(no_equal(at, format!("sharing by {other}"), needs));
            }
        }
    }
    Ok(())
}

/// How many jobs there is room for, and what becomes of others.
fn room(model: &Model<'_>, queue: Xml<'_>, classes: &[usize], place: &mut Place) -> Result<(), JmtError> {
    let size = whole(queue, "size")?;
    let mut rules = vec![];
    for class in classes.iter().filter(|_| size > 0) {
        let rule = model.of_class(queue, "dropStrategies", *class).unwrap_or(queue);
        rules.push((rule, value(rule).unwrap_or("drop")));
    }
    let Some((at, rule)) = rules.first().copied() else { return Ok(()) };
    if let Some((at, other)) = rules.iter().find(|(_, other)| *other != rule) {
        return Err(no_equal(
            *at,
            format!("'{other}' beside '{rule}'"),
            "what becomes of those who find no room, by class",
        ));
    }
    match rule {
        "drop" => _ = writeln!(place.keys, "capacity = {size}"),
        "BAS blocking" => {
            place.blocks = true;
            let _ = writeln!(place.keys, "capacity = {size}\nfull = \"blocks\"");
        }
        // Those outside come in first come first served, so that nothing changes but who counts as outside.
        "waiting queue"
            if !place.keys.contains("discipline") && place.order.iter().flatten().all(|(_, rank)| *rank == 0.0) =>
        {
            place
                .remarks
                .push(format!("JMT has room for {size} here, and others wait outside, which is the same line."));
        }
        "waiting queue" | "retrial" => {
            return Err(no_equal(at, format!("'{rule}' at a station that is full"), "a place where jobs wait outside"));
        }
        other => return Err(unknown(at, "rule of a full station", other, "drop, BAS blocking, waiting queue")),
    }
    Ok(())
}

/// The line of the patience of a class, if it has any.
fn patience(model: &Model<'_>, queue: Xml<'_>, class: usize) -> Result<String, JmtError> {
    let Some(entry) = model.of_class(queue, "Impatience", class) else { return Ok(String::new()) };
    match kind(entry) {
        "Reneging" => Ok(service(entry)?.map(|law| format!("patience = \"{}\"\n", law.text)).unwrap_or_default()),
        _ if entries(entry).next().is_none() => Ok(String::new()),
        other => Err(no_equal(entry, format!("impatience by {other}"), "`balking` by what JMT computes")),
    }
}

/// A station that joins.
fn join(model: &Model<'_>, node: usize, classes: &[usize]) -> Result<Place, JmtError> {
    let section = model.nodes[node].sections[0];
    for class in classes {
        let Some(strategy) = model.of_class(section, "JoinStrategy", *class) else { continue };
        let all = find(strategy, "numRequired").and_then(value).is_none_or(|count| count.starts_with('-'));
        if kind(strategy) != "NormalJoin" || !all {
            return Err(no_equal(
                strategy,
                format!("the join strategy {}", kind(strategy)),
                "a join that some copies suffice for",
            ));
        }
    }
    let mut place = moment(classes.iter().copied());
    place.keys.push_str("joins = true\n");
    Ok(place)
}
