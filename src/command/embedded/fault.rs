//! Kinds of errors.

use std::fs::File;
use std::io;

use tickless_cdpp::RuleError;
use tickless_error::RunError;
use tickless_fire::FireError;

use crate::CommandError;

/// What kind of an error it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// An option or its value.
    Usage,
    /// A file that the system does not read or write.
    File(io::ErrorKind),
    /// The model, which has not run.
    Model,
    /// The device.
    Device,
    /// The run, which has ended without a result.
    Run,
}

impl Fault {
    /// The kind of an error.
    pub fn of(error: &CommandError) -> Self {
        match error {
            _ if error.device().is_some() => Self::Device,
            CommandError::Usage { .. } | CommandError::Form { .. } | CommandError::Dash { .. } => Self::Usage,
            CommandError::UnreadableFile { source, .. }
            | CommandError::InputFile { source, .. }
            | CommandError::Records { source, .. } => Self::File(source.kind()),
            CommandError::Run(error) => match &**error {
                RunError::Rules(RuleError::Read { error, .. }) => Self::File(error.kind()),
                // It may say what is wrong in the file, too.
                RunError::Fire(FireError::Read { file, .. }) => {
                    File::open(file).map_or_else(|error| Self::File(error.kind()), |_| Self::Model)
                }
                RunError::Network(_)
                | RunError::Phold(_)
                | RunError::Watershed(_)
                | RunError::Rules(_)
                | RunError::Fire(_)
                | RunError::Map(_)
                | RunError::Search(_)
                | RunError::Input(_) => Self::Model,
                _ => Self::Run,
            },
            CommandError::Network { .. }
            | CommandError::NetworkText { .. }
            | CommandError::Memory { .. }
            | CommandError::InputChanged { .. } => Self::Model,
            _ => Self::Run,
        }
    }
}
