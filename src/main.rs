//! The `tickless` command: results become exit codes here, everything else is in the crate `tickless-command`.

use tickless_command::{self as cli, Ending};

fn main() {
    cli::leave(cli::on_its_own_stack(run))
}

fn run() -> u8 {
    match cli::run(std::env::args_os()) {
        Ok(Ending::Done) => 0,
        Ok(Ending::Different) => 1,
        Ok(Ending::Usage) => cli::FAILED,
        Ok(Ending::Interrupted) => cli::INTERRUPTED,
        Err(error) => {
            cli::complain("error", &error);
            cli::FAILED
        }
    }
}
