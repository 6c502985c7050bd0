//! What a run leaves of each class.

use crate::{QueueingError, SinkRecord};
use tickless_core::statistics::FacilityRecord;
use tickless_core::time::Time;

/// What one class of tokens did at one station between the end of the warm-up and the end of the run.
///
/// ```
/// # use tickless_queueing::facade as tickless;
/// assert_eq!(tickless::queueing::ClassRecord::default().reneged, 0);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ClassRecord {
    /// As of a station. An interrupted service has waited again when it goes on, and its waiting time has both.
    pub record: FacilityRecord,
    /// Tokens that saw how many were present and did not join them.
    pub balked: u64,
    /// Tokens that lost their patience before a service began.
    pub reneged: u64,
    /// What those had waited, in ticks.
    pub patience: u64,
    /// Services that were interrupted.
    pub preemptions: u64,
    /// How long servers held tokens that had been served and found no room elsewhere, in ticks; that is no busy time.
    pub blocked: u64,
}

impl ClassRecord {
    /// Its values with their names, in the order of the digest.
    pub(crate) fn values(&self) -> [(&'static str, u64); 16] {
        let Self { record: r, balked, reneged, patience, preemptions, blocked } = *self;
        [
            ("arrivals", r.arrivals),
            ("starts", r.starts),
            ("completions", r.completions),
            ("losses", r.losses),
            ("busy", r.busy),
            ("waiting", r.waiting),
            ("service", r.service),
            ("presence", r.presence),
            ("in_service", r.in_service.ticks()),
            ("serving", r.serving),
            ("queued", r.queued),
            ("balked", balked),
            ("reneged", reneged),
            ("patience", patience),
            ("preemptions", preemptions),
            ("blocked", blocked),
        ]
    }
}

/// What became of tokens that split ([`Routing::Fork`](crate::Routing::Fork)) after the warm-up.
///
/// ```
/// # use tickless_queueing::facade as tickless;
/// assert_eq!(tickless::queueing::ForkRecord::default().copies, 0);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ForkRecord {
    /// Tokens that came into the network as copies.
    pub copies: u64,
    /// Tokens that are no more since they were joined with a sibling.
    pub joined: u64,
}

/// What each class left at each sink, sink by sink.
pub(crate) type ClassSinks = Vec<SinkRecord>;

/// What the classes of a station did together.
pub(crate) fn together(station: u32, classes: &[ClassRecord]) -> Result<FacilityRecord, QueueingError> {
    let mut all = FacilityRecord { in_service: Time::NEVER, ..FacilityRecord::default() };
    for ClassRecord { record, .. } in classes {
        let sums = [
            (&mut all.busy, record.busy, "busy time"),
            (&mut all.waiting, record.waiting, "sum of waiting times"),
            (&mut all.service, record.service, "sum of service times"),
            (&mut all.presence, record.presence, "time integral of the number present"),
        ];
        for (sum, more, name) in sums {
            *sum = sum.checked_add(more).ok_or(QueueingError::Overflow { sum: name, facility: station })?;
        }
        all.arrivals += record.arrivals;
        all.starts += record.starts;
        all.completions += record.completions;
        all.losses += record.losses;
        all.serving += record.serving;
        all.queued += record.queued;
        all.in_service = all.in_service.min(record.in_service);
    }
    Ok(all)
}
