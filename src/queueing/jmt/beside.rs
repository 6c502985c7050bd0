//! What a station needs beside itself.

use std::fmt::Write;

use super::fault::{JmtError, no_equal};
use super::stations::Place;
use super::write::{Route, Tables};
use crate::file::quoted;

impl Tables<'_, '_> {
    /// A station, and what else it needs: a resource of which so many units as jobs may share, and a place for those who try again.
    pub(super) fn further(&mut self, node: usize, mut place: Place) -> Result<(), JmtError> {
        let (of, at) = (self.model.nodes[node].name, self.model.nodes[node].at);
        if let Some(most) = place.shares {
            let name = quoted(&self.unique(format!("shares of {of}")));
            let keys = format!("seizes = {{ {name} = 1 }}\nseizes_at = \"arrival\"\nreleases = {{ {name} = 1 }}\n");
            place.keys.push_str(&keys);
            let _ = write!(self.resources, "\n[[resource]]\nname = {name}\nunits = {}\n", most.min(u32::MAX.into()));
        }
        let retries = std::mem::take(&mut place.retries);
        if retries.is_empty() {
            self.places.push((of.into(), place));
            return Ok(());
        }
        if self.regions.iter().any(|region| region.nodes.contains(&node)) {
            return Err(no_equal(
                at,
                "'retrial' at a station of a region",
                "a place in the region for those who try again",
            ));
        }
        let name = self.unique(format!("orbit of {of}"));
        let _ = writeln!(place.keys, "full_to = {}", quoted(&name));
        let classes = retries.into_iter().map(|(class, law)| (class, law, String::new())).collect();
        let orbit = Place { keys: "servers = \"infinite\"\n".into(), classes, ..Place::default() };
        self.places.extend([(of.into(), place), (name.clone(), orbit)]);
        self.route(&name, &Route { to: of.into(), probability: 1.0, becomes: None }, None);
        Ok(())
    }
}
