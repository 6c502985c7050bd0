//! Regions of limited capacity. A region is resources, of which a gate before each of its stations takes units, and which a gate behind
//! it gives back.

use super::fault::{JmtError, missing, no_equal, wrong};
use super::flow::Flow;
use super::model::{Model, Role};
use super::xml::{Xml, attribute, children, limit};

/// A region.
pub(super) struct Region<'a> {
    pub name: &'a str,
    pub at: Xml<'a>,
    pub nodes: Vec<usize>,
    /// Its limits by their names.
    pub limits: Vec<(String, u64)>,
    /// The units of each limit that a job of each class takes.
    pub needs: Vec<Vec<(usize, u64)>>,
    /// Whether jobs of each class are lost where the region is full.
    pub drops: Vec<bool>,
}

/// The regions of a model.
pub(super) fn regions<'a>(model: &Model<'a>, flow: &Flow) -> Result<Vec<Region<'a>>, JmtError> {
    let all = children(model.sim, "blockingRegion").map(|at| region(model, at)).collect::<Result<Vec<_>, _>>()?;
    for region in all.iter().filter(|region| !region.limits.is_empty()) {
        region.check(model, flow)?;
    }
    Ok(all.into_iter().filter(|region| !region.limits.is_empty()).collect())
}

impl Region<'_> {
    /// Refuses what jobs in no time do at its border, copies, and jobs at time 0, which hold no units.
    fn check(&self, model: &Model<'_>, flow: &Flow) -> Result<(), JmtError> {
        let is_inside = |node: usize| self.nodes.contains(&node);
        for node in self.nodes.iter().map(|node| &model.nodes[*node]) {
            if matches!(node.role, Role::Fork | Role::Join | Role::Source | Role::Sink | Role::Terminal) {
                return Err(no_equal(
                    self.at,
                    format!("'{}' in a region", node.name),
                    "a region of queues, delays and routers",
                ));
            }
        }
        if let Some((node, ..)) = model.start.iter().find(|(node, ..)| is_inside(*node)) {
            let what = format!("jobs that are in a region at time 0, at '{}'", model.nodes[*node].name);
            return Err(no_equal(self.at, what, "tokens that hold units at time 0"));
        }
        let switch = self.nodes.iter().map(|node| &model.nodes[*node]).find(|node| node.role == Role::Switch);
        if let Some(node) = switch.filter(|_| self.needs.windows(2).any(|pair| pair[0] != pair[1])) {
            let what = format!("the class switch '{}' in a region that limits classes", node.name);
            return Err(no_equal(self.at, what, "units that go over to another class"));
        }
        for (number, node) in model.nodes.iter().enumerate().filter(|(number, _)| !flow.is_station[*number]) {
            let crosses = |other: usize| is_inside(other) != is_inside(number);
            let comes = (0..model.nodes.len()).any(|from| model.nodes[from].outs.contains(&number) && crosses(from));
            let is_passed = matches!(node.role, Role::Pass | Role::Switch) && !flow.classes[number].is_empty();
            if is_passed && comes && node.outs.iter().any(|out| crosses(*out)) {
                let what = format!("'{}', at which jobs cross the border of the region twice in no time,", node.name);
                return Err(no_equal(self.at, what, "a station there"));
            }
        }
        Ok(())
    }
}

/// The element of a class or a group, by its name and by the attribute that says whose it is.
fn element_of<'a>(at: Xml<'a>, tag: &'static str, whom: (&str, &str)) -> Option<Xml<'a>> {
    children(at, tag).find(|element| element.attribute(whom.0) == Some(whom.1))
}

/// A whole number of an attribute.
fn whole(at: Xml<'_>, name: &str) -> Result<Option<u64>, JmtError> {
    match limit(at, name)? {
        Some(number) if number.fract() != 0.0 => {
            Err(wrong(at, number.to_string(), format!("a whole number in `{name}`")))
        }
        number => Ok(number.map(|number| number as u64)),
    }
}

fn region<'a>(model: &Model<'a>, at: Xml<'a>) -> Result<Region<'a>, JmtError> {
    let name = attribute(at, "name")?;
    let nodes = children(at, "regionNode").map(|node| model.named(node, attribute(node, "nodeName")?));
    let classes = model.classes.len();
    let mut region = Region {
        name,
        at,
        nodes: nodes.collect::<Result<_, _>>()?,
        limits: vec![],
        needs: vec![vec![]; classes],
        drops: vec![false; classes],
    };
    let per_class = |tag, key, name: &str, otherwise: u64| match element_of(at, tag, ("jobClass", name)) {
        Some(element) => whole(element, key).map(|number| number.unwrap_or(otherwise)),
        None => Ok(otherwise),
    };
    let names = || model.classes.iter().map(|class| class.name);
    let weights = names().map(|name| per_class("classWeight", "weight", name, 1)).collect::<Result<Vec<_>, _>>()?;
    let sizes = names().map(|name| per_class("classSize", "size", name, 1)).collect::<Result<Vec<_>, _>>()?;
    // The elements with a limit, by the weights and by the sizes of jobs.
    let kinds = [
        (
            ["globalConstraint", "classConstraint", "groupConstraint"],
            ["maxJobs", "maxJobsPerClass", "maxJobsPerGroup"],
            &weights,
            "",
        ),
        (
            ["globalMemoryConstraint", "classMemoryConstraint", "groupMemoryConstraint"],
            ["maxMemory", "maxMemoryPerClass", "maxMemoryPerGroup"],
            &sizes,
            ", memory",
        ),
    ];
    for ([global, class, group], [most, per_class, per_group], units, what) in kinds {
        let members = |group: &str| -> Vec<usize> {
            let all = children(at, "groupClassList").flat_map(|list| children(list, "groupClass"));
            let own = all
                .filter(|entry| entry.attribute("jobGroup") == Some(group))
                .filter_map(|entry| entry.attribute("jobClass"));
            own.filter_map(|name| names().position(|class| class == name)).collect()
        };
        let everyone = children(at, global).map(|element| (element, most, String::new(), (0..classes).collect()));
        let alone = children(at, class).map(|element| {
            let name = element.attribute("jobClass").unwrap_or_default();
            (element, per_class, format!(", {name}"), names().position(|class| class == name).into_iter().collect())
        });
        let grouped = children(at, group).map(|element| {
            let name = element.attribute("jobGroup").unwrap_or_default();
            (element, per_group, format!(", {name}"), members(name))
        });
        let all: Vec<(Xml<'_>, &str, String, Vec<usize>)> = everyone.chain(alone).chain(grouped).collect();
        for (element, key, of, members) in all {
            let Some(most) = whole(element, key)? else { continue };
            for class in members {
                region.needs[class].push((region.limits.len(), units[class]));
            }
            region.limits.push((format!("{name}{of}{what}"), most));
        }
    }
    for (number, class) in model.classes.iter().enumerate() {
        // JMT drops open classes where nothing is said.
        let rule = element_of(at, "dropRules", ("jobClass", class.name)).map(|rule| attribute(rule, "dropThisClass"));
        region.drops[number] = rule.transpose()?.map_or(class.is_open, |rule| rule == "true");
        region.needs[number].retain(|(_, units)| *units > 0);
    }
    if children(at, "globalConstraint").next().is_none() {
        return Err(missing(at, "<globalConstraint>"));
    }
    Ok(region)
}
