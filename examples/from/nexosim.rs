//! Two multipliers in a row that take a second each, as a bench of NeXosim begins with: docs/from/nexosim.md.
//!
//! Shows logical processes without kernels, on the heap simulator alone. Asserts what comes out of them, and when.

use tickless::device::Target;
use tickless::processes::{self, Message, Outbox, ProcessError, ProcessModel};
use tickless::random::{Stream, StreamKey};
use tickless::run::unwatched;
use tickless::time::Time;

/// Processes 0 and 1 double what comes; process 2 takes what comes out.
struct Bench {
    input: u32,
}

const LAST: u32 = 2;

impl ProcessModel for Bench {
    /// What came last, and at which second.
    type State = [u32; 2];
    type Payload = [u32; 1];

    fn processes(&self) -> u32 {
        LAST + 1
    }

    fn lookahead(&self) -> Time {
        Time::UNIT
    }

    fn until(&self) -> Time {
        Time::from_ticks(10 << 32)
    }

    fn key(&self) -> StreamKey {
        StreamKey::new(1, 0)
    }

    fn initialize(&self, id: u32, _: &mut Stream, first: &mut Vec<(Time, [u32; 1])>) -> Result<[u32; 2], ProcessError> {
        if id == 0 {
            first.push((Time::ZERO, [self.input]));
        }
        Ok([0, 0])
    }

    fn execute(
        &self,
        message: &Message<[u32; 1]>,
        state: &mut [u32; 2],
        _: &mut Stream,
        outbox: &mut impl Outbox<[u32; 1]>,
    ) -> Result<(), ProcessError> {
        let [value] = message.payload;
        *state = [value, (message.time.ticks() >> 32) as u32];
        if message.destination < LAST {
            outbox.send(message.destination + 1, Time::UNIT, [2 * value])?;
        }
        Ok(())
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let run = processes::run(&Bench { input: 21 }, Target::Heap, Default::default(), &mut unwatched())?;
    for (process, state) in run.outcome.state.chunks(2).enumerate() {
        println!("process {process} got {} at {} s", state[0], state[1]);
    }
    println!("digest {}", run.outcome.digest());
    assert_eq!(run.outcome.state, [21, 0, 42, 1, 84, 2]);
    Ok(())
}
