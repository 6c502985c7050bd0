//! In which order a station serves, or how its jobs share the servers.

use std::fmt::Write;

use super::fault::{JmtError, missing, no_equal};
use super::laws::Law;
use super::model::Model;
use super::servers::polling;
use super::stations::Place;
use super::xml::{Xml, find, kind, of_class, parameter, parsed, value, whole};

/// How the classes of a station are told apart.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Order {
    Alike,
    Priority,
    /// The shortest mean service first, or, below 0, the longest.
    Mean(f64),
}

/// The disciplines of JMT that are known, without `Strategy`, and ours.
pub(super) const DISCIPLINES: [(&str, &str, Order); 16] = [
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
    ("FCFSPRStrategyPriority", "fcfs", Order::Priority),
    ("LCFSPR", "lcfs-preemptive", Order::Alike),
    ("LCFSPRStrategyPriority", "lcfs-preemptive", Order::Priority),
    ("SRPT", "srpt", Order::Alike),
    ("SRPTStrategyPriority", "srpt", Order::Priority),
];
/// Those by which a higher priority interrupts, and ours has to say so.
const INTERRUPT: [&str; 2] = ["FCFSPRStrategyPriority", "SRPTStrategyPriority"];

/// The order of service of a queue.
pub(super) fn discipline(
    model: &Model<'_>,
    (queue, server): (Xml<'_>, Xml<'_>),
    place: &mut Place,
) -> Result<(), JmtError> {
    let section = server.attribute("className").unwrap_or_default();
    if section == "PSServer" {
        return shared(model, (queue, server), place);
    }
    let get = parameter(queue, "FCFSstrategy")?;
    if kind(get) != "FCFSstrategy" && !section.ends_with("PollingServer") {
        let what = format!("the polling {} of the section {section}", kind(get));
        return Err(no_equal(get, what, "a server that goes from class to class, as ExhaustivePollingServer"));
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
    place.discipline = name;
    let rank = |(class, law, _): &(usize, Law, String)| match order {
        Order::Alike => (*class, 0.0),
        Order::Priority => (*class, -(model.classes[*class].priority as f64)),
        Order::Mean(sign) => (*class, sign * law.mean),
    };
    let ranks: Vec<(usize, f64)> = place.classes.iter().map(rank).collect();
    place.preemptive = INTERRUPT.contains(&theirs) && ranks.iter().any(|(_, rank)| *rank != ranks[0].1);
    let classes: Vec<usize> = ranks.iter().map(|(class, _)| *class).collect();
    if section.ends_with("PollingServer") {
        // Of one class, which has one priority, the first or the last is served.
        place.groups = polling(model, (queue, server), &classes)?.into_iter().collect();
    } else {
        place.order = Some(ranks);
    }
    let is_plain = ["fcfs", "lcfs"].contains(&name) && !place.preemptive && !matches!(order, Order::Mean(_));
    if !place.groups.is_empty() && !is_plain {
        let needs = "groups of servers with other disciplines than `fcfs` and `lcfs`";
        return Err(no_equal(*first, format!("{} with such servers", kind(*first)), needs));
    }
    Ok(())
}

/// Servers that all jobs share.
fn shared(model: &Model<'_>, (queue, server): (Xml<'_>, Xml<'_>), place: &mut Place) -> Result<(), JmtError> {
    place.discipline = "ps";
    if !place.groups.is_empty() {
        return Err(no_equal(server, "sharing of servers of several types", "groups of servers with `ps`"));
    }
    if let Some(most) =
        find(server, "maxRunning").filter(|most| value(*most).is_some_and(|most| !most.starts_with('-')))
    {
        let count: u64 = parsed(most, "a whole number")?;
        place.shares = Some(count).filter(|count| *count > 0);
        // All others wait in one line.
        place.order = Some(place.classes.iter().map(|(class, ..)| (*class, 0.0)).collect());
        let in_line = |class: usize| {
            model.of_class(queue, "QueuePutStrategy", class).is_none_or(|put| kind(put) == "TailStrategy")
        };
        let is_patient = place.classes.iter().all(|(class, _, keys)| keys.is_empty() && in_line(*class));
        if place.shares.is_some() && !(is_patient && whole(queue, "size")? <= 0) {
            let needs =
                "a limit of those who share with room for all, and a line of patient jobs first come first served";
            return Err(no_equal(most, "a limit of the jobs that share beside other rules of the line", needs));
        }
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
            "DPSStrategy" if place.servers == 1 => {
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
