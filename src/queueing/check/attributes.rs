//! What makes rules of what tokens carry.

use super::groups::{factor_fault, factor_of};
use super::rules::parameter;
use crate::describe::{Attribute, Discipline, Further, Network, SizedBy, Station, Trace};
use crate::error::NetworkError;
use crate::model::{AttributeRules, MOST_ATTRIBUTES, Rules, Size, Values};
use tickless_core::number::Written;
use tickless_core::time::Time;

/// Every attribute of a network.
///
/// # Errors
/// Too many, a name that is there twice, or a law that passes the range.
pub(super) fn attributes(network: &Network) -> Result<Vec<AttributeRules>, NetworkError> {
    let all = &network.attributes;
    if all.len() > MOST_ATTRIBUTES {
        let most = MOST_ATTRIBUTES as u64;
        return Err(NetworkError::TooMany { what: "attributes of tokens", count: all.len() as u64, most });
    }
    for (place, attribute) in all.iter().enumerate() {
        if all[..place].iter().any(|other| other.name == attribute.name) {
            return Err(NetworkError::Name { name: attribute.name.clone() });
        }
    }
    all.iter().map(|attribute| rules_of(network, attribute)).collect()
}

fn rules_of(network: &Network, attribute: &Attribute) -> Result<AttributeRules, NetworkError> {
    let law = |class: usize| {
        let law = attribute.law_of(class);
        let effective = law.effective(None);
        let is_known = effective.maximum().is_some_and(|time| time.ticks() < 1 << 62);
        let fault = || NetworkError::Parameter {
            kind: "attribute",
            name: attribute.name.clone(),
            parameter: "the law",
            value: law.to_string(),
            allowed: "one whose longest time is below 2^30 time units".into(),
        };
        if is_known { Ok(effective) } else { Err(fault()) }
    };
    let classes = 0..network.classes.len().max(1);
    Ok(AttributeRules { name: attribute.name.clone(), laws: classes.map(law).collect::<Result<_, _>>()? })
}

/// The values of the attributes by the row of a trace; none where it has none.
pub(super) fn of_trace(trace: &Trace) -> Vec<Values> {
    if trace.values.is_empty() {
        return vec![];
    }
    let mut all = vec![[Time::NEVER; MOST_ATTRIBUTES]; trace.rows.len()];
    for (attribute, values) in &trace.values {
        for (of_row, value) in all.iter_mut().zip(values) {
            let ticks = value.and_then(Time::from_units).map(|time| time.max(Time::from_ticks(1)));
            of_row[attribute.0 as usize] = ticks.unwrap_or(Time::NEVER);
        }
    }
    all
}

/// The attribute that is the service time of a class at a station.
///
/// # Errors
/// A factor that is out of range.
pub(super) fn size(station: &Station, class: u32) -> Result<Option<Size>, NetworkError> {
    let Some(further) = station.further.as_deref() else { return Ok(None) };
    let own = further.classes.iter().rfind(|of| of.class.0 == class);
    let of_class = own.and_then(|of| of.sized_by);
    // A law of the class stands in place of the station's attribute.
    let has_law = own.is_some_and(|of| of.service.is_some());
    let Some(SizedBy { attribute, factor }) = of_class.or(further.sized_by.filter(|_| !has_law)) else {
        return Ok(None);
    };
    if factor_fault(factor) {
        let what = "the factor of the attribute that is its service";
        return Err(parameter(&station.name, what, Written(factor), "from 2^-10 to 2^10"));
    }
    Ok(Some(Size { attribute: attribute.0, factor: factor_of(factor) }))
}

/// The attribute that is the patience of a class at a station; a law of the class stands in its place.
///
/// # Errors
/// A factor that is out of range.
pub(super) fn patience(station: &Station, class: u32) -> Result<Option<Size>, NetworkError> {
    let Some(further) = station.further.as_deref() else { return Ok(None) };
    let has_law = further.classes.iter().any(|of| of.class.0 == class && of.patience.is_some());
    let Some(SizedBy { attribute, factor }) = further.patience_by.filter(|_| !has_law) else { return Ok(None) };
    if factor_fault(factor) {
        let what = "the factor of the attribute that is its patience";
        return Err(parameter(&station.name, what, Written(factor), "from 2^-10 to 2^10"));
    }
    Ok(Some(Size { attribute: attribute.0, factor: factor_of(factor) }))
}

/// Whether patience that ends amid services goes with a station.
///
/// # Errors
/// What it does not go with.
pub(super) fn check_patience(station: &Station, further: &Further) -> Result<(), NetworkError> {
    if !further.patience_runs_on {
        return Ok(());
    }
    let what = "whether patience runs on in a service (patience_until)";
    let fail = |allowed: &str| Err(parameter(&station.name, what, "true", allowed));
    if !further.is_impatient() {
        return fail("false, as nobody there has patience");
    }
    let others = [
        ("services are interrupted", further.preemptive || further.discipline.is_preemptive()),
        ("all share the servers", further.discipline == Discipline::Sharing),
        ("services have speeds", !further.speeds.is_empty()),
        ("servers fail", further.failures.is_some() || further.groups.iter().any(|group| group.failures.is_some())),
        ("servers set up or go away", further.setup.is_some() || further.vacation.is_some()),
        ("shifts interrupt", further.shifts.as_ref().is_some_and(|shifts| shifts.interrupts)),
        ("tokens hold units", further.units().next().is_some()),
        ("a server serves several tokens at once", further.groups.iter().any(|group| group.bulk.most > 1)),
    ];
    let beside = others.into_iter().find(|(_, is_there)| *is_there);
    beside.map_or(Ok(()), |(what, _)| fail(&format!("false, as {what} there")))
}

/// Whether the discipline of a station and the attribute by which it orders go together.
///
/// # Errors
/// One without the other.
pub(super) fn check_order(station: &Station, further: &Further) -> Result<(), NetworkError> {
    let is_by_attribute = further.discipline.order().is_by_attribute();
    match (is_by_attribute, further.order_by) {
        (true, None) => {
            let allowed = "another one, or one beside `order_by`, the attribute by which it orders";
            Err(parameter(&station.name, "the discipline", further.discipline.name(), allowed))
        }
        (false, Some(_)) => {
            let allowed = "left out, as only the disciplines least, edd and ageing order by an attribute";
            Err(parameter(&station.name, "the attribute by which it orders", "given", allowed))
        }
        _ => Ok(()),
    }
}

impl Rules {
    /// The longest service, and patience, by an attribute, in ticks; or the station where it passes the range, and what of it does.
    pub(super) fn longest_by_attributes(&self) -> Result<u64, (usize, &'static str)> {
        let values: Vec<Time> = (0..self.attributes.len()).map(|attribute| self.longest_value(attribute)).collect();
        let of = |size: &Size| size.longer(values[size.attribute as usize]);
        let mut longest = values.iter().map(|value| value.ticks()).max().unwrap_or(0);
        for (place, visit) in self.visits.iter().enumerate() {
            let (station, class) = (place / self.names.len(), place % self.names.len());
            let groups = self.stations[station].groups.iter().filter(|group| group.serves_by_law_of(class));
            let service = visit.size.as_ref().map_or(Time::ZERO, of);
            let services = groups.map(|group| group.longest_service(class, service)).chain([service]);
            let of_both = [
                (services.max().unwrap_or(service), "the attribute that is its service"),
                (visit.patience_by.as_ref().map_or(Time::ZERO, of), "the attribute that is its patience"),
            ];
            for (time, what) in of_both {
                if time.ticks() >= 1 << 62 {
                    return Err((station, what));
                }
                longest = longest.max(time.ticks());
            }
        }
        Ok(longest)
    }

    /// The longest value of an attribute, by its laws and by traces.
    pub(super) fn longest_value(&self, attribute: usize) -> Time {
        let of_traces = self.sources.iter().flat_map(|source| &source.values).map(|values| values[attribute]);
        let of_laws = self.attributes[attribute].laws.iter().filter_map(|law| law.maximum());
        of_laws.chain(of_traces.filter(|value| *value != Time::NEVER)).max().unwrap_or(Time::ZERO)
    }
}
