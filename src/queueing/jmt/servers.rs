//! Servers of a station as groups: types that differ, a server that goes from class to class, and an order of classes of the station's own.

use std::fmt::Write;

use super::fault::{JmtError, missing, no_equal, unknown, wrong};
use super::laws::{Law, MOMENT, service};
use super::model::{JobClass, Model};
use super::preferences::preferences;
use super::xml::{Xml, attribute, entries, find, kind, of_class, parameter, parsed, value, whole};
use crate::file::quoted;

/// A group of servers of the network file.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Group {
    pub name: String,
    pub count: i64,
    /// The classes that it serves, those that it prefers first; `None` where it serves all alike.
    pub serves: Option<Vec<usize>>,
    pub takes: String,
    /// Laws in place of those of the station, by class.
    pub laws: Vec<(usize, Law)>,
    /// Laws of walks to each class that it serves, in the order of these; empty where its server does not walk.
    pub walks: Vec<String>,
}

impl Group {
    /// The only group of a station.
    pub fn only(count: i64, serves: Vec<usize>, takes: &str) -> Self {
        Self { name: "servers".into(), count, serves: Some(serves), takes: takes.into(), laws: vec![], walks: vec![] }
    }

    /// Its tables.
    pub fn text(&self, model: &Model<'_>) -> String {
        let class = |class: &usize| quoted(model.classes[*class].name);
        let mut text = format!("\n[[station.servers]]\nname = {}\ncount = {}\n", quoted(&self.name), self.count);
        if model.classes.len() == 1 {
            self.laws.iter().for_each(|(_, law)| text.push_str(&format!("service = \"{}\"\n", law.text)));
            return text;
        }
        if let Some(serves) = &self.serves {
            let serves: Vec<_> = serves.iter().map(class).collect();
            let _ = writeln!(text, "serves = [{}]\ntakes = \"{}\"", serves.join(", "), self.takes);
        }
        if !self.walks.is_empty() {
            text.push_str("rests = true\n");
        }
        for (of, law) in self.serves.iter().flatten().zip(&self.walks) {
            let _ = write!(text, "\n[[station.servers.class]]\nname = {}\nwalking = \"{law}\"\n", class(of));
        }
        for (of, law) in &self.laws {
            let _ = write!(text, "\n[[station.servers.class]]\nname = {}\nservice = \"{}\"\n", class(of), law.text);
        }
        text
    }
}

/// Refuses jobs that take several servers, or a server several times.
pub(super) fn one_server_each(model: &Model<'_>, server: Xml<'_>, classes: &[usize]) -> Result<(), JmtError> {
    for (name, needs) in
        [("classParallelism", "jobs that take several servers"), ("numberOfVisits", "jobs served several times")]
    {
        for entry in classes.iter().filter_map(|class| model.of_class(server, name, *class)) {
            if parsed::<i64>(entry, "a whole number")? != 1 {
                return Err(no_equal(entry, format!("`{name}` other than 1"), needs));
            }
        }
    }
    Ok(())
}

/// How JMT chooses among free servers of several types; the names are the words in front of its explanations.
pub(super) const POLICIES: &str = "Order, ALFS, FSF, and any other one where each class has one type";

/// A type of servers in a file.
struct Type {
    name: String,
    count: i64,
    /// The classes that come to the station and that it serves, with their laws.
    serves: Vec<(usize, Law)>,
    /// How many classes of the whole model it serves.
    flexible: usize,
}

/// The types of a station to which these classes come, where it has several, or one that does not serve everybody.
pub(super) fn types(
    model: &Model<'_>,
    server: Xml<'_>,
    classes: &[usize],
    station: &str,
) -> Result<Option<Vec<Group>>, JmtError> {
    let Some(compatible) = find(server, "serverCompatibilities") else { return Ok(None) };
    let count = entries(compatible).count();
    let all = (0..count).map(|number| one_type(model, server, (number, count), classes, station));
    let mut all = all.collect::<Result<Vec<_>, _>>()?;
    let is_whole = |one: &Type| one.serves.len() == classes.len();
    if count <= 1 && all.iter().all(is_whole) {
        return Ok(None);
    }
    let sum = all.iter().fold(0_i64, |sum, one| sum.saturating_add(one.count));
    if sum != whole(server, "maxJobs")? {
        let at = parameter(server, "maxJobs")?;
        return Err(wrong(at, value(at).unwrap_or_default(), format!("{sum}, the servers of all types together")));
    }
    for class in classes {
        if !all.iter().any(|one| one.law(*class).is_some()) {
            let what = format!("a type of servers for class '{}', whose jobs come here", model.classes[*class].name);
            return Err(missing(compatible, what));
        }
    }
    let policy = find(server, "schedulingPolicy").and_then(value).unwrap_or("ALIS");
    let at = find(server, "schedulingPolicy").unwrap_or(compatible);
    match policy.split_whitespace().next().unwrap_or_default().to_ascii_uppercase().as_str() {
        "ORDER" => {}
        // The least flexible first, of several the first in the file.
        "ALFS" => all.sort_by_key(|one| one.flexible),
        "FSF" => return groups(at, policy, &all, classes, |class, of| all[of].law(class).map_or(0.0, |law| law.mean)),
        "ALIS" | "FAIRNESS" | "RAIS" => {
            all = merged(all);
            if classes.iter().any(|class| all.iter().filter(|one| one.law(*class).is_some()).count() > 1) {
                let needs = "a choice among free servers by how long they have been idle, by turns or at random";
                return Err(no_equal(at, format!("the policy '{policy}' where types differ"), needs));
            }
        }
        _ => return Err(unknown(at, "policy of server types", policy, POLICIES)),
    }
    groups(at, policy, &all, classes, |_, _| 0.0)
}

impl Type {
    fn law(&self, class: usize) -> Option<&Law> {
        self.serves.iter().find(|(of, _)| *of == class).map(|(_, law)| law)
    }
}

/// The type with a number, of so many.
fn one_type(
    model: &Model<'_>,
    server: Xml<'_>,
    (number, of): (usize, usize),
    classes: &[usize],
    station: &str,
) -> Result<Type, JmtError> {
    let nth = |array: &str| {
        let array = parameter(server, array)?;
        entries(array).nth(number).ok_or_else(|| missing(array, format!("an entry of type {} of {of}", number + 1)))
    };
    let compatible = nth("serverCompatibilities")?;
    let is_served = |class: usize| {
        let entry = entries(compatible).nth(class);
        let entry =
            entry.ok_or_else(|| missing(compatible, format!("an entry of each of {} classes", model.classes.len())));
        parsed::<bool>(entry?, "true or false")
    };
    let all = (0..model.classes.len()).map(is_served).collect::<Result<Vec<_>, _>>()?;
    let mut serves = vec![];
    for class in classes.iter().filter(|class| all[**class]) {
        let strategy = strategy(model, server, *class, (number, of))?;
        let law = service(strategy)?.ok_or_else(|| missing(strategy, "a service, though the type serves the class"))?;
        serves.push((*class, law));
    }
    let (name, count) = (nth("serverNames")?, nth("serversPerServerType")?);
    let servers = parsed::<i64>(count, "a whole number")?;
    if servers < 1 {
        return Err(wrong(count, servers, "1 server or more"));
    }
    // JMT puts the station's name in front.
    let name = value(name).unwrap_or_default();
    let name = name.strip_prefix(station).and_then(|rest| rest.strip_prefix(" - ")).unwrap_or(name);
    Ok(Type { name: name.into(), count: servers, serves, flexible: all.iter().filter(|served| **served).count() })
}

/// The service of a class by a type of servers: JMT lists the classes of the first type, then those of the next, or all types have the same.
pub(super) fn strategy<'a>(
    model: &Model<'a>,
    server: Xml<'a>,
    class: usize,
    (number, of): (usize, usize),
) -> Result<Xml<'a>, JmtError> {
    let name = model.classes[class].name;
    let array = ["ServiceStrategy", "ServerStrategy"].into_iter().find_map(|key| find(server, key));
    let found = array.and_then(|array| {
        let is_by_type = of > 1 && entries(array).count() == of * model.classes.len();
        if is_by_type {
            entries(array).nth(number * model.classes.len() + class)
        } else {
            of_class(array, (class, name))
        }
    });
    found.ok_or_else(|| missing(server, format!("a service of class '{name}', whose jobs come here")))
}

/// Types of which nothing tells one from the other as one.
fn merged(all: Vec<Type>) -> Vec<Type> {
    let mut merged: Vec<Type> = vec![];
    for one in all {
        match merged.iter_mut().find(|other| other.serves == one.serves) {
            Some(other) => other.count = other.count.saturating_add(one.count),
            None => merged.push(one),
        }
    }
    merged
}

/// Types as groups: a class takes the free server of the type of the lowest rank, of several the first.
fn groups(
    at: Xml<'_>,
    policy: &str,
    all: &[Type],
    classes: &[usize],
    rank: impl Fn(usize, usize) -> f64,
) -> Result<Option<Vec<Group>>, JmtError> {
    if all.len() == 1 && all[0].serves.len() == classes.len() {
        return Ok(None);
    }
    let order = |class: &usize| {
        let mut of: Vec<usize> = (0..all.len()).filter(|number| all[*number].law(*class).is_some()).collect();
        of.sort_by(|one, other| rank(*class, *one).total_cmp(&rank(*class, *other)));
        (*class, of)
    };
    let orders: Vec<(usize, Vec<usize>)> = classes.iter().map(order).collect();
    let Some(serves) = preferences(all.len(), &orders) else {
        let needs = "for each class an order of the groups, which places in lists of classes cannot give here";
        return Err(no_equal(at, format!("the policy '{policy}' of these types"), needs));
    };
    let mut groups: Vec<Group> = vec![];
    // A type that serves nobody who comes is none here.
    for (one, serves) in all.iter().zip(serves).filter(|(_, serves)| !serves.is_empty()) {
        let mut name = one.name.clone();
        while groups.iter().any(|other| other.name == name) {
            name.push('\'');
        }
        let (count, laws) = (one.count, one.serves.clone());
        groups.push(Group { name, count, serves: Some(serves), takes: "first-in-line".into(), laws, walks: vec![] });
    }
    Ok(Some(groups))
}

/// The laws of walks to every class of the model: those without one take a moment. JMT's server walks on while somebody waits, and rests else.
fn walks(model: &Model<'_>, server: Xml<'_>) -> Result<Vec<String>, JmtError> {
    let Some(array) = find(server, "SwitchoverStrategy") else { return Ok(vec![]) };
    let law = |(class, of): (usize, &JobClass<'_>)| -> Result<String, JmtError> {
        let Some(entry) = of_class(array, (class, of.name)) else { return Ok(MOMENT.into()) };
        Ok(service(entry)?.map_or_else(|| MOMENT.into(), |law| law.text))
    };
    model.classes.iter().enumerate().map(law).collect()
}

/// How a server goes from class to class, as a group: `None` where one class alone comes to it.
pub(super) fn polling(
    model: &Model<'_>,
    (queue, server): (Xml<'_>, Xml<'_>),
    classes: &[usize],
) -> Result<Option<Group>, JmtError> {
    let servers = whole(server, "maxJobs")?;
    if servers != 1 {
        let needs = "a round that several servers make together";
        return Err(no_equal(parameter(server, "maxJobs")?, format!("polling by {servers} servers"), needs));
    }
    let get = parameter(queue, "FCFSstrategy")?;
    let takes = match (attribute(server, "className")?, kind(get)) {
        ("ExhaustivePollingServer", "ExhaustivePollingGetStrategy") => "exhaustive".to_owned(),
        ("GatedPollingServer", "GatedPollingGetStrategy") => "gated".to_owned(),
        ("LimitedPollingServer", "LimitedPollingGetStrategy") => {
            let most = whole(get, "pollingKValue")?;
            if !(1..=i64::from(u32::MAX)).contains(&most) {
                return Err(wrong(parameter(get, "pollingKValue")?, most, "1 or more"));
            }
            format!("limited:{most}")
        }
        (server, other) => {
            let known = format!(
                "the strategy that goes with {server}: ExhaustivePollingGetStrategy, GatedPollingGetStrategy or LimitedPollingGetStrategy"
            );
            return Err(wrong(get, other, known));
        }
    };
    let walks = walks(model, server)?;
    if walks.iter().any(|law| law != MOMENT) {
        if walks.len() == 1 {
            let needs = "a round of two classes or more";
            return Err(no_equal(
                parameter(server, "SwitchoverStrategy")?,
                "a time to come back to the only class",
                needs,
            ));
        }
        let all = (0..model.classes.len()).collect();
        return Ok(Some(Group { walks, ..Group::only(1, all, &takes) }));
    }
    // The first turn is with the class behind the first in the list.
    let round = classes.last().into_iter().chain(&classes[..classes.len() - 1]).copied();
    Ok((classes.len() > 1).then(|| Group::only(1, round.collect(), &takes)))
}
