//! Queues, delays and what else is a station here: servers, disciplines, room, laws and patience.

use std::fmt::Write;

use super::disciplines::discipline;
use super::fault::{JmtError, missing, no_equal, wrong};
use super::laws::{Law, MOMENT, service};
use super::model::{Model, Role};
use super::room::{balking, patience, room};
use super::servers::{Group, one_server_each, strategy, types};
use super::xml::{find, kind, parameter, value, whole};

/// A station of the network file.
#[derive(Default)]
pub(super) struct Place {
    /// Lines of further keys.
    pub keys: String,
    /// How many servers there are; below 1 if the keys say so.
    pub servers: i64,
    /// In place of a number of servers.
    pub groups: Vec<Group>,
    /// Empty where the order of service does not matter.
    pub discipline: &'static str,
    pub preemptive: bool,
    /// By class its law, and lines of further keys.
    pub classes: Vec<(usize, Law, String)>,
    /// In which order classes are served, if the station tells them apart: the lowest number first.
    pub order: Option<Vec<(usize, f64)>>,
    /// What differs from JMT, as comments.
    pub remarks: Vec<String>,
    /// Who finds it full waits where he is.
    pub blocks: bool,
    /// How long those who find it full wait until they try again, by class.
    pub retries: Vec<(usize, Law)>,
    /// How many share its servers at most.
    pub shares: Option<u64>,
}

impl Place {
    /// Leaves out the laws of groups that are those of the station's classes.
    fn drop_laws(&mut self) {
        let classes = &self.classes;
        let is_own = |(of, law): &(usize, Law)| !classes.iter().any(|(class, same, _)| class == of && same == law);
        self.groups.iter_mut().for_each(|group| group.laws.retain(is_own));
    }

    /// The longest mean of its laws.
    pub fn longest(&self) -> f64 {
        let laws = self.classes.iter().map(|(_, law, _)| law);
        laws.chain(self.groups.iter().flat_map(|group| group.laws.iter().map(|(_, law)| law)))
            .map(|law| law.mean)
            .fold(0.0, f64::max)
    }

    /// Whether its servers may be a group that takes the classes in an order of the station's own.
    pub fn may_order_classes(&self) -> bool {
        self.servers > 0 && self.groups.is_empty() && !self.preemptive && ["fcfs", "lcfs"].contains(&self.discipline)
    }

    /// The lines of its keys.
    pub fn lines(&self) -> String {
        let mut text = String::new();
        if self.servers > 1 && self.groups.is_empty() {
            let _ = writeln!(text, "servers = {}", self.servers);
        }
        if !["", "fcfs"].contains(&self.discipline) {
            let _ = writeln!(text, "discipline = \"{}\"", self.discipline);
        }
        if self.preemptive {
            text.push_str("preemptive = true\n");
        }
        text + &self.keys
    }
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
    let types = types(model, server, classes, of.name)?;
    place.groups = types.unwrap_or_default();
    for class in classes {
        let law = match place.groups.iter().flat_map(|group| &group.laws).find(|(served, _)| served == class) {
            Some((_, law)) => law.clone(),
            None => {
                let strategy = strategy(model, server, *class, (0, 1))?;
                service(strategy)?.ok_or_else(|| missing(strategy, "a service, though jobs of the class come here"))?
            }
        };
        place.classes.push((*class, law, patience(model, queue, *class)?));
    }
    place.drop_laws();
    if of.role == Role::Delay {
        place.keys = "servers = \"infinite\"\n".into();
    } else {
        let servers = whole(server, "maxJobs")?;
        if servers < 1 {
            return Err(wrong(parameter(server, "maxJobs")?, servers.to_string(), "1 server or more"));
        }
        place.servers = servers;
        one_server_each(model, server, classes)?;
        discipline(model, (queue, server), &mut place)?;
    }
    room(model, queue, classes, &mut place)?;
    balking(model, queue, classes, &mut place)?;
    Ok(place)
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
