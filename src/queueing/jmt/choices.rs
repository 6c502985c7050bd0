//! Where a node sends the jobs of a class: routing strategies, forks and switches of class.

use super::fault::{JmtError, missing, no_equal, unknown, wrong};
use super::model::{Model, Role};
use super::xml::{Xml, entries, find, kind, of_class, parameter, parsed, value, whole};

/// Where a job goes.
pub(super) enum Choice {
    /// By probability, to a node, as a class.
    Shares(Vec<(f64, usize, usize)>),
    /// By a `routing` over nodes in their order.
    By(String, Vec<usize>),
}

/// Which classes a job of a class is when it has come through a node.
pub(super) fn switched(model: &Model<'_>, node: usize, class: usize) -> Result<Vec<(f64, usize)>, JmtError> {
    if model.nodes[node].role != Role::Switch {
        return Ok(vec![(1.0, class)]);
    }
    let section = model.nodes[node].sections[1];
    let matrix = parameter(section, "matrix")?;
    let name = model.classes[class].name;
    let row = of_class(matrix, (class, name)).ok_or_else(|| missing(matrix, format!("a row of class '{name}'")))?;
    let cell = |(number, class): (usize, &super::model::JobClass<'_>)| {
        let cell = of_class(row, (number, class.name));
        Ok((cell.map_or(Ok(0.0), |cell| parsed(cell, "a number"))?, number))
    };
    let cells = model.classes.iter().enumerate().map(cell).collect::<Result<Vec<_>, JmtError>>()?;
    shared(row, cells)
}

/// Weights as probabilities, without those of 0.
fn shared<T>(at: Xml<'_>, mut weights: Vec<(f64, T)>) -> Result<Vec<(f64, T)>, JmtError> {
    let sum: f64 = weights.iter().map(|(weight, _)| weight).sum();
    if !(sum > 0.0 && sum.is_finite()) || weights.iter().any(|(weight, _)| *weight < 0.0) {
        return Err(wrong(at, format!("a sum of {sum}"), "probabilities of 0 or more that add up to 1"));
    }
    // Sums that are 1 but for rounding leave the numbers as they are written.
    let divisor = if (sum - 1.0).abs() < 1e-12 { 1.0 } else { sum };
    weights.iter_mut().for_each(|(weight, _)| *weight /= divisor);
    weights.retain(|(weight, _)| *weight > 0.0);
    Ok(weights)
}

/// Where a node sends a job that has come through it as a class.
pub(super) fn choice(model: &Model<'_>, node: usize, class: usize) -> Result<Choice, JmtError> {
    let of = &model.nodes[node];
    // A job of a closed class does not leave the network.
    let stays = !model.classes[class].is_open;
    let outs = || of.outs.iter().copied().filter(|out| !(stays && model.nodes[*out].role == Role::Sink));
    let output = of.sections[of.sections.len() - 1];
    let choice = if of.role == Role::Fork {
        Choice::By("fork".into(), branches(model, output, class, &outs().collect::<Vec<_>>())?)
    } else {
        let name = model.classes[class].name;
        let strategy = model.of_class(output, "RoutingStrategy", class);
        let strategy = strategy.ok_or_else(|| missing(output, format!("a routing strategy of class '{name}'")))?;
        routed(model, strategy, class, outs().collect())?
    };
    Ok(match choice {
        Choice::By(_, nodes) if nodes.is_empty() => return Err(missing(of.at, "a connection that leads from it")),
        Choice::By(_, nodes) if nodes.len() == 1 => Choice::Shares(vec![(1.0, nodes[0], class)]),
        choice => choice,
    })
}

/// The names of JMT's routing strategies that are known.
pub(super) const STRATEGIES: &str = "Random, Empirical (Probabilities), RoundRobin, WeightedRoundRobin, ShortestQueueLength, PowerOfK of all, ClassSwitch";

fn routed(model: &Model<'_>, strategy: Xml<'_>, class: usize, outs: Vec<usize>) -> Result<Choice, JmtError> {
    let no_equal = |what: &str, needs: &str| {
        if outs.len() == 1 {
            Ok(Choice::By(String::new(), outs.clone()))
        } else {
            Err(no_equal(strategy, format!("the routing strategy {what}"), needs))
        }
    };
    // So many draws miss one of n stations with a probability of e^-22, or 2^-32: of equals JMT takes one at random.
    let shortest = || Choice::By(format!("shortest-of:{}", 22 * outs.len()), outs.clone());
    match kind(strategy).trim_end_matches("Strategy").trim_end_matches("Routing") {
        "Random" => {
            let shares = outs.iter().map(|out| (1.0 / outs.len() as f64, *out, class)).collect::<Vec<_>>();
            if shares.is_empty() { Ok(Choice::By(String::new(), outs)) } else { Ok(Choice::Shares(shares)) }
        }
        "Empirical" => {
            let node = |entry| Ok((parsed(parameter(entry, "probability")?, "a number")?, station(model, entry)?));
            let shares = listed(strategy, "EmpiricalEntryArray", node)?;
            Ok(Choice::Shares(
                shared(strategy, shares)?.into_iter().map(|(share, node)| (share, node, class)).collect(),
            ))
        }
        "ClassSwitch" => {
            let row = |entry: Xml<'_>| {
                let share: f64 = parsed(parameter(entry, "probability")?, "a number")?;
                let node = station(model, entry)?;
                let named = |entry: Xml<'_>| {
                    let name = value(parameter(entry, "className")?).unwrap_or_default();
                    Ok((parsed::<f64>(parameter(entry, "probability")?, "a number")?, model.class_named(entry, name)?))
                };
                if share == 0.0 {
                    return Ok(vec![]);
                }
                let classes = shared(entry, listed(entry, "EmpiricalEntryArray", named)?)?;
                Ok(classes.into_iter().map(|(part, class)| (share * part, (node, class))).collect::<Vec<_>>())
            };
            let rows = listed(strategy, "ClassSwitchRoutingParameterArray", row)?.into_iter().flatten().collect();
            Ok(Choice::Shares(shared(strategy, rows)?.into_iter().map(|(p, (node, class))| (p, node, class)).collect()))
        }
        "RoundRobin" => Ok(Choice::By("round-robin".into(), outs)),
        "WeightedRoundRobin" => weighted(model, strategy, &outs),
        "ShortestQueueLength" => Ok(shortest()),
        "PowerOfK" => {
            let memory = find(strategy, "withMemory").and_then(value) == Some("true");
            if memory || whole(strategy, "k")? < outs.len() as i64 {
                return no_equal(
                    "PowerOfK",
                    "a draw of different stations (`shortest-of` draws with replacement), and no memory",
                );
            }
            Ok(shortest())
        }
        "ShortestResponseTime" => no_equal("ShortestResponseTime", "a routing by times that were measured so far"),
        "FastestService" => no_equal("FastestService", "a routing by times that were measured so far"),
        "LeastUtilization" => no_equal("LeastUtilization", "a routing by the utilization so far"),
        "LoadDependent" => no_equal("LoadDependent", "probabilities of routes by the number present"),
        "Disabled" => no_equal("Disabled", "a way for jobs of a class that comes here"),
        other => Err(unknown(strategy, "routing strategy", other, STRATEGIES)),
    }
}

/// What is read of the entries of a list.
fn listed<'a, T>(at: Xml<'a>, name: &str, read: impl Fn(Xml<'a>) -> Result<T, JmtError>) -> Result<Vec<T>, JmtError> {
    entries(parameter(at, name)?).map(read).collect()
}

/// The node that an entry names.
fn station(model: &Model<'_>, entry: Xml<'_>) -> Result<usize, JmtError> {
    model.named(entry, value(parameter(entry, "stationName")?).unwrap_or_default())
}

/// A cycle of turns, as JMT takes them: with a weight that falls from the largest to 1, all nodes that have it or more.
fn weighted(model: &Model<'_>, strategy: Xml<'_>, outs: &[usize]) -> Result<Choice, JmtError> {
    let entry = |entry: Xml<'_>| Ok((station(model, entry)?, whole(entry, "weight")?));
    let weights = listed(strategy, "WeightEntryArray", entry)?;
    let weight = |out: usize| weights.iter().find(|(node, _)| *node == out).map_or(0, |(_, weight)| *weight);
    let most = outs.iter().map(|out| weight(*out)).max().unwrap_or(0);
    if !(1..=100).contains(&most) {
        return Err(wrong(strategy, format!("a largest weight of {most}"), "weights of up to 100, not all 0"));
    }
    let turns = (1..=most).rev().flat_map(|least| outs.iter().copied().filter(move |out| weight(*out) >= least));
    Ok(Choice::By("round-robin".into(), turns.collect()))
}

/// The nodes to which a fork sends copies, each as often as copies go there.
fn branches(model: &Model<'_>, fork: Xml<'_>, class: usize, outs: &[usize]) -> Result<Vec<usize>, JmtError> {
    if value(parameter(fork, "block")?).is_some_and(|most| !most.starts_with('-')) {
        return Err(no_equal(parameter(fork, "block")?, "a limit of the jobs within a fork", "a region of copies"));
    }
    let copies = |at, count: i64| match count {
        0..=1000 => Ok(count as usize),
        _ => Err(wrong(at, count.to_string(), "0 to 1000 copies")),
    };
    if find(fork, "isSimplifiedFork").and_then(value) != Some("false") {
        let each = copies(fork, whole(fork, "jobsPerLink")?)?;
        return Ok(outs.iter().flat_map(|out| vec![*out; each]).collect());
    }
    let strategy = model.of_class(fork, "ForkStrategy", class);
    let strategy =
        strategy.ok_or_else(|| missing(fork, format!("a strategy of class '{}'", model.classes[class].name)))?;
    if kind(strategy) != "ProbabilitiesFork" {
        let what = format!("the fork strategy {}", kind(strategy));
        return Err(no_equal(strategy, what, "copies that are drawn among the branches, or have classes of their own"));
    }
    let mut nodes = vec![];
    for branch in entries(parameter(strategy, "EmpiricalEntryArray")?) {
        let way = parameter(branch, "outUnitProbability")?;
        let chosen: f64 = parsed(parameter(way, "probability")?, "a number")?;
        let count = |entry| Ok((parsed(parameter(entry, "probability")?, "a number")?, whole(entry, "numbers")?));
        let counts = shared(branch, listed(branch, "JobsPerLinkDis", count)?)?;
        match (chosen, &counts[..]) {
            (0.0, _) => {}
            (1.0, [(_, count)]) => nodes.extend(vec![station(model, way)?; copies(branch, *count)?]),
            _ => {
                return Err(no_equal(
                    way,
                    "a fork whose number of copies is drawn",
                    "a branch that is taken at random",
                ));
            }
        }
    }
    Ok(nodes)
}
