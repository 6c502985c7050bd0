//! What goes with servers on standby.

use super::rules::parameter;
use crate::describe::{Discipline, Further, Network, Standby, Station};
use crate::error::NetworkError;
use crate::model::Rules;

/// Whether the servers on standby of a station have numbers that go together, and go with the station.
///
/// # Errors
/// The number that is wrong, or what they do not go with.
pub(super) fn check(station: &Station, further: &Further) -> Result<(), NetworkError> {
    let fail = |what, value: String, allowed: &str| Err(parameter(&station.name, what, value, allowed));
    let Some(Standby { servers, comes_at, goes_at }) = further.standby else {
        let Some(law) = &further.standby_start else { return Ok(()) };
        return fail("the law of the start of servers on standby", law.to_string(), "left out, as none are on standby");
    };
    if servers == 0 || servers > station.servers {
        let allowed = format!("from 1 to {}, the servers of the station", station.servers);
        return fail("the number of servers on standby", servers.to_string(), &allowed);
    }
    if comes_at == 0 {
        return fail("the number waiting at which servers on standby come", "0".into(), "1 or more");
    }
    if goes_at >= comes_at {
        let allowed = format!("fewer than those at which they come ({comes_at})");
        return fail("the number waiting at which servers on standby go", goes_at.to_string(), &allowed);
    }
    let room = station.capacity.map_or(u32::MAX, |capacity| capacity.saturating_sub(station.servers - servers));
    if comes_at > room {
        let allowed = format!("{room} or less, as no more wait there before they come");
        return fail("the number waiting at which servers on standby come", comes_at.to_string(), &allowed);
    }
    let others = [
        ("the number of servers", "infinite", further.infinite),
        ("preemptive", "true", further.preemptive || further.discipline.is_preemptive()),
        ("the discipline", "ps", further.discipline == Discipline::Sharing),
        ("the shifts of the station", "given", further.shifts.is_some()),
        ("the law of failures", "given", further.failures.is_some()),
        ("the law of set-up times", "given", further.setup.is_some()),
        ("the law of vacations", "given", further.vacation.is_some()),
        ("groups of servers", "given", !further.groups.is_empty()),
        ("the list of speeds", "given", !further.speeds.is_empty()),
        ("what the station seizes", "given", further.taken().next().is_some()),
        ("what becomes of those that find it full", "not lost", further.blocks),
        ("whether it joins", "true", further.joins),
        ("the kit", "given", !further.kit.is_empty()),
    ];
    let Some((what, value, _)) = others.into_iter().find(|(.., is_there)| *is_there) else { return Ok(()) };
    fail(what, value.into(), "left out, as servers of the station are on standby")
}

impl Rules {
    /// Whether tokens of a station with servers on standby always leave it when they are served.
    ///
    /// # Errors
    /// [`NetworkError::Parameter`] with the station.
    pub(super) fn check_standby(&self, network: &Network) -> Result<(), NetworkError> {
        let kept = (0..).zip(&self.stations).filter(|(_, station)| station.standby.is_some());
        let kept = kept.map(|(id, _)| id).find(|id| self.tokens_are_kept(network, *id));
        let Some(id) = kept else { return Ok(()) };
        let allowed = "left out, as tokens there may find no room behind it";
        Err(parameter(&network.stations[id as usize].name, "the servers on standby", "given", allowed))
    }
}
