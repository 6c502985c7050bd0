//! `mpirun -n 4 tickless-mpi phold ...`: one run of tickless over ranks of MPI. Every rank is given the same arguments, those of
//! `tickless`; rank 0 prints and writes. docs/ranks.md says what goes over ranks.

mod transport;

use std::time::Duration;

use mpi::Threading;
use mpi::traits::Communicator as _;
use tickless::cli::{self, Ending};
use tickless::ranks::{Transport as _, TransportError};
use transport::MpiTransport;

/// How long a rank waits for another one, where `TICKLESS_RANK_LIMIT` says nothing else, in seconds.
const LIMIT: f64 = 600.0;

fn main() {
    cli::leave(cli::on_its_own_stack(rank))
}

/// A rank, whose thread alone speaks to MPI.
fn rank() -> u8 {
    // Other threads of the process, as the one that hears Ctrl-C, have nothing to do with MPI.
    let Some((universe, _)) = mpi::initialize_with_threading(Threading::Funneled) else {
        cli::complain("error", &"MPI is there already: start one program with mpirun");
        return cli::FAILED;
    };
    let world = universe.world();
    let rank = world.rank();
    let code = match limit() {
        Ok(limit) => run(&mut MpiTransport::new(&world, limit)),
        Err(message) => {
            if rank == 0 {
                cli::complain("error", &message);
            }
            cli::FAILED
        }
    };
    // All ranks come here, the first with everything printed: who ends with an error would have MPI end the others.
    drop(universe);
    code
}

/// How long a rank waits for another one.
fn limit() -> Result<Duration, String> {
    let Some(text) = std::env::var_os("TICKLESS_RANK_LIMIT") else { return Ok(Duration::from_secs_f64(LIMIT)) };
    let seconds = text.to_str().and_then(|text| text.parse().ok()).filter(|seconds| (0.1..=1e6).contains(seconds));
    let seconds = seconds.ok_or_else(|| {
        format!("TICKLESS_RANK_LIMIT is {}; it takes a number of seconds from 0.1 to 1000000", text.display())
    })?;
    Ok(Duration::from_secs_f64(seconds))
}

fn run(transport: &mut MpiTransport<'_>) -> u8 {
    match cli::run_over(std::env::args_os(), transport) {
        Ok(Ending::Done) => 0,
        Ok(Ending::Different) => 1,
        Ok(Ending::Usage) => cli::FAILED,
        Ok(Ending::Interrupted) => cli::INTERRUPTED,
        Err(error) => {
            let rank = transport.rank();
            match error.ranks() {
                // That rank says it.
                Some(TransportError::Failed { .. }) if rank > 0 => {}
                _ if rank > 0 => cli::complain("error", &format!("rank {rank}: {error}")),
                _ => cli::complain("error", &error),
            }
            cli::FAILED
        }
    }
}
