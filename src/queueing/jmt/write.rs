//! The text of a network file from a model of JMT.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::fault::{JmtError, no_equal};
use super::flow::{Flow, generated};
use super::laws::{Interval, MOMENT, interval};
use super::model::{Model, Role};
use super::orders::{Ranks, own_orders, priorities};
use super::regions::{Region, regions};
use super::servers::Group;
use super::stations::{Place, moment, station};
use super::xml::limit;
use crate::file::quoted;

/// The horizon in longest mean times, where the file has none.
const LONG: f64 = 100_000.0;

/// A way between stations.
#[derive(PartialEq, Clone)]
pub(super) struct Route {
    pub to: String,
    pub probability: f64,
    pub becomes: Option<usize>,
}

/// What the tables are made of, one after the other.
pub(super) struct Tables<'m, 'a> {
    pub model: &'m Model<'a>,
    flow: &'m Flow,
    pub regions: &'m [Region<'a>],
    /// By their names, in their order.
    pub places: Vec<(String, Place)>,
    /// Gates of regions that are there: by the region, where they lead to and, of those that lead into it, the class.
    pub gates: BTreeMap<(usize, String, Option<usize>), String>,
    pub resources: String,
    routes: String,
    sources: String,
    longest: f64,
}

/// The text of a network file.
pub(super) fn toml(model: &Model<'_>) -> Result<String, JmtError> {
    let flow = Flow::of(model)?;
    let regions = regions(model, &flow)?;
    let mut tables = Tables {
        model,
        flow: &flow,
        regions: &regions,
        places: vec![],
        gates: BTreeMap::new(),
        resources: String::new(),
        routes: String::new(),
        sources: String::new(),
        longest: 0.0,
    };
    let mut orders = vec![];
    let mut blocking = vec![];
    let mut unreached = vec![];
    for (number, node) in model.nodes.iter().enumerate() {
        let classes: Vec<usize> = flow.classes[number].iter().copied().collect();
        if classes.is_empty() {
            unreached.push(node.name);
        } else if flow.is_station[number] {
            let mut place = station(model, number, &classes)?;
            let own = place.may_order_classes().then_some(tables.places.len());
            orders.extend(place.order.take().map(|ranks| Ranks { at: node.at, ranks, own }));
            blocking.extend(place.blocks.then_some(number));
            tables.longest = tables.longest.max(place.longest());
            tables.further(number, place)?;
        }
    }
    for (number, node) in model.nodes.iter().enumerate().filter(|(number, _)| flow.is_station[*number]) {
        let classes: Vec<usize> = flow.classes[number].iter().copied().collect();
        tables.leave(number, node.name, &classes)?;
    }
    for number in (0..model.nodes.len()).filter(|number| model.nodes[*number].role == Role::Source) {
        tables.generate(number, &blocking)?;
    }
    // Jobs that wait for a region go by JMT's priorities.
    orders.extend(regions.iter().map(|region| {
        let ranks = model.classes.iter().enumerate().map(|(class, of)| (class, -(of.priority as f64)));
        let ranks = ranks.filter(|(class, _)| !region.needs[*class].is_empty()).collect();
        Ranks { at: region.at, ranks, own: None }
    }));
    let priorities = priorities(model, &orders)?;
    for (place, serves) in own_orders(&orders, &priorities) {
        let place = &mut tables.places[place].1;
        place.groups.push(Group::only(place.servers, serves, "preferred"));
    }
    tables.text(&priorities, &unreached)
}

impl Tables<'_, '_> {
    /// Whether the network has classes of its own.
    pub(super) fn has_classes(&self) -> bool {
        self.model.classes.len() > 1
    }

    fn class(&self, class: usize) -> String {
        quoted(self.model.classes[class].name)
    }

    /// A name that nothing else has.
    pub(super) fn unique(&self, wanted: String) -> String {
        let is_taken = |name: &str| {
            self.model.nodes.iter().any(|node| node.name == name) || self.places.iter().any(|(place, _)| place == name)
        };
        let mut name = wanted;
        while is_taken(&name) {
            name.push('\'');
        }
        name
    }

    /// The routes from a station, which is a node or stands behind a source.
    fn leave(&mut self, node: usize, from: &str, classes: &[usize]) -> Result<(), JmtError> {
        let at = self.model.nodes[node].at;
        let mut routing: Option<(String, bool)> = None;
        let mut all: Vec<(usize, Vec<Route>)> = vec![];
        for class in classes {
            let ways = self.flow.ways(self.model, node, *class)?;
            let chosen = (ways.routing.clone().unwrap_or("random".into()), ways.ways.len() > 1);
            match &routing {
                Some((other, true)) if chosen.1 && *other != chosen.0 => {
                    let what =
                        format!("'{}' of class '{}' beside '{other}'", chosen.0, self.model.classes[*class].name);
                    return Err(no_equal(at, what, "a routing of each class"));
                }
                Some((_, true)) => {}
                _ => routing = Some(chosen),
            }
            let looks = ways.routing.is_some_and(|routing| routing.starts_with("shortest"));
            let mut routes = vec![];
            for (probability, to, becomes) in ways.ways {
                let name = self.end(Some(node), to, becomes);
                if looks && (name != self.model.nodes[to].name || self.model.nodes[to].role == Role::Sink) {
                    let what = format!("a routing to the shortest queue that looks at '{}'", self.model.nodes[to].name);
                    return Err(no_equal(at, what, "a count of tokens at a sink, or beyond the border of a region"));
                }
                let changes = becomes != *class;
                if changes && let Some(join) = self.model.nodes.iter().find(|node| node.role == Role::Join) {
                    let needs = "a joined token of the class that it had before the fork";
                    return Err(no_equal(join.at, "a join in a model that switches classes", needs));
                }
                routes.push(Route { to: name, probability, becomes: changes.then_some(becomes) });
            }
            all.push((*class, routes));
        }
        if let Some((routing, true)) = routing.filter(|(routing, _)| routing != "random")
            && let Some((_, place)) = self.places.iter_mut().find(|(name, _)| name == from)
        {
            let _ = writeln!(place.keys, "routing = \"{routing}\"");
        }
        let is_one = all.iter().all(|(_, routes)| *routes == all[0].1);
        for (place, (class, routes)) in all.iter().enumerate().filter(|(place, _)| *place == 0 || !is_one) {
            debug_assert!(!is_one || place == 0);
            for route in routes {
                let class = (!is_one).then_some(*class);
                self.route(from, route, class);
            }
        }
        Ok(())
    }

    pub(super) fn route(&mut self, from: &str, Route { to, probability, becomes }: &Route, class: Option<usize>) {
        let _ = write!(self.routes, "\n[[route]]\nfrom = {}\nto = {}\n", quoted(from), quoted(to));
        if *probability != 1.0 {
            let _ = writeln!(self.routes, "probability = {probability}");
        }
        for (key, class) in [("class", class), ("becomes", *becomes)] {
            class.into_iter().for_each(|class| self.routes.push_str(&format!("{key} = {}\n", self.class(class))));
        }
    }

    /// The sources of a node, and the station behind them where their jobs have a choice of ways, or may have to wait for room.
    fn generate(&mut self, node: usize, blocking: &[usize]) -> Result<(), JmtError> {
        let of = &self.model.nodes[node];
        let classes = generated(self.model, node)?;
        let mut behind = vec![];
        let out_of = self.unique(format!("out of {}", of.name));
        for class in &classes {
            let ways = self.flow.ways(self.model, node, *class)?.ways;
            let direct = match ways[..] {
                [(_, to, becomes)] if self.model.nodes[to].role != Role::Sink && !blocking.contains(&to) => {
                    Some((to, becomes))
                }
                _ => None,
            };
            let (to, class_there) = match direct {
                Some((to, becomes)) => (self.end(None, to, becomes), becomes),
                None => {
                    behind.push(*class);
                    (out_of.clone(), *class)
                }
            };
            let name = if classes.len() > 1 {
                self.unique(format!("{}, {}", of.name, self.model.classes[*class].name))
            } else {
                of.name.into()
            };
            let strategy = self.model.of_class(of.sections[0], "ServiceStrategy", *class);
            let law = match strategy.map(interval).transpose()?.flatten() {
                Some(Interval::Phases(phases)) => format!("phases = {phases}"),
                Some(Interval::Law(law)) => {
                    self.longest = self.longest.max(law.mean);
                    format!("interval = \"{}\"", law.text)
                }
                None => continue,
            };
            let _ = write!(self.sources, "\n[[source]]\nname = {}\n{law}\nto = {}\n", quoted(&name), quoted(&to));
            if self.has_classes() {
                let _ = writeln!(self.sources, "class = {}", quoted(self.model.classes[class_there].name));
            }
        }
        if !behind.is_empty() {
            let name = out_of;
            self.places.push((name.clone(), moment(behind.iter().copied())));
            self.leave(node, &name, &behind)?;
        }
        Ok(())
    }

    /// The whole text.
    fn text(&self, priorities: &[usize], unreached: &[&str]) -> Result<String, JmtError> {
        let (sim, mut text) = (self.model.sim, String::new());
        let _ = writeln!(text, "# Made from the model {} of JMT.", quoted(sim.attribute("name").unwrap_or_default()));
        for key in ["seed", "maxSamples", "maxTime", "maxSimulated"] {
            sim.attribute(key)
                .into_iter()
                .for_each(|value| text.push_str(&format!("# JMT's {key}: {}\n", quoted(value))));
        }
        unreached.iter().for_each(|name| text.push_str(&format!("# No job comes to {}.\n", quoted(name))));
        let given = limit(sim, "maxSimulated")?.filter(|time| *time > 0.0);
        if given.is_none() {
            let _ = writeln!(text, "# JMT ends by precision: the horizon is {LONG} times the longest mean time here.");
        }
        let longest = if self.longest > 0.0 { self.longest } else { 1.0 };
        let until = given.unwrap_or(LONG * longest).min(1e9);
        let _ = writeln!(text, "until = {until}\nwarmup = {}", until / 20.0);
        for (class, of) in self.model.classes.iter().enumerate().filter(|_| self.has_classes()) {
            let _ = write!(text, "\n[[class]]\nname = {}\n", quoted(of.name));
            if priorities[class] > 0 {
                let _ = writeln!(text, "priority = {}", priorities[class]);
            }
        }
        for (name, units) in self.regions.iter().flat_map(|region| &region.limits) {
            let _ = write!(text, "\n[[resource]]\nname = {}\nunits = {units}\n", quoted(name));
        }
        text.push_str(&self.resources);
        self.places.iter().for_each(|(name, place)| self.place(name, place, &mut text));
        text.push_str(&self.sources);
        let is_sink =
            |number: &usize| self.model.nodes[*number].role == Role::Sink && !self.flow.classes[*number].is_empty();
        for sink in (0..self.model.nodes.len()).filter(is_sink) {
            let _ = write!(text, "\n[[sink]]\nname = {}\n", quoted(self.model.nodes[sink].name));
        }
        text.push_str(&self.routes);
        Ok(text)
    }

    /// The table of a station.
    fn place(&self, name: &str, place: &Place, text: &mut String) {
        let law = place.classes.first().map_or(MOMENT, |(_, law, _)| &law.text);
        text.push('\n');
        if law == MOMENT {
            text.push_str("# It takes no time in JMT, and the shortest that there is here.\n");
        }
        place.remarks.iter().for_each(|remark| text.push_str(&format!("# {remark}\n")));
        let _ = write!(text, "[[station]]\nname = {}\nservice = \"{law}\"\n{}", quoted(name), place.lines());
        for (class, own, keys) in &place.classes {
            let starts =
                self.model.start.iter().filter(|(node, of, _)| self.model.nodes[*node].name == name && of == class);
            let tokens: u64 = starts.map(|(.., count)| u64::from(*count)).sum();
            let tokens = if tokens > 0 { format!("tokens = {tokens}\n") } else { String::new() };
            let service = if own.text == law { String::new() } else { format!("service = \"{}\"\n", own.text) };
            if !self.has_classes() {
                // A weight says nothing where all have the same.
                let keys = keys.lines().filter(|line| !line.starts_with("weight")).map(|line| format!("{line}\n"));
                text.push_str(&(tokens + &keys.collect::<String>()));
            } else if !(tokens.is_empty() && service.is_empty() && keys.is_empty()) {
                let _ = write!(text, "\n[[station.class]]\nname = {}\n{service}{keys}{tokens}", self.class(*class));
            }
        }
        place.groups.iter().for_each(|group| text.push_str(&group.text(self.model)));
    }
}
