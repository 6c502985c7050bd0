//! Several runs on one device at the same time: alike programs run as one, a joint program, of which each run is a member.
//!
//! Small models leave most of a device idle, and a round costs the same beside its work for one run as for a hundred. Here each run has
//! a thread, and its own view of the device. One more thread, which `together` begins, has the device itself: it waits until every
//! member waits for an answer, and then serves all that ask for the same. No run sees the others: each has records of its own in every
//! buffer, and a member that did not ask for rounds has its gate closed while others have theirs.

mod member;
mod program;
mod second;
mod server;
mod sessions;

use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::sync::mpsc::{Sender, channel};
use std::sync::{PoisonError, RwLock};
use std::thread;

use super::{Device, DeviceError, Target};
use member::Member;
#[doc(hidden)]
pub use second::Second;
use server::{Request, Server};
use tickless_core::run::{Watch, replications};
use tickless_core::time::Time;

/// Runs that share nothing, numbered from 0 on, so many at a time: on the heap each on a core, on a device each with a thread and together
/// as joint programs. One that lacks the device's memory beside the others, as `device_error` tells, runs again when it is alone. What they
/// give is taken in this order, and `take` says whether to go on; the clock that the watch sees is the share of all work that is done,
/// times `until`.
///
/// # Errors
/// What `take` returns.
///
/// ```
/// use std::ops::ControlFlow;
/// use tickless::device::{Target, joint::runs};
/// use tickless::{processes::{self, Phold, ProcessError}, run::{Watch, unwatched}, time::Time};
/// let one = |seed: u32, target: Target<'_>, watch: &mut dyn Watch| {
///     let model = Phold::new(64).seed(seed.into()).until(20.0).check().expect("a model");
///     Ok(processes::run(&model, target, Default::default(), watch)?.events)
/// };
/// let mut events = vec![];
/// let take = |_: u32, run: Result<u64, ProcessError>| {
///     events.push(run?);
///     Ok(ControlFlow::Continue(()))
/// };
/// runs(Target::Heap, (10, 2), Time::UNIT, one, |_| None, take, &mut unwatched())?;
/// assert_eq!(events.len(), 10);
/// # Ok::<(), ProcessError>(())
/// ```
pub fn runs<T: Send, E: Send>(
    target: Target<'_>,
    (count, at_once): (u32, usize),
    until: Time,
    run: impl Fn(u32, Target<'_>, &mut dyn Watch) -> Result<T, E> + Sync,
    device_error: impl Fn(&E) -> Option<&DeviceError> + Sync,
    take: impl FnMut(u32, Result<T, E>) -> Result<ControlFlow<()>, E>,
    watch: &mut dyn Watch,
) -> Result<(), E> {
    match target {
        Target::Device(device) if at_once > 1 => together(device, count as usize, |together| {
            let run = |number: u32, watch: &mut dyn Watch| {
                together.run(|device| run(number, Target::Device(device), watch), &device_error)
            };
            replications(count, at_once, until, run, take, watch)
        }),
        target => {
            let each = if at_once > 1 { Target::HeapOn(NonZeroUsize::MIN) } else { target };
            replications(count, at_once, until, |number, watch: &mut dyn Watch| run(number, each, watch), take, watch)
        }
    }
}

/// A device that several runs share.
struct Together<'d> {
    device: &'d dyn Device,
    inbox: Sender<Request>,
    /// Whether a thread answers: where none has started, each run has the device by itself.
    serves: bool,
    /// A run that has to be alone waits here until the others have ended.
    alone: RwLock<()>,
}

impl Together<'_> {
    /// Lets this thread's run take part; where the device has too little memory for it, as `device_error` tells, it runs again alone. The
    /// others stand still while it does other work: it must not wait for one of them. The times that it measures are those of all runs at
    /// work with it.
    ///
    /// # Errors
    /// What `run` returns.
    fn run<T, E>(
        &self,
        mut run: impl FnMut(&dyn Device) -> Result<T, E>,
        device_error: impl Fn(&E) -> Option<&DeviceError>,
    ) -> Result<T, E> {
        if !self.serves {
            return run(self.device);
        }
        let beside = {
            let _beside = self.alone.read().unwrap_or_else(PoisonError::into_inner);
            run(&Member::new(self))
        };
        match beside {
            Err(error)
                if matches!(
                    device_error(&error),
                    Some(DeviceError::Limit { .. } | DeviceError::OutOfMemory { .. })
                ) =>
            {
                let _alone = self.alone.write().unwrap_or_else(PoisonError::into_inner);
                self.settle();
                run(self.device)
            }
            beside => beside,
        }
    }

    /// Waits until the memory of ended runs is given back.
    fn settle(&self) {
        let (sender, done) = channel();
        if self.inbox.send(Request::Settles(sender)).is_ok() {
            let _ = done.recv();
        }
    }
}

/// Lets about `members` runs share a device, each in a thread that `begin` has made for it. Where fewer come within a moment, those
/// begin.
fn together<'d, R>(device: &'d dyn Device, members: usize, begin: impl FnOnce(&Together<'d>) -> R) -> R {
    let (inbox, requests) = channel();
    thread::scope(|scope| {
        let serve = move || Server::new(device, members).serve(&requests);
        let serves = thread::Builder::new().spawn_scoped(scope, serve).is_ok();
        // The server ends when no one can ask it any more: when this value and all members are dropped.
        begin(&Together { device, inbox, serves, alone: RwLock::default() })
    })
}

#[cfg(test)]
mod tests;
