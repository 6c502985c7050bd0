//! A network before time 0, and its tokens and sources at time 0.

use std::collections::BTreeSet;

use super::approximate::Approximation;
use super::events::Events;
use super::fold::Folding;
use super::series::Recorder;
use super::sources::Source;
use super::station::{ClassAccounts, Station};
use super::touched::Stations;
use super::units::Units;
use super::{Oracle, Token};
use crate::model::{AttributeRules, MOST_ATTRIBUTES};
use crate::outcome::{ClassRecord, ForkRecord};
use crate::reference::Slab;
use crate::reference::border::{self, Border};
use crate::reference::histograms::Histograms;
use crate::{Folded, NetworkModel, SinkRecord};
use tickless_core::random::StreamKey;
use tickless_core::run::{Asking, Interrupted};
use tickless_core::statistics::FacilityRecord;
use tickless_core::time::Time;

impl<'a> Oracle<'a> {
    pub(in super::super) fn new(model: &'a NetworkModel, key: StreamKey, border: Option<Border<'a>>) -> Self {
        let rules = model.rules();
        let stream = |id| key.stream(border::number(border.as_ref(), id));
        let mut levels = rules.levels.clone();
        levels.sort_unstable();
        levels.dedup();
        let station = |id| Station::new((model, rules, id), stream(id), levels.len());
        let source = |id| Source::new(stream(model.stations() + id), model.inflow(id).start);
        let mut seizing = vec![vec![]; rules.resources.len()];
        for id in &rules.seizing {
            let needs = rules.stations[*id as usize].seizes.iter();
            needs.for_each(|need| seizing[need.resource as usize].push(*id));
        }
        let tokens = u64::from(model.tokens());
        Self {
            model,
            rules,
            stations: Stations::new((0..model.stations()).map(station).collect(), &rules.seizing),
            sources: (0..model.sources()).map(source).collect(),
            sinks: vec![SinkRecord::default(); (model.sinks() * rules.classes()) as usize],
            histograms: Histograms::new(model),
            series: Recorder::new(model),
            folding: Folding::new(model).map(Box::new),
            look: Time::ZERO,
            visits: None,
            units: Units::new(rules, model.warmup()),
            seizing,
            short: BTreeSet::new(),
            doubtful: BTreeSet::new(),
            holder_waits: true,
            siblings: Slab::new(),
            served: vec![],
            copies: vec![],
            forks: ForkRecord::default(),
            decided: None,
            fault: None,
            suspects: BTreeSet::new(),
            approximation: model.approximate().map(|interval| Approximation::new(interval, model)),
            abroad: border.as_ref().map_or(u32::MAX, Border::first),
            collects: model.approximate().is_some(),
            collected: vec![],
            completed_before: 0,
            has_resources: rules.has_resources(),
            has_kits: rules.has_kits(),
            has_forks: rules.has_forks(),
            notes: model.scale().is_some() || model.series_step().is_some(),
            times: model.records_times(),
            counts_classes: rules.counts_classes(),
            has_blocking: rules.stations.iter().any(|station| station.blocks),
            events: Events::new(model.until()),
            tokens: Slab::with_room(tokens as usize),
            in_transit: 0,
            transits_ended: 0,
            present: tokens,
            present_before: tokens,
            lost_before: 0,
            squares: 0,
            balked: (Time::ZERO, 0),
            border,
        }
    }

    /// Bytes at time 0, with those of the records and of what is noted over time.
    pub(in super::super) fn bytes(model: &NetworkModel) -> u64 {
        let station = (size_of::<Station>() + size_of::<FacilityRecord>()) as u64;
        let class = (size_of::<ClassAccounts>() + 2 * size_of::<ClassRecord>()) as u64;
        // Beside a token its place in a line, and its event.
        let token = size_of::<Token>() as u64 + 16 + 32;
        station * u64::from(model.stations())
            + class * u64::from(model.places())
            + token * u64::from(model.tokens())
            + size_of::<Source>() as u64 * u64::from(model.sources())
            + 8 * model.noted()
            + 32 * Folded::words(model)
    }

    /// Places the tokens, class by class from the first priority on, and starts the sources' first intervals.
    ///
    /// # Errors
    /// [`Interrupted`].
    pub(in super::super) fn begin(&mut self, asking: &mut Asking<'_>) -> Result<(), Interrupted> {
        let mut classes: Vec<u32> = (0..self.rules.classes()).collect();
        classes.sort_by_key(|class| self.rules.levels[*class as usize]);
        for id in 0..self.model.stations() {
            self.open(id);
            for &class in &classes {
                for _ in 0..self.rules.visit(id, class).tokens {
                    let token = self.tokens.put(Token::new(class, Time::NEVER, id));
                    if !self.rules.attributes.is_empty() {
                        let stream = &mut self.stations[id as usize].stream;
                        let known = [Time::NEVER; MOST_ATTRIBUTES];
                        self.tokens[token].values =
                            AttributeRules::values(&self.rules.attributes, class, known, stream);
                    }
                    self.numbers(class, Time::ZERO, 1);
                    if self.stations[id as usize].simple {
                        self.enters(token, Time::ZERO);
                    } else if !self.waits_for_kit(token, Time::ZERO) {
                        self.admit(token, Time::ZERO);
                    }
                    asking.made(1)?;
                }
            }
            self.filled(id, Time::ZERO);
            self.rest(id, Time::ZERO);
            asking.made(1)?;
        }
        self.grant_and_check(Time::ZERO);
        (0..self.model.sources()).for_each(|id| self.schedule_source(id));
        Ok(())
    }
}
