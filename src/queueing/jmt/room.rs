//! For how many jobs a station has room, what becomes of others, and who does not wait.

use std::fmt::Write;

use super::fault::{JmtError, missing, no_equal, unknown, wrong};
use super::laws::service;
use super::model::Model;
use super::stations::Place;
use super::xml::{Xml, entries, find, kind, number, parameter, parsed, value, whole};

/// How many jobs there is room for, and what becomes of others.
pub(super) fn room(model: &Model<'_>, queue: Xml<'_>, classes: &[usize], place: &mut Place) -> Result<(), JmtError> {
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
            if place.discipline == "fcfs"
                && place.groups.is_empty()
                && place.order.iter().flatten().all(|(_, rank)| *rank == 0.0) =>
        {
            place
                .remarks
                .push(format!("JMT has room for {size} here, and others wait outside, which is the same line."));
        }
        "retrial" => {
            let _ = writeln!(place.keys, "capacity = {size}");
            for class in classes {
                let name = model.classes[*class].name;
                let again = model.of_class(queue, "retrialDistributions", *class);
                let again =
                    again.ok_or_else(|| missing(queue, format!("a time until jobs of class '{name}' try again")))?;
                let law = service(again)?.ok_or_else(|| missing(again, "a time until jobs try again"))?;
                place.retries.push((*class, law));
            }
        }
        "waiting queue" => {
            return Err(no_equal(at, format!("'{rule}' at a station that is full"), "a place where jobs wait outside"));
        }
        other => {
            return Err(unknown(at, "rule of a full station", other, "drop, BAS blocking, waiting queue, retrial"));
        }
    }
    Ok(())
}

/// The line of the patience of a class, if it has any.
pub(super) fn patience(model: &Model<'_>, queue: Xml<'_>, class: usize) -> Result<String, JmtError> {
    let Some(entry) = model.of_class(queue, "Impatience", class) else { return Ok(String::new()) };
    match kind(entry) {
        "Reneging" => Ok(service(entry)?.map(|law| format!("patience = \"{}\"\n", law.text)).unwrap_or_default()),
        // It is of the whole station here: see `balking`.
        "Balking" => Ok(String::new()),
        _ if entries(entry).next().is_none() => Ok(String::new()),
        other => Err(unknown(entry, "impatience", other, "Reneging, Balking")),
    }
}

/// The most tokens present that a list of probabilities tells apart.
const MOST_PRESENT: i64 = 10_000;

/// With which probability jobs do not join: by how many wait in JMT, by how many are there in a network file, which is as many more as there are
/// servers.
pub(super) fn balking(model: &Model<'_>, queue: Xml<'_>, classes: &[usize], place: &mut Place) -> Result<(), JmtError> {
    let of = |class: &usize| model.of_class(queue, "Impatience", *class).filter(|entry| kind(*entry) == "Balking");
    let Some(entry) = classes.iter().find_map(of) else { return Ok(()) };
    let shares = shares(entry)?;
    for class in classes {
        let same = of(class).map(self::shares).transpose()?.is_some_and(|others| others == shares);
        if !same {
            let what =
                format!("balking of which class '{}' has other probabilities, or none,", model.classes[*class].name);
            return Err(no_equal(entry, what, "`balking` of each class"));
        }
    }
    let priority = |class: &usize| model.classes[*class].priority;
    if find(entry, "priorityActivated").and_then(value) == Some("true")
        && classes.iter().any(|class| priority(class) != priority(&classes[0]))
    {
        return Err(no_equal(
            entry,
            "balking by how many wait of no lower priority",
            "`balking` that looks at priorities",
        ));
    }
    let is_plain = place.servers > 0 && place.discipline != "ps" && !place.blocks && place.retries.is_empty();
    if !is_plain || place.groups.len() > 1 {
        let needs =
            "`balking` by how many wait, and not by how many are there, or a line in which all wait who are not served";
        return Err(no_equal(entry, "balking at such a station", needs));
    }
    let last = shares.last().map_or(0, |(from, _)| *from);
    if place.servers.saturating_add(last) > MOST_PRESENT {
        return Err(wrong(
            entry,
            format!("a range from {last} on"),
            format!("below {}", (MOST_PRESENT - place.servers).max(0)),
        ));
    }
    let share = |waiting: i64| shares.iter().rev().find(|(from, _)| *from <= waiting).map_or(0.0, |(_, share)| *share);
    // Nobody balks who finds nobody waiting.
    let all = (0..=place.servers).map(|_| 0.0).chain((1..=last.max(1)).map(share));
    let _ = writeln!(place.keys, "balking = {:?}", all.collect::<Vec<_>>());
    Ok(())
}

/// From how many on that wait a job balks with which probability.
fn shares(entry: Xml<'_>) -> Result<Vec<(i64, f64)>, JmtError> {
    let ranges = entries(parameter(parameter(entry, "LoadDependentStrategy")?, "LDParameter")?);
    let read = |range: Xml<'_>| {
        let (from, share) = (parameter(range, "from")?, number(range, "function")?);
        if !(0.0..=1.0).contains(&share) {
            return Err(wrong(parameter(range, "function")?, share, "a probability from 0 to 1"));
        }
        Ok((parsed::<i64>(from, "a whole number of jobs that wait")?, share))
    };
    let all = ranges.map(read).collect::<Result<Vec<_>, _>>()?;
    let is_sorted = all.windows(2).all(|pair| pair[0].0 < pair[1].0) && all.first().is_some_and(|(from, _)| *from >= 0);
    if is_sorted {
        Ok(all)
    } else {
        Err(wrong(entry, "a list of ranges", "ranges of which each begins later than the one before, from 0 on"))
    }
}
