//! Sources in files.

use std::fmt;

use schemars::JsonSchema;
use serde::de::{SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use toml::Spanned;

use super::lists::pairs;
use super::reader::Reader;
use super::{FileError, SourceEntry, traces};
use crate::describe::{Destination, Source, StationId};
use crate::{Phases, Rates, Routing, Trace};

/// A Markovian arrival process by its two matrices, or a modulated Poisson process by a generator and rates.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Phases")]
pub(super) struct PhasesEntry {
    /// By rows the rates of changes of phase without a token, minus the sum of all others in the phase's own place.
    #[schemars(extend("examples" = [[[-2, 1], [0, -1]]]))]
    d0: Option<Vec<Vec<f64>>>,
    /// By rows the rates of changes with a token.
    #[schemars(extend("examples" = [[[0.5, 0.5], [1, 0]]]))]
    d1: Option<Vec<Vec<f64>>>,
    /// In place of `d0` and `d1`, with `arrivals`, the rates of changes of phase of a modulated Poisson process (MMPP).
    #[schemars(extend("examples" = [[[-0.1, 0.1], [0.1, -0.1]]]))]
    generator: Option<Vec<Vec<f64>>>,
    /// The rate of its tokens in each phase.
    #[schemars(extend("examples" = [[2, 0.5]]))]
    arrivals: Option<Vec<f64>>,
}

/// Where a source leads.
#[derive(JsonSchema)]
#[schemars(untagged, inline)]
pub(super) enum Goals {
    /// To this station.
    One(String),
    /// To these stations.
    Several(#[schemars(with = "Vec<String>")] Vec<Spanned<String>>),
}

impl<'de> Deserialize<'de> for Goals {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(OneOrSeveral)
    }
}

struct OneOrSeveral;

impl<'de> Visitor<'de> for OneOrSeveral {
    type Value = Goals;

    fn expecting(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str("a text in quotes, or a list of them")
    }

    fn visit_str<E>(self, name: &str) -> Result<Goals, E> {
        Ok(Goals::One(name.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Goals, A::Error> {
        let mut names = vec![];
        while let Some(name) = list.next_element()? {
            names.push(name);
        }
        Ok(Goals::Several(names))
    }
}

impl Reader<'_> {
    /// A source.
    ///
    /// # Errors
    /// An unknown name, and keys that exclude each other.
    pub(super) fn source(&self, mut entry: SourceEntry) -> Result<Source, FileError> {
        let (target, others) = self.targets(&entry)?;
        let routing = entry.routing.take();
        let batch = entry.batch.take().map(|batch| self.some("batch", batch)).transpose()?;
        let (start, limit, class) = (entry.start, entry.limit, entry.class.take());
        let mut source = self.arrivals(entry, target)?.start(start).batch(batch.unwrap_or_default());
        if let Some(limit) = limit {
            source = source.limit(limit);
        }
        if let Some(class) = &class {
            source = source.class(self.class(class)?);
        }
        let parsed =
            routing.as_ref().map(|text| text.as_ref().parse::<Routing>().map_err(|fault| self.fault(text, fault)));
        let routing = parsed.transpose()?;
        Ok(if routing.is_some() || !others.is_empty() {
            source.or_to(others, routing.unwrap_or_default())
        } else {
            source
        })
    }

    /// The station that a source leads to, and others that it leads to as well.
    fn targets(&self, entry: &SourceEntry) -> Result<(StationId, Vec<StationId>), FileError> {
        let at = entry.to.span();
        let one: Vec<_>;
        let names = match entry.to.as_ref() {
            Goals::Several(names) => names,
            Goals::One(name) => {
                one = vec![Spanned::new(at.clone(), name.clone())];
                &one
            }
        };
        let mut targets = names.iter().map(|to| self.target(entry, to)).collect::<Result<Vec<_>, _>>()?.into_iter();
        let none = || self.fault_at(at, "`to` is an empty list: give it one station or more".into());
        Ok((targets.next().ok_or_else(none)?, targets.collect()))
    }

    fn target(&self, SourceEntry { name, .. }: &SourceEntry, to: &Spanned<String>) -> Result<StationId, FileError> {
        match self.find(to)? {
            Destination::Station(target) => Ok(target),
            Destination::Sink(_) => {
                let fault = format!(
                    "source '{}' leads to sink '{}', and sources lead to stations: name a station, and give it a route to the \
                     sink",
                    name.as_ref(),
                    to.as_ref()
                );
                Err(self.fault(to, fault))
            }
        }
    }

    /// A source with intervals of a law, with rates or with phases.
    fn arrivals(&self, entry: SourceEntry, to: StationId) -> Result<Source, FileError> {
        let SourceEntry { name, interval, rates, period, phases, trace, .. } = entry;
        let fault = |said: &str| Err(self.fault(&name, format!("source '{}' has {said}", name.as_ref())));
        let given = [
            ("`interval`", interval.is_some()),
            ("`rates`", rates.is_some()),
            ("`phases`", phases.is_some()),
            ("`trace`", trace.is_some()),
        ];
        let given: Vec<&str> = given.into_iter().filter(|(_, is_given)| *is_given).map(|(key, _)| key).collect();
        if let [first, second, ..] = given[..] {
            return fault(&format!("{first} and {second}: leave one of them out"));
        }
        if period.is_some() && rates.is_none() && !given.is_empty() {
            return fault("`period` and no `rates`");
        }
        match (interval, rates, phases, trace) {
            (Some(interval), ..) => Ok(Source::new(name.as_ref(), interval, to)),
            (_, Some(steps), ..) => {
                let mut rates = Rates::new(pairs(steps));
                rates.period = period;
                Ok(Source::by_rates(name.as_ref(), rates, to))
            }
            (.., Some(phases), _) => Ok(Source::by_phases(name.as_ref(), self.phases(phases)?, to)),
            (.., Some(trace)) => Ok(Source::by_trace(name.as_ref(), self.trace(trace)?, to)),
            _ => fault("no `interval`: give it one, or `rates`, `phases` or `trace`"),
        }
    }

    /// The trace of a table, whose rows stand in the text itself.
    fn trace(&self, table: Spanned<String>) -> Result<Trace, FileError> {
        if traces::is_file(table.as_ref()) {
            let fault = "`trace` names a table, and those are read where a command reads a network file: here write the table, \
                         a row a line";
            return Err(self.fault(&table, fault.into()));
        }
        let mut attributes: Vec<&str> = self.attributes.keys().map(|name| &**name).collect();
        attributes.sort_by_key(|name| self.attributes[*name]);
        let rows = traces::rows(table.as_ref(), &attributes);
        let rows = rows.map_err(|fault| self.fault(&table, format!("`trace`, {fault}")))?;
        let mut trace = Vec::with_capacity(rows.len());
        let mut columns = vec![Vec::with_capacity(rows.len()); attributes.len()];
        for traces::Row { time, class, tokens, values } in rows {
            columns.iter_mut().zip(values).for_each(|(column, value)| column.push(value));
            let class = class.map(|name| self.class(&Spanned::new(table.span(), name))).transpose()?;
            trace.push((time, class, tokens));
        }
        let given = attributes.into_iter().zip(columns).filter(|(_, column)| column.iter().any(Option::is_some));
        Ok(given.fold(Trace::new(trace), |trace, (name, column)| trace.values(self.attributes[name], column)))
    }

    fn phases(&self, entry: Spanned<PhasesEntry>) -> Result<Phases, FileError> {
        let at = entry.span();
        let PhasesEntry { d0, d1, generator, arrivals } = entry.into_inner();
        match (d0, d1, generator, arrivals) {
            (Some(d0), Some(d1), None, None) => Ok(Phases::map(d0, d1)),
            (None, None, Some(generator), Some(arrivals)) => Ok(Phases::mmpp(generator, &arrivals)),
            _ => Err(self
                .fault_at(at, "`phases` has `d0` and `d1`, or `generator` and `arrivals`: give it two of them".into())),
        }
    }
}
