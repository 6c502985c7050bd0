//! Whether everything that a network names is its own.

use crate::describe::{AttributeId, ClassId, Destination, Giver, NO_CLASS, Network, ResourceId, Station, StationId};
use crate::error::NetworkError;

impl Network {
    /// Refuses ids of another network, wherever one may stand.
    ///
    /// # Errors
    /// [`NetworkError::Foreign`].
    pub(super) fn check_ids(&self) -> Result<(), NetworkError> {
        for source in &self.sources {
            source.targets().try_for_each(|to| self.has_station(to))?;
            let of_trace = source.trace.iter().flat_map(|trace| trace.rows.iter().filter_map(|(_, class, _)| *class));
            source.class.into_iter().chain(of_trace).try_for_each(|class| self.has_class(class))?;
            let values = source.trace.iter().flat_map(|trace| &trace.values);
            values.map(|(attribute, _)| *attribute).try_for_each(|attribute| self.has_attribute(attribute))?;
        }
        for route in &self.routes {
            self.has_station(route.from)?;
            self.has_destination(route.to)?;
            [route.class, route.becomes].into_iter().try_for_each(|class| self.has_class(class))?;
        }
        self.sinks.iter().flat_map(|sink| &sink.classes).try_for_each(|(class, _)| self.has_class(*class))?;
        let of_attributes = self.attributes.iter().flat_map(|attribute| &attribute.laws);
        of_attributes.map(|(class, _)| *class).try_for_each(|class| self.has_class(class))?;
        self.stations.iter().try_for_each(|station| self.check_ids_at(station))
    }

    fn check_ids_at(&self, station: &Station) -> Result<(), NetworkError> {
        let Some(further) = &station.further else { return Ok(()) };
        let aside = [further.reneges_to, further.balks_to, further.full_to];
        aside.into_iter().flatten().try_for_each(|to| self.has_destination(to))?;
        let of_kit = further.kit.iter().map(|(class, _)| *class);
        further.classes.iter().map(|of| of.class).chain(of_kit).try_for_each(|class| self.has_class(class))?;
        let of_classes = further.classes.iter().filter_map(|of| of.sized_by);
        let sizes = of_classes.chain(further.sized_by).chain(further.patience_by).map(|size| size.attribute);
        sizes
            .chain(further.order_by)
            .chain(further.route_by)
            .try_for_each(|attribute| self.has_attribute(attribute))?;
        let of_groups = further.groups.iter().flat_map(|group| &group.serves);
        let of_laws = further.groups.iter().flat_map(|group| &group.laws).map(|(class, _)| class);
        of_groups.chain(of_laws).try_for_each(|class| self.has_class(*class))?;
        further.units().try_for_each(|(resource, _)| self.has_resource(*resource))
    }

    fn has_destination(&self, to: Destination) -> Result<(), NetworkError> {
        match to {
            Destination::Station(station) => self.has_station(station),
            Destination::Sink(sink) => self.has("sink", sink.0, sink.1, self.sinks.len()),
        }
    }

    fn has_station(&self, station: StationId) -> Result<(), NetworkError> {
        self.has("station", station.0, station.1, self.count())
    }

    fn has_class(&self, class: ClassId) -> Result<(), NetworkError> {
        if class.0 == NO_CLASS { Ok(()) } else { self.has("class", class.0, class.1, self.classes.len()) }
    }

    fn has_resource(&self, resource: ResourceId) -> Result<(), NetworkError> {
        self.has("resource", resource.0, resource.1, self.resources.len())
    }

    fn has_attribute(&self, attribute: AttributeId) -> Result<(), NetworkError> {
        self.has("attribute", attribute.0, attribute.1, self.attributes.len())
    }

    fn has(&self, what: &'static str, number: u32, giver: Giver, count: usize) -> Result<(), NetworkError> {
        // A clone has perhaps fewer.
        let is_own = giver.is(self.giver) && (number as usize) < count;
        if is_own { Ok(()) } else { Err(NetworkError::Foreign { what, number }) }
    }
}
