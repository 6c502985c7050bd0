//! The gates of regions: stations at which jobs spend no time, but take units or give them back.

use super::laws::MOMENT;
use super::model::Role;
use super::stations::moment;
use super::write::{Route, Tables};
use crate::file::quoted;

impl Tables<'_, '_> {
    /// The station or sink that a way leads to: a gate, where it leads into a region or out of one.
    pub(super) fn end(&mut self, from: Option<usize>, to: usize, class: usize) -> String {
        let region = |node: usize| self.regions.iter().position(|region| region.nodes.contains(&node));
        let [left, entered] = [from.and_then(region), region(to)];
        let target = &self.model.nodes[to];
        let mut name = target.name.to_owned();
        if left == entered {
            return name;
        }
        if let Some(number) = entered.filter(|number| !self.regions[*number].needs[class].is_empty()) {
            name = self.gate(number, name, Some(class));
        }
        match left {
            // Who leaves the network gives back all units.
            Some(number) if target.role != Role::Sink => self.gate(number, name, None),
            _ => name,
        }
    }

    /// The gate of a region that leads to a station.
    fn gate(&mut self, number: usize, to: String, class: Option<usize>) -> String {
        let key = (number, to.clone(), class);
        if let Some(gate) = self.gates.get(&key) {
            return gate.clone();
        }
        let region = &self.regions[number];
        let units = |(limit, units): (usize, u64)| format!("{} = {units}", quoted(&region.limits[limit].0));
        let all = |needs: Vec<(usize, u64)>| needs.into_iter().map(units).collect::<Vec<_>>().join(", ");
        let (name, keys) = match class {
            Some(class) => {
                let of =
                    if self.has_classes() { format!(", {}", self.model.classes[class].name) } else { String::new() };
                let drop = if region.drops[class] { format!("patience = \"{MOMENT}\"\n") } else { String::new() };
                let needs = all(region.needs[class].clone());
                (format!("into {}: {to}{of}", region.name), format!("{drop}seizes = {{ {needs} }}\n"))
            }
            None => {
                // Of each limit as many units as a job may hold.
                let most = |limit: usize| {
                    let needs = region.needs.iter().flatten().filter(|(of, _)| *of == limit);
                    (limit, needs.map(|(_, units)| *units).max().unwrap_or(1))
                };
                let most = all((0..region.limits.len()).map(most).collect());
                (format!("out of {}: {to}", region.name), format!("releases = {{ {most} }}\n"))
            }
        };
        let name = self.unique(name);
        let mut place = moment([0]);
        place.keys.push_str(&keys);
        self.places.push((name.clone(), place));
        self.route(&name, &Route { to, probability: 1.0, becomes: None }, None);
        self.gates.insert(key, name.clone());
        name
    }
}
