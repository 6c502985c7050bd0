//! Several runs on one device at the same time: alike programs run as one, a joint program, of which each run is a member.
//!
//! Small models leave most of a device idle, and a round costs the same beside its work for one run as for a hundred. Here each run has
//! a thread, and its own view of the device. One more thread, which [`together`] begins, has the device itself: it waits until every
//! member waits for an answer, and then serves all that ask for the same. No run sees the others: each has records of its own in every
//! buffer, and a member that did not ask for rounds has its gate closed while others have theirs.

mod member;
mod program;
mod second;
mod server;
mod sessions;

use std::sync::mpsc::{Sender, channel};
use std::sync::{PoisonError, RwLock};
use std::thread;

use super::{Device, DeviceError};
use member::Member;
#[doc(hidden)]
pub use second::Second;
use server::{Request, Server};

/// A device that several runs share.
pub struct Together<'d> {
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
    /// The error of `run`.
    pub fn run<T, E>(
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
///
/// ```no_run
/// use tickless::device::{joint::together, wgpu::{OpenOptions, Selection, WgpuDevice}, Target};
/// use tickless::{processes::{self, Phold, ProcessError}, run::unwatched};
/// let device = WgpuDevice::open(&Selection::Auto, OpenOptions::default())?;
/// let run = |seed, device: &dyn tickless::device::Device| {
///     let model = Phold::new(64).seed(seed).until(20.0).check().expect("a model");
///     Ok(processes::run(&model, Target::Device(device), Default::default(), &mut unwatched())?.events)
/// };
/// let events: Vec<Result<u64, ProcessError>> = together(&device, 2, |together| {
///     std::thread::scope(|scope| {
///         let one = |seed| scope.spawn(move || together.run(|device| run(seed, device), |_| None));
///         [1, 2].map(one).into_iter().map(|thread| thread.join().unwrap()).collect()
///     })
/// });
/// # Ok::<(), tickless::device::DeviceError>(())
/// ```
pub fn together<'d, R>(device: &'d dyn Device, members: usize, begin: impl FnOnce(&Together<'d>) -> R) -> R {
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
