//! Which classes come to which nodes, and the ways between those that take time or choose by what they see. Nodes that do neither
//! are no stations: what they do becomes part of the probabilities of the ways through them.

use std::collections::BTreeSet;

use super::choices::{Choice, choice, switched};
use super::fault::{JmtError, no_equal};
use super::laws;
use super::model::{Model, Role};

/// The most nodes, one behind the other, through which jobs go in no time, and the most steps of all ways through them.
const MOST_NODES: usize = 100;
const MOST_STEPS: usize = 100_000;

/// The nodes of a way so far, by class; and the steps of all ways.
#[derive(Default)]
struct Walk {
    path: Vec<(usize, usize)>,
    steps: usize,
}

/// What flows.
pub(super) struct Flow {
    /// The classes that come to each node.
    pub classes: Vec<BTreeSet<usize>>,
    /// Whether a node is a station here.
    pub is_station: Vec<bool>,
}

/// The ways of a class from a node.
pub(super) struct Ways {
    /// `None` by the probabilities.
    pub routing: Option<String>,
    /// By probability, to a station or a sink, as a class.
    pub ways: Vec<(f64, usize, usize)>,
}

impl Flow {
    /// Follows jobs from where they come from.
    pub fn of(model: &Model<'_>) -> Result<Self, JmtError> {
        let mut flow = Self { classes: vec![BTreeSet::new(); model.nodes.len()], is_station: vec![] };
        flow.is_station = model
            .nodes
            .iter()
            .map(|node| !matches!(node.role, Role::Source | Role::Sink | Role::Pass | Role::Switch))
            .collect();
        let mut next: Vec<(usize, usize)> = model.start.iter().map(|(node, class, _)| (*node, *class)).collect();
        for (node, class, _) in &model.start {
            if matches!(model.nodes[*node].role, Role::Source | Role::Sink) {
                let at = model.classes[*class].at;
                return Err(no_equal(at, "a class that starts at a source or a sink and has customers", "a station"));
            }
            flow.is_station[*node] = true;
        }
        for node in (0..model.nodes.len()).filter(|node| model.nodes[*node].role == Role::Source) {
            next.extend(generated(model, node)?.into_iter().map(|class| (node, class)));
        }
        while let Some((node, class)) = next.pop() {
            if !flow.classes[node].insert(class) || model.nodes[node].role == Role::Sink {
                continue;
            }
            for (_, class) in switched(model, node, class)? {
                match choice(model, node, class)? {
                    Choice::Shares(shares) => next.extend(shares.into_iter().map(|(_, to, class)| (to, class))),
                    Choice::By(_, nodes) => {
                        // It looks at nodes, so that these must be there, and so must it.
                        for to in [node].into_iter().chain(nodes.iter().copied()) {
                            flow.is_station[to] |= matches!(model.nodes[to].role, Role::Pass | Role::Switch);
                        }
                        next.extend(nodes.into_iter().map(|to| (to, class)));
                    }
                }
            }
        }
        Ok(flow)
    }

    /// The ways of a class from a source or a station.
    pub fn ways(&self, model: &Model<'_>, node: usize, class: usize) -> Result<Ways, JmtError> {
        let becomes = switched(model, node, class)?;
        if let [(_, class)] = becomes[..]
            && let Choice::By(routing, nodes) = choice(model, node, class)?
        {
            return Ok(Ways { routing: Some(routing), ways: nodes.into_iter().map(|to| (1.0, to, class)).collect() });
        }
        let mut ways = vec![];
        self.follow(model, (node, class, 1.0), &mut Walk::default(), &mut ways)?;
        Ok(Ways { routing: None, ways })
    }

    /// Adds the ways through a node, and through all nodes behind it that are no stations.
    fn follow(
        &self,
        model: &Model<'_>,
        (node, class, probability): (usize, usize, f64),
        walk: &mut Walk,
        ways: &mut Vec<(f64, usize, usize)>,
    ) -> Result<(), JmtError> {
        let at = model.nodes[node].at;
        if walk.path.contains(&(node, class)) {
            return Err(no_equal(at, "a circle of nodes through which jobs go in no time", "a station in it"));
        }
        walk.steps += 1;
        if walk.path.len() > MOST_NODES || walk.steps > MOST_STEPS {
            return Err(no_equal(at, "so many nodes without a station between them", "fewer of them"));
        }
        walk.path.push((node, class));
        for (share, class) in switched(model, node, class)? {
            let Choice::Shares(shares) = choice(model, node, class)? else {
                let needs = "a node of its own for the switch, ahead of the routing";
                return Err(no_equal(at, "a class switch whose routing looks at stations", needs));
            };
            for (part, to, class) in shares {
                let probability = probability * share * part;
                if !self.is_station[to] && model.nodes[to].role != Role::Sink {
                    self.follow(model, (to, class, probability), walk, ways)?;
                } else if let Some(way) = ways.iter_mut().find(|way| (way.1, way.2) == (to, class)) {
                    way.0 += probability;
                } else {
                    ways.push((probability, to, class));
                }
            }
        }
        walk.path.pop();
        Ok(())
    }
}

/// The classes that a source generates.
pub(super) fn generated(model: &Model<'_>, node: usize) -> Result<Vec<usize>, JmtError> {
    let section = model.nodes[node].sections[0];
    let mut classes = vec![];
    for class in (0..model.classes.len()).filter(|class| model.classes[*class].is_open) {
        if let Some(strategy) = model.of_class(section, "ServiceStrategy", class)
            && model.classes[class].reference == model.nodes[node].name
            && laws::interval(strategy)?.is_some()
        {
            classes.push(class);
        }
    }
    Ok(classes)
}
