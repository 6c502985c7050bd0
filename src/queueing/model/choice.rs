//! Sources that choose among several stations.

use super::{NetworkModel, Rules};
use crate::describe::Routing;
use std::ops::Range;

/// Where a source sends its tokens: one edge for each of `count` stations, in a row for each class, the rows one behind the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SourceChoice {
    pub(crate) routing: Routing,
    pub(crate) first: u32,
    pub(crate) count: u32,
}

impl SourceChoice {
    /// The edges of a class.
    pub(crate) fn edges(self, class: u32) -> Range<u32> {
        let first = self.first + class * self.count;
        first..first + self.count
    }

    /// The share of each station, where it is known before a run.
    pub(crate) fn share(self) -> Option<f64> {
        matches!(self.routing, Routing::Random | Routing::RoundRobin).then(|| f64::from(self.count).recip())
    }
}

impl Rules {
    /// The stations that a source sends tokens to; `target` is the station of a source that does not choose.
    pub(crate) fn sent_to(&self, source: usize, target: u32) -> Vec<u32> {
        match self.sources[source].choice {
            None => vec![target],
            Some(choice) => choice.edges(0).map(|edge| self.edges[edge as usize].target).collect(),
        }
    }
}

impl NetworkModel {
    /// The stations that a source sends tokens to.
    pub(crate) fn sent_to(&self, source: u32) -> Vec<u32> {
        self.rules.sent_to(source as usize, self.inflow(source).target)
    }
}
