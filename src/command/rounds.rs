//! Options of rounds on a device that more than one model has.

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use clap::Args;

use super::CommandError;
use super::arguments::{whole, within};
use tickless_engine::pending::PendingSet;

/// A pending event set by its name, `null` without a choice.
pub fn name_of_set<S: Serializer>(set: &Option<PendingSet>, serializer: S) -> Result<S::Ok, S::Error> {
    set.map(PendingSet::name).serialize(serializer)
}

/// The same, read.
pub fn set_of_name<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<PendingSet>, D::Error> {
    let name = Option::<String>::deserialize(deserializer)?;
    name.map(|name| name.parse().map_err(D::Error::custom)).transpose()
}

/// Refuses options of rounds on the heap, which has no rounds.
///
/// # Errors
/// [`CommandError::Usage`] with the first given option.
pub fn check_unused(given: &[(&'static str, bool)]) -> Result<(), CommandError> {
    match given.iter().find(|(_, given)| *given) {
        None => Ok(()),
        Some((option, _)) => Err(CommandError::Usage {
            message: format!(
                "{option} is for rounds on a device, and this run would be on the heap: leave it out, or name a device with \
                 --backend wgpu or --backend cuda"
            ),
        }),
    }
}

/// How a device runs what is left of a run; none of it changes a result.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Rounds on a device")]
pub struct OtherRounds {
    /// Of phold: how the pending events of a process are kept [default: as the run was given]
    #[arg(long, value_name = "NAME")]
    pub pending: Option<PendingSet>,
    /// Of phold: the most pending events of a process [default: as the run was given]
    #[arg(long, value_name = "E", value_parser = whole::<u32>)]
    pub max_pending: Option<u32>,
    /// Of torus and network: the most places for tokens in the device's memory [default: as the run was given]
    #[arg(long, value_name = "N", value_parser = within(1..=u64::MAX))]
    pub max_tokens: Option<u64>,
}

impl OtherRounds {
    /// Refuses options that the model does not have.
    ///
    /// # Errors
    /// [`CommandError::Usage`] with the first option that is not in `own`.
    pub fn check(&self, model: &str, own: &[&str]) -> Result<(), CommandError> {
        let given = [
            ("--pending", self.pending.is_some()),
            ("--max-pending", self.max_pending.is_some()),
            ("--max-tokens", self.max_tokens.is_some()),
        ];
        match given.iter().find(|(option, given)| *given && !own.contains(option)) {
            None => Ok(()),
            Some((option, _)) => {
                let message = format!("{option} is not for the model {model}, which the checkpoint has: leave it out");
                Err(CommandError::Usage { message })
            }
        }
    }
}
