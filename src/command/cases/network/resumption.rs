//! Replications of a network that leave checkpoints.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::arguments::NetworkArguments;
use super::pilot::Pilot;
use super::{NetworkCase, NetworkDetails};
use crate::CommandError;
use crate::checkpoint::Resumable;
use crate::rounds::OtherRounds;
use tickless_core::archive::{ArchiveError, Arrays};
use tickless_core::run::Appointments;
use tickless_core::time::Time;
use tickless_queueing::Checkpoint;

/// The counts of all parts of a run beside their events.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct NetworkCounts {
    completions: u64,
    appointments: Option<KeptAppointments>,
}

/// The statistics of appointments, over so many rounds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
struct KeptAppointments {
    rounds: u64,
    working: f64,
    /// In ticks.
    drift: u64,
}

impl NetworkCounts {
    fn add(&mut self, rounds: u64, part: &mut NetworkDetails) {
        let before = self.appointments.map(|KeptAppointments { rounds, working, drift }| {
            (
                NetworkDetails {
                    completions: 0,
                    appointments: Some(Appointments { working, drift: Time::from_ticks(drift) }),
                },
                rounds,
            )
        });
        let (mut all, rounds_before) = before.unwrap_or((NetworkDetails { completions: 0, appointments: None }, 0));
        all.completions = self.completions;
        all.add(rounds_before, part, rounds);
        *part = all;
        self.completions = all.completions;
        let kept = |Appointments { working, drift }| KeptAppointments {
            rounds: rounds_before + rounds,
            working,
            drift: drift.ticks(),
        };
        self.appointments = all.appointments.map(kept);
    }
}

impl<A: NetworkArguments> Resumable for NetworkCase<A> {
    type Counts = NetworkCounts;

    fn arrays(at: &Checkpoint) -> Result<Arrays, ArchiveError> {
        at.arrays()
    }

    fn checkpoint(&self, arrays: Arrays) -> Result<Checkpoint, ArchiveError> {
        let most = self.arguments.choices().replications.count() as usize;
        Checkpoint::from_arrays(&self.model, most, arrays)
    }

    fn run_otherwise(arguments: &mut A, others: &OtherRounds) -> Result<(), CommandError> {
        others.check(A::NAME, &["--max-tokens"])?;
        let choices = arguments.choices_mut();
        choices.max_tokens = others.max_tokens.or(choices.max_tokens);
        Ok(())
    }

    /// The check of a warm-up that was given is made by a pilot too, and a run that goes on makes none.
    fn lacks_pilot(&self) -> bool {
        self.pilot.interrupted
    }

    fn pilot_found(&self) -> Value {
        json!([self.pilot.report, self.pilot.asked])
    }

    fn set_pilot(&mut self, found: Value) -> Result<(), serde_json::Error> {
        let (report, asked) = serde_json::from_value(found)?;
        self.pilot = Pilot { report, asked, ..Pilot::default() };
        Ok(())
    }

    fn count(counts: &mut NetworkCounts, rounds: u64, part: &mut NetworkDetails) {
        counts.add(rounds, part);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::case::{Case, prepared};
    use crate::interrupt::Interrupt;
    use crate::progress::Watcher;

    /// A run that goes on makes no pilot: with a checkpoint of one that was cut short the check of the warm-up would be lost.
    #[test]
    fn a_pilot_that_was_cut_short_leaves_no_checkpoint() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("one.toml");
        let text = "until = 1000\n[[station]]\nname = 'a'\nservice = 'exponential:1'\ntokens = 5\n[[route]]\nfrom = 'a'\nto = 'a'\n";
        std::fs::write(&file, text).unwrap();
        for (interrupt, lacks) in [(Interrupt::default(), false), (Interrupt::that_came(), true)] {
            let mut case: super::super::FileCase = prepared(&format!("{} --replications 100", file.display()));
            case.pilot(&mut Watcher::pilot(&interrupt)).unwrap();
            assert_eq!((case.pilot.report.is_some(), case.lacks_pilot()), (true, lacks));
        }
    }

    /// A part on the heap makes no appointments, and those of earlier parts stay.
    #[test]
    fn parts_are_counted_together() {
        let of = |completions, appointments: Option<(f64, u64)>| NetworkDetails {
            completions,
            appointments: appointments.map(|(working, drift)| Appointments { working, drift: Time::from_ticks(drift) }),
        };
        let mut counts = NetworkCounts::default();
        let parts = [(0, of(5, None)), (100, of(7, Some((0.25, 9)))), (0, of(1, None)), (300, of(2, Some((0.5, 4))))];
        let alls = [of(5, None), of(12, Some((0.25, 9))), of(13, Some((0.25, 9))), of(15, Some((0.4375, 9)))];
        for ((rounds, part), expected) in parts.into_iter().zip(alls) {
            counts = serde_json::from_value(serde_json::json!(counts)).unwrap();
            let mut all = part;
            counts.add(rounds, &mut all);
            assert_eq!(all, expected);
        }
    }
}
