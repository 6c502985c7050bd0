//! Options of rounds on a device that more than one model has.

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::CommandError;
use crate::pending::PendingSet;

/// A set of pending events by its name, `null` where none was asked.
pub fn name_of_set<S: Serializer>(set: &Option<PendingSet>, serializer: S) -> Result<S::Ok, S::Error> {
    set.map(PendingSet::name).serialize(serializer)
}

/// The same, read.
pub fn set_of_name<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<PendingSet>, D::Error> {
    let name = Option::<String>::deserialize(deserializer)?;
    name.map(|name| name.parse().map_err(D::Error::custom)).transpose()
}

/// Refuses options of rounds on the heap, which has none.
///
/// # Errors
/// [`CommandError::Usage`] with the first that was given.
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
