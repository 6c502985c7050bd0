//! The user's description of one class at one station.

use super::{ClassId, Costs, SizedBy};
use tickless_core::random::ServiceLaw;

/// The properties of one class at a station that differ from the station's.
///
/// ```
/// # use tickless_queueing::facade as tickless;
/// use tickless::queueing::{Class, ClassOfStation, Network, Station};
/// let mut network = Network::new();
/// let urgent = network.class(Class::new("urgent"));
/// let of_urgent = ClassOfStation::new(urgent).service("exponential:2".parse()?).patience("constant:9".parse()?);
/// network.station(Station::new("desk", "exponential:4".parse()?).class(of_urgent));
/// # Ok::<(), tickless::random::LawError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct ClassOfStation {
    pub(crate) class: ClassId,
    pub(crate) service: Option<ServiceLaw>,
    pub(crate) sized_by: Option<SizedBy>,
    pub(crate) patience: Option<ServiceLaw>,
    pub(crate) tokens: u32,
    pub(crate) weight: Option<f64>,
    pub(crate) capacity: Option<u32>,
    pub(crate) costs: Option<Box<Costs>>,
}

impl ClassOfStation {
    /// Without properties of its own.
    pub fn new(class: ClassId) -> Self {
        let (service, sized_by, patience, weight, capacity, costs) = (None, None, None, None, None, None);
        Self { class, service, sized_by, patience, tokens: 0, weight, capacity, costs }
    }

    /// Its weight where all tokens share the servers: from 2⁻¹⁰ to 2¹⁰, a multiple of 2⁻¹⁰; the default is 1.
    #[must_use]
    pub fn weight(mut self, weight: f64) -> Self {
        self.weight = Some(weight);
        self
    }

    /// The room for tokens of the class, those in service included; the station's own capacity holds, too. A token without room is lost, or
    /// waits where it is if the station blocks. Stations that exchange have no capacities of classes.
    #[must_use]
    pub fn capacity(mut self, capacity: u32) -> Self {
        self.capacity = Some(capacity);
        self
    }

    /// The law of its service times, in place of the station's.
    #[must_use]
    pub fn service(mut self, law: ServiceLaw) -> Self {
        self.service = Some(law);
        self
    }

    /// The law of its patience, in place of the station's.
    #[must_use]
    pub fn patience(mut self, law: ServiceLaw) -> Self {
        self.patience = Some(law);
        self
    }

    /// Its tokens at time 0, beside those of the station, which are of the first class.
    #[must_use]
    pub fn tokens(mut self, tokens: u32) -> Self {
        self.tokens = tokens;
        self
    }
}
