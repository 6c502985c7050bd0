//! What tokens carry, in files.

use schemars::JsonSchema;
use serde::Deserialize;
use toml::Spanned;

use super::FileError;
use super::reader::Reader;
use crate::describe::{ClassOfStation, Destination, SizedBy, Station};
use crate::{Attribute, AttributeId};
use tickless_core::random::ServiceLaw;
use tickless_core::reading::names;

/// What columns of traces have other meanings.
const RESERVED: [&str; 4] = ["time", "class", "batch", ""];

/// A time that every token carries: a size, a due date, a length of stay. It is drawn once, when a token comes from its source or at time 0, unless
/// a trace has a column of its name.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Attribute")]
pub(super) struct AttributeEntry {
    /// Its name; `service = "attribute:NAME"` makes it a service time, and `"attribute:NAME,FACTOR"` so many times as much.
    #[schemars(with = "String", extend("examples" = ["size"]))]
    name: Spanned<String>,
    /// The law of its values.
    #[schemars(extend("examples" = ["exponential:3"]))]
    law: ServiceLaw,
    /// What classes have of their own.
    #[serde(default)]
    class: Vec<AttributeClassEntry>,
}

/// A class of tokens with values of its own.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "ClassOfAttribute")]
pub(super) struct AttributeClassEntry {
    /// The class in which the tokens begin.
    #[schemars(with = "String", extend("examples" = ["urgent"]))]
    name: Spanned<String>,
    /// The law of their values.
    #[schemars(extend("examples" = ["uniform:1,2"]))]
    law: ServiceLaw,
}

/// How long services take: a law, an attribute of the token, or no time.
#[derive(Clone, Deserialize)]
#[serde(try_from = "String")]
pub(super) enum Service {
    Zero,
    Law(ServiceLaw),
    Attribute { name: String, factor: f64 },
}

impl TryFrom<String> for Service {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        if text.trim() == "zero" {
            return Ok(Self::Zero);
        }
        let Some(rest) = text.trim().strip_prefix("attribute:") else {
            return ServiceLaw::try_from(text).map(Self::Law).map_err(|fault| fault.to_string());
        };
        let (name, factor) = rest.split_once(',').map_or((rest, None), |(name, factor)| (name, Some(factor)));
        let factor = factor.map_or(Ok(1.0), |factor| {
            let wrong = |_| {
                format!(
                    "'{text}' has no number behind the comma; write attribute:NAME,FACTOR, as in attribute:size,0.5"
                )
            };
            factor.trim().parse().map_err(wrong)
        })?;
        Ok(Self::Attribute { name: name.trim().into(), factor })
    }
}

/// Since when patience counts.
#[derive(Clone, Copy, Deserialize, PartialEq, Eq, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(super) enum PatienceFrom {
    /// The arrival at the station.
    Arrival,
    /// The arrival in the network.
    Source,
}

/// Until when patience counts.
#[derive(Clone, Copy, Default, Deserialize, PartialEq, Eq, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(super) enum PatienceUntil {
    /// The first service begins.
    #[default]
    Service,
    /// The service ends.
    End,
}

impl Service {
    /// The law, or one that stands for an attribute until the attributes are known, or for none.
    pub(super) fn law(&self) -> ServiceLaw {
        match self {
            Self::Law(law) => law.clone(),
            Self::Zero | Self::Attribute { .. } => ServiceLaw::Constant { time: 1.0 },
        }
    }
}

impl Reader<'_> {
    /// # Errors
    /// A name that is there twice, and an unknown class.
    pub(super) fn attributes(&mut self, entries: Vec<AttributeEntry>) -> Result<(), FileError> {
        for AttributeEntry { name, law, class } in entries {
            if self.attributes.contains_key(name.as_ref()) {
                return Err(self.fault(&name, format!("the name '{}' is taken already", name.as_ref())));
            }
            if RESERVED.contains(&&**name.as_ref()) || name.as_ref().contains(',') {
                let fault = format!(
                    "'{}' cannot name an attribute: time, class and batch are columns of traces, and a comma ends a name",
                    name.as_ref()
                );
                return Err(self.fault(&name, fault));
            }
            self.check_listed(("attribute", name.as_ref()), class.iter().map(|of| &of.name))?;
            let mut attribute = Attribute::new(name.as_ref(), law);
            for AttributeClassEntry { name, law } in class {
                attribute = attribute.of_class(self.class(&name)?, law);
            }
            let id = self.network.attribute(attribute);
            self.attributes.insert(name.into_inner(), id);
        }
        Ok(())
    }

    /// The attribute of a name.
    ///
    /// # Errors
    /// A name that no attribute has, as the fault.
    pub(super) fn attribute(&self, name: &str) -> Result<AttributeId, String> {
        let known = || match self.attributes.is_empty() {
            true => "the file has no [[attribute]]".to_owned(),
            false => {
                let mut all: Vec<(&str, AttributeId)> =
                    self.attributes.iter().map(|(name, id)| (&**name, *id)).collect();
                all.sort_by_key(|(_, id)| *id);
                names::known(name, all.into_iter().map(|(name, _)| name))
            }
        };
        self.attributes.get(name).copied().ok_or_else(|| format!("no attribute is named '{name}': {}", known()))
    }

    /// The attribute that is a service, if one is.
    fn sized_by(&self, at: &Spanned<String>, service: &Service) -> Result<Option<SizedBy>, FileError> {
        if matches!(service, Service::Zero) {
            let fault = "'zero' is the service of a station, for all of its classes: write a law here";
            return Err(self.fault(at, fault.into()));
        }
        let Service::Attribute { name, factor } = service else { return Ok(None) };
        let attribute = self.attribute(name).map_err(|fault| self.fault(at, fault))?;
        Ok(Some(SizedBy { attribute, factor: *factor }))
    }

    /// A station whose services, or whose order, are by attributes.
    ///
    /// # Errors
    /// A name that no attribute has.
    pub(super) fn with_attributes(
        &self,
        mut station: Station,
        (name, service): (&Spanned<String>, &Service),
        order_by: Option<&Spanned<String>>,
    ) -> Result<Station, FileError> {
        station = if matches!(service, Service::Zero) { station.taking_no_time() } else { station };
        if matches!(service, Service::Attribute { .. })
            && let Some(SizedBy { attribute, factor }) = self.sized_by(name, service)?
        {
            let mean = self.network.attributes[attribute.0 as usize].law.mean() * factor;
            if mean > 0.0 && mean.is_finite() {
                station.service = ServiceLaw::Constant { time: mean };
            }
            station = station.service_by(attribute, factor);
        }
        let Some(order_by) = order_by else { return Ok(station) };
        let attribute = self.attribute(order_by.as_ref()).map_err(|fault| self.fault(order_by, fault))?;
        Ok(station.order_by(attribute))
    }

    /// A station whose tokens give up by a law or by an attribute.
    ///
    /// # Errors
    /// A name that no attribute has, or a beginning of what counts from the arrival alone.
    pub(super) fn with_patience(
        &self,
        mut station: Station,
        (name, patience): (&Spanned<String>, Option<Service>),
        (from, until): (Option<Spanned<PatienceFrom>>, PatienceUntil),
        to: Option<Destination>,
    ) -> Result<Station, FileError> {
        let by = patience.as_ref().map(|patience| self.sized_by(name, patience)).transpose()?.flatten();
        let law = patience.filter(|_| by.is_none()).map(|patience| patience.law());
        station = station.gives_up(law, to);
        if let Some(SizedBy { attribute, factor }) = by {
            let from_source = from.is_some_and(|from| *from.as_ref() == PatienceFrom::Source);
            station = station.patience_by(attribute, factor, from_source);
        } else if let Some(from) = from.filter(|from| *from.as_ref() == PatienceFrom::Source) {
            let fault = "`patience_from` without `patience = \"attribute:...\"`: that of a law counts from the arrival";
            return Err(self.fault_at(from.span(), fault.into()));
        }
        Ok(if until == PatienceUntil::End { station.patience_runs_on() } else { station })
    }

    /// A class of a station whose services are of a law or an attribute.
    ///
    /// # Errors
    /// A name that no attribute has.
    pub(super) fn with_service(
        &self,
        mut of_class: ClassOfStation,
        (name, service): (&Spanned<String>, Option<&Service>),
    ) -> Result<ClassOfStation, FileError> {
        let Some(service) = service else { return Ok(of_class) };
        of_class.sized_by = self.sized_by(name, service)?;
        of_class.service = Some(service.law()).filter(|_| of_class.sized_by.is_none());
        Ok(of_class)
    }
}
