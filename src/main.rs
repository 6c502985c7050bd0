//! The `tickless` command: results become exit codes here, everything else is in [`tickless::cli`].

use std::process::ExitCode;

use tickless::cli::{self, Ending};

fn main() -> ExitCode {
    match cli::run(std::env::args_os()) {
        Ok(Ending::Done) => ExitCode::SUCCESS,
        Ok(Ending::Different) => ExitCode::from(1),
        Ok(Ending::Usage) => ExitCode::from(cli::FAILED),
        Ok(Ending::Interrupted) => ExitCode::from(cli::INTERRUPTED),
        Err(error) => {
            cli::complain("error", &error);
            ExitCode::from(cli::FAILED)
        }
    }
}
