//! Queues of CD++'s library: arriving values wait; the first one goes out after a time of preparation, and stays the first
//! until it is done.

use std::collections::VecDeque;

use super::Fixed;
use super::cell_space::needed;
use super::coupling::Origin;
use super::error::{Fault, RuleError};
use super::inputs::moment;
use super::source::{Place, Sources};
use super::statements::{Section, Statement};

/// The most queues of a model.
pub(super) const MOST_QUEUES: usize = 100;

/// The keys of its section.
pub(super) const KEYS: [&str; 1] = ["preparation"];

/// A component of the type `queue`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Queue {
    /// Ticks from the time when a number becomes the first until it goes out.
    preparation: u64,
    /// The origins of the values at its ports, in the order of the links.
    pub inputs: Vec<(Origin, Entrance)>,
}

/// A port by which values come into a queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Entrance {
    /// Numbers that are to wait.
    In,
    /// The first value is done, whatever the number.
    Done,
}

impl Entrance {
    pub fn of(port: &str) -> Option<Self> {
        match port {
            "in" => Some(Self::In),
            "done" => Some(Self::Done),
            _ => None,
        }
    }
}

impl Queue {
    /// Reads the section of a queue.
    pub fn new(sources: &Sources, name: &str, section: Option<&Section>, place: Place) -> Result<Self, RuleError> {
        let Some(section) = section else {
            let known = format!("a section '[{name}]' says the preparation of the queue");
            let fault = Fault::Unknown { what: "the component".into(), name: name.into(), known };
            return Err(sources.fail(place, fault));
        };
        let statement: &Statement = needed(sources, section, "preparation", "preparation : 00:00:00:010")?;
        let words = statement.words();
        let Some(word) = words.first() else {
            let expected = "a time as in 00:00:00:010".into();
            return Err(sources.fail(statement.place, Fault::Syntax { found: "nothing".into(), expected }));
        };
        Ok(Self { preparation: moment(sources, word)?, inputs: vec![] })
    }

    /// The values that it sends, with their times, for the values that come: in the order of times, and at one time in the
    /// order of the links.
    pub fn sent(&self, coming: &[(u64, Entrance, Fixed)]) -> Vec<(u64, Fixed)> {
        let (mut waiting, mut due, mut sent) = (VecDeque::new(), None, vec![]);
        let mut send = |waiting: &VecDeque<Fixed>, due: &mut Option<u64>, now: u64| {
            let Some(time) = due.take_if(|due| *due <= now) else { return };
            sent.extend(waiting.front().map(|number| (time, *number)));
        };
        for of_time in coming.chunk_by(|a, b| a.0 == b.0) {
            let now = of_time[0].0;
            send(&waiting, &mut due, now);
            for (_, entrance, number) in of_time {
                let becomes_first = match entrance {
                    Entrance::In => {
                        waiting.push_back(*number);
                        waiting.len() == 1
                    }
                    Entrance::Done => {
                        waiting.pop_front();
                        !waiting.is_empty()
                    }
                };
                if becomes_first {
                    due = Some(now.saturating_add(self.preparation));
                }
            }
        }
        send(&waiting, &mut due, u64::MAX);
        sent
    }
}
