//! A run that shares a device with others, as that run sees it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::time::Duration;

use super::Together;
use super::server::{Answer, Ask, Change, Interrupted, Part, Question, Request, Seat};
use crate::set_up::EVERY;
use crate::{AdapterDescription, AdapterKind, Batch, Behind, BufferId, Device, DeviceError, Program, Session, SetUp};
use tickless_core::run::KernelTime;

/// The device of one of several runs that share it. It counts as a member until it is dropped: a member that asks for nothing holds up
/// the others.
pub(super) struct Member {
    adapter: AdapterDescription,
    line: Line,
    times_kernels: bool,
}

impl Member {
    pub(super) fn new(together: &Together<'_>) -> Self {
        let Together { device, inbox, .. } = together;
        // Where the server has ended, the next question reports it.
        let _ = inbox.send(Request::Comes);
        let line = Line(inbox.clone());
        Self { adapter: device.adapter().clone(), line, times_kernels: device.times_kernels() }
    }
}

impl Drop for Member {
    fn drop(&mut self) {
        let _ = self.line.send(Request::Goes);
    }
}

impl Device for Member {
    fn adapter(&self) -> &AdapterDescription {
        &self.adapter
    }

    fn load(&self, program: Program, set_up: &mut SetUp<'_>) -> Result<Box<dyn Session>, DeviceError> {
        program.check(&self.adapter)?;
        let sizes = program.buffers.iter().map(|buffer| buffer.size).collect();
        let seat = self
            .line
            .ask_in_set_up(|answer, interrupted| Question::Load(Box::new(program), answer, interrupted), set_up)?;
        let (line, times_kernels) = (self.line.clone(), self.times_kernels);
        let is_software = self.adapter.kind == AdapterKind::Software;
        Ok(Box::new(MemberSession { line, seat, sizes, is_software, times_kernels }))
    }

    fn times_kernels(&self) -> bool {
        self.times_kernels
    }
}

/// The channel to the thread that has the device.
#[derive(Clone)]
struct Line(Sender<Request>);

impl Line {
    fn send(&self, request: Request) -> Result<(), DeviceError> {
        self.0.send(request).map_err(|_| gone())
    }

    fn ask<T>(&self, question: impl FnOnce(Answer<T>) -> Question) -> Result<T, DeviceError> {
        let (sender, answer) = channel();
        self.send(Request::Asks(question(sender)))?;
        answer.recv().unwrap_or_else(|_| Err(gone()))
    }

    /// The same for a question that may take long before the first event. It ends early when all members that wait for
    /// it are to end.
    fn ask_in_set_up<T>(
        &self,
        question: impl FnOnce(Answer<T>, Interrupted) -> Question,
        set_up: &mut SetUp<'_>,
    ) -> Result<T, DeviceError> {
        let (sender, answer) = channel();
        let interrupted = Arc::new(AtomicBool::new(false));
        self.send(Request::Asks(question(sender, interrupted.clone())))?;
        loop {
            match answer.recv_timeout(EVERY) {
                Ok(answer) => return answer,
                Err(RecvTimeoutError::Disconnected) => return Err(gone()),
                Err(RecvTimeoutError::Timeout) => {
                    if set_up.look(Duration::MAX, "").is_err() {
                        interrupted.store(true, Ordering::Relaxed);
                    }
                }
            }
        }
    }
}

fn gone() -> DeviceError {
    DeviceError::Lost { reason: "the thread that has the device has ended".into() }
}

/// A member's part of a program.
struct MemberSession {
    line: Line,
    seat: Seat,
    /// The size of each buffer in bytes.
    sizes: Vec<u64>,
    is_software: bool,
    times_kernels: bool,
}

impl MemberSession {
    fn ask<T>(&self, ask: impl FnOnce(Answer<T>) -> Ask) -> Result<T, DeviceError> {
        self.line.ask(|answer| Question::Of(self.seat, ask(answer)))
    }

    /// Memory behind the end of a buffer is another member's.
    fn check(&self, BufferId(buffer): BufferId, offset: u64, length: usize) -> Result<(), DeviceError> {
        if offset.checked_add(length as u64).is_none_or(|end| end > self.sizes[buffer]) {
            return Err(DeviceError::Lost { reason: format!("bytes {offset} and on lie outside of the buffer") });
        }
        Ok(())
    }

    fn change(&self, change: Change) -> Result<(), DeviceError> {
        self.line.send(Request::Changes(self.seat, change))
    }
}

impl Drop for MemberSession {
    fn drop(&mut self) {
        let _ = self.change(Change::Unload);
    }
}

impl Session for MemberSession {
    fn warm_up(&mut self, set_up: &mut SetUp<'_>) -> Result<(), DeviceError> {
        if !self.is_software {
            return Ok(());
        }
        self.line.ask_in_set_up(|answer, interrupted| Question::Of(self.seat, Ask::WarmUp(answer, interrupted)), set_up)
    }

    fn submit(&mut self, rounds: u32) -> Result<(), DeviceError> {
        self.change(Change::Submit(rounds))
    }

    fn wait(&mut self) -> Result<Batch, DeviceError> {
        self.ask(Ask::Wait)
    }

    fn run_behind(&mut self, which: Behind) -> Result<(), DeviceError> {
        self.ask(|answer| Ask::Behind(which, answer))
    }

    fn write(&mut self, buffer: BufferId, offset: u64, bytes: &[u8]) -> Result<(), DeviceError> {
        self.check(buffer, offset, bytes.len())?;
        self.change(Change::Write(buffer, offset, bytes.to_vec()))
    }

    fn clear(&mut self, buffer: BufferId) -> Result<(), DeviceError> {
        self.change(Change::Write(buffer, 0, vec![0; self.size(buffer) as usize]))
    }

    fn size(&self, buffer: BufferId) -> u64 {
        self.sizes[buffer.0]
    }

    fn read_into(&mut self, buffer: BufferId, offset: u64, to: &mut [u8]) -> Result<(), DeviceError> {
        let length = to.len();
        self.check(buffer, offset, length)?;
        let Part { all, range } = self.ask(|answer| Ask::Read { buffer, offset, length, answer })?;
        to.copy_from_slice(&all[range]);
        Ok(())
    }

    fn timings(&self) -> Vec<KernelTime> {
        if self.times_kernels { self.ask(Ask::Timings).unwrap_or_default() } else { vec![] }
    }
}
