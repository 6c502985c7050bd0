//! Parts of a file without effect: keys of generators and queues without a meaning, and links that lead nowhere.

use std::collections::BTreeSet;

use super::coupling::{Coupling, links};
use super::error::RuleError;
use super::source::Sources;
use super::statements::Section;

/// Remarks about a generator or a queue: the keys of its section that components of its kind do not have; `whose` names
/// the kind.
pub(super) fn of_keys(section: &Section, kind: &str, (whose, keys): (&str, &[&str])) -> Vec<String> {
    let unknown = section.statements.iter().filter(|statement| !keys.contains(&statement.key.as_str()));
    let about =
        |key: &str| format!("'{key}' of the {kind} '{}' is left out: {whose} has {}", section.name, keys.join(", "));
    let keys: BTreeSet<&str> = unknown.map(|statement| statement.key.as_str()).collect();
    keys.into_iter().map(about).collect()
}

/// Remarks about links of the model: those to a port of a space that leads to no cell, and from a port to which no cell
/// sends.
///
/// # Errors
/// A link of a space without its other end.
pub(super) fn of_links(sources: &Sources, coupling: &Coupling, sections: &[Section]) -> Result<Vec<String>, RuleError> {
    let mut remarks = vec![];
    for (number, (name, _)) in coupling.spaces.iter().enumerate() {
        let Some(section) = sections.iter().find(|section| section.name == *name) else { continue };
        let links = links(sources, section)?;
        let inwards = |port: &str| links.iter().any(|[from, _]| from.owner.is_none() && from.port == port);
        let outwards = |port: &str| links.iter().any(|[from, to]| from.owner.is_some() && to.port == port);
        let mut idle = BTreeSet::new();
        for (_, _, port) in coupling.leads.iter().filter(|(_, space, port)| *space == number && !inwards(port)) {
            idle.insert(format!(
                "what comes to the port '{port}' of '{name}' reaches no cell: no link of '{name}' begins there"
            ));
        }
        for binding in coupling.bindings.iter().filter(|binding| binding.space == number && !outwards(&binding.port)) {
            let port = &binding.port;
            idle.insert(format!("nothing leaves '{name}' by its port '{port}': no link of '{name}' ends there"));
        }
        remarks.extend(idle);
    }
    Ok(remarks)
}
