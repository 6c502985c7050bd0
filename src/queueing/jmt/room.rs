//! For how many jobs a station has room, what becomes of others, and who does not wait.

use std::fmt::Write;

use super::fault::{JmtError, missing, no_equal, unknown};
use super::laws::service;
use super::model::Model;
use super::stations::Place;
use super::xml::{Xml, entries, kind, value, whole};

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
        _ if entries(entry).next().is_none() => Ok(String::new()),
        other => Err(no_equal(entry, format!("impatience by {other}"), "`balking` by what JMT computes")),
    }
}
