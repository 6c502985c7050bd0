//! A loaded program that members share, or that one member has alone.

use std::collections::VecDeque;
use std::sync::Arc;

use super::program::Gates;
use super::server::{AllEnd, Answer, Ask, Part, Seat};
use crate::{Batch, Behind, BufferId, DeviceError, Session, SetUp};
use tickless_core::memory;

/// The most batches under way.
const UNDER_WAY: usize = 2;
/// The most bytes read for all members at a time; larger reads go member by member.
const MOST_READ: u64 = 256 << 20;

/// The work under way for a member.
#[derive(Default)]
struct Pending {
    /// Rounds that the member has asked for and that are not yet submitted, by batch.
    queued: VecDeque<u32>,
    /// Its finished batches.
    ended: VecDeque<Batch>,
    has_left: bool,
}

/// The session, and the work under way for its members.
pub(super) struct Shared {
    session: Box<dyn Session>,
    pending: Vec<Pending>,
    /// The size of each buffer for a member, in bytes.
    sizes: Vec<u64>,
    bytes: u64,
    status: Option<BufferId>,
    /// The gates of a joint program.
    gates: Option<Gates>,
    /// Which gates are open.
    open: Vec<bool>,
    /// The members of each batch under way.
    under_way: VecDeque<Vec<usize>>,
    is_warm: bool,
    /// An error that came while no member waited for it.
    failed: Option<DeviceError>,
}

impl Shared {
    /// A session of members, whose gates are open: with the bytes of each buffer for a member, and the bytes of all buffers for
    /// all members.
    pub(super) fn new(
        session: Box<dyn Session>,
        members: usize,
        (sizes, bytes): (Vec<u64>, u64),
        status: Option<BufferId>,
        gates: Option<Gates>,
    ) -> Self {
        let pending = (0..members).map(|_| Pending::default()).collect();
        let open = vec![true; members];
        let under_way = VecDeque::new();
        Self { session, pending, sizes, bytes, status, gates, open, under_way, is_warm: false, failed: None }
    }

    /// The size of the program in bytes.
    pub(super) fn bytes(&self) -> u64 {
        self.bytes
    }

    pub(super) fn submit(&mut self, member: usize, rounds: u32) {
        self.pending[member].queued.push_back(rounds);
    }

    pub(super) fn write(&mut self, member: usize, buffer: BufferId, offset: u64, bytes: &[u8]) {
        let offset = self.sizes[buffer.0] * member as u64 + offset;
        let ahead = self.send_all_of(member).and_then(|()| self.take_batches());
        let written = ahead.and_then(|()| self.session.write(buffer, offset, bytes));
        self.note(written);
    }

    /// A member leaves. Returns whether no member is left.
    pub(super) fn leave(&mut self, member: usize) -> bool {
        let pending = &mut self.pending[member];
        (pending.has_left, pending.queued) = (true, VecDeque::new());
        self.pending.iter().all(|pending| pending.has_left)
    }

    fn note(&mut self, done: Result<(), DeviceError>) {
        if let Err(error) = done {
            self.failed.get_or_insert(error);
        }
    }

    fn failure(&self) -> Result<(), DeviceError> {
        self.failed.clone().map_or(Ok(()), Err)
    }

    /// Opens the gates of the chosen members, and closes all others.
    fn open_for(&mut self, is_in: impl Fn(usize) -> bool) -> Result<(), DeviceError> {
        let Some(Gates { buffer, offset }) = self.gates else { return Ok(()) };
        let open: Vec<bool> = (0..self.pending.len()).map(is_in).collect();
        if open != self.open {
            let words: Vec<u32> = open.iter().map(|open| u32::from(*open)).collect();
            self.take_batches()?;
            self.session.write(buffer, offset, bytemuck::cast_slice(&words))?;
            self.open = open;
        }
        Ok(())
    }

    /// Submits the rounds that members have asked for, as far as batches may be under way.
    pub(super) fn send_queued(&mut self) {
        while self.under_way.len() < UNDER_WAY && self.failed.is_none() {
            let queued = self.pending.iter().map(|pending| pending.queued.front().copied());
            let queued: Vec<Option<u32>> = queued.collect();
            // A member may get more rounds than it has asked for. They go on as its next rounds would, or do nothing: behind the limit
            // of a run, after a fault, or where there is no room.
            let Some(rounds) = queued.iter().flatten().max().copied() else { return };
            self.pending.iter_mut().for_each(|pending| _ = pending.queued.pop_front());
            let sent = self.open_for(|member| queued[member].is_some()).and_then(|()| self.session.submit(rounds));
            self.note(sent);
            self.under_way.push_back((0..queued.len()).filter(|member| queued[*member].is_some()).collect());
        }
    }

    /// Answers questions of members, all of the same kind. Returns those that still wait.
    pub(super) fn answer(&mut self, asked: Vec<(Seat, Ask)>) -> Vec<(usize, Ask)> {
        let asked: Vec<(usize, Ask)> = asked.into_iter().map(|(seat, ask)| (seat.member, ask)).collect();
        match asked.first() {
            None => vec![],
            Some((_, Ask::Wait(_))) => self.end_batch(asked),
            Some((_, Ask::Behind(which, _))) => {
                let members: Vec<usize> = asked.iter().map(|(member, _)| *member).collect();
                let done = self.run_behind(*which, &members);
                tell(asked, |_, ask| {
                    if let Ask::Behind(_, answer) = ask {
                        _ = answer.send(done.clone())
                    }
                })
            }
            Some((_, Ask::WarmUp(..))) => {
                let interrupted = asked.iter().filter_map(|(_, ask)| match ask {
                    Ask::WarmUp(_, interrupted) => Some(interrupted.clone()),
                    _ => None,
                });
                let done = self.warm_up(AllEnd(interrupted.collect()));
                tell(asked, |_, ask| {
                    if let Ask::WarmUp(answer, _) = ask {
                        _ = answer.send(done.clone())
                    }
                })
            }
            Some((_, Ask::Timings(_))) => tell(asked, |member, ask| {
                // The times of all members together, given to the first.
                let times = if member == 0 { self.session.timings() } else { vec![] };
                if let Ask::Timings(answer) = ask {
                    let _ = answer.send(Ok(times));
                }
            }),
            Some((_, Ask::Read { .. })) => self.read_all(asked),
        }
    }

    /// Runs rounds that do nothing: all gates are closed.
    fn warm_up(&mut self, mut watch: AllEnd) -> Result<(), DeviceError> {
        if !self.is_warm {
            self.open_for(|_| false)?;
            self.session.warm_up(&mut SetUp::new(&mut watch))?;
            self.is_warm = true;
        }
        Ok(())
    }

    fn run_behind(&mut self, which: Behind, members: &[usize]) -> Result<(), DeviceError> {
        self.failure()?;
        let done = self.open_for(|member| members.contains(&member)).and_then(|()| self.session.run_behind(which));
        self.note(done.clone());
        done
    }

    /// Waits for the oldest batch if a member waits for it, and passes on the finished batches.
    fn end_batch(&mut self, asked: Vec<(usize, Ask)>) -> Vec<(usize, Ask)> {
        let is_needed = asked.iter().any(|(member, _)| self.pending[*member].ended.is_empty());
        if is_needed && let Err(error) = self.take_batch() {
            return tell(asked, |_, ask| {
                if let Ask::Wait(answer) = ask {
                    _ = answer.send(Err(error.clone()))
                }
            });
        }
        let mut left = vec![];
        for (member, ask) in asked {
            match (ask, self.pending[member].ended.pop_front()) {
                (Ask::Wait(answer), Some(batch)) => _ = answer.send(Ok(batch)),
                (ask, _) => left.push((member, ask)),
            }
        }
        left
    }

    fn take_batch(&mut self) -> Result<(), DeviceError> {
        self.failure()?;
        let none = || DeviceError::Lost { reason: "no batch is under way".into() };
        let members = self.under_way.pop_front().ok_or_else(none)?;
        let ended = self.session.wait();
        self.note(ended.as_ref().map(|_| ()).map_err(Clone::clone));
        let Batch { status, device } = ended?;
        let size = self.status.map_or(0, |id| self.sizes[id.0] as usize);
        for member in members {
            let status = status[member * size..][..size].to_vec();
            self.pending[member].ended.push_back(Batch { status, device });
        }
        Ok(())
    }

    /// Submits all rounds that a member has asked for: they come before its next write or read.
    fn send_all_of(&mut self, member: usize) -> Result<(), DeviceError> {
        while !self.pending[member].queued.is_empty() {
            self.failure()?;
            self.send_queued();
            if !self.pending[member].queued.is_empty() {
                self.take_batch()?;
            }
        }
        Ok(())
    }

    /// Waits for all batches under way, for as long as each may take: a write that did not wait for them might wait for ever.
    fn take_batches(&mut self) -> Result<(), DeviceError> {
        while !self.under_way.is_empty() {
            self.take_batch()?;
        }
        Ok(())
    }

    /// Reads each buffer a single time, from the first member that asks for it to the last.
    fn read_all(&mut self, mut asked: Vec<(usize, Ask)>) -> Vec<(usize, Ask)> {
        let sent = asked.iter().try_for_each(|(member, _)| self.send_all_of(*member));
        self.note(sent);
        while let Some((_, Ask::Read { buffer, .. })) = asked.first() {
            let wanted = *buffer;
            let of_this = |(_, ask): &mut (usize, Ask)| matches!(ask, Ask::Read { buffer, .. } if *buffer == wanted);
            let reads: Vec<Read> =
                asked.extract_if(.., of_this).filter_map(|(member, ask)| self.read_of(member, ask)).collect();
            self.read_buffer(wanted, reads);
        }
        vec![]
    }

    /// Where a member's part lies in the buffer of all members.
    fn read_of(&self, member: usize, ask: Ask) -> Option<Read> {
        let Ask::Read { buffer, offset, length, answer } = ask else { return None };
        Some(Read { begin: self.sizes[buffer.0] * member as u64 + offset, length, answer })
    }

    fn read_buffer(&mut self, buffer: BufferId, reads: Vec<Read>) {
        let begin = reads.iter().map(|read| read.begin).min().unwrap_or(0);
        let end = reads.iter().map(|read| read.begin + read.length as u64).max().unwrap_or(0);
        let wanted: u64 = reads.iter().map(|read| read.length as u64).sum();
        // Parts far from each other are read one by one.
        if reads.len() > 1 && (wanted < (end - begin) / 2 || end - begin > MOST_READ) {
            return reads.into_iter().for_each(|read| self.read_buffer(buffer, vec![read]));
        }
        let read = self.failure().and_then(|()| self.take_batches());
        let read = read.and_then(|()| self.read(buffer, begin, (end - begin) as usize)).map(Arc::new);
        for Read { begin: own, length, answer } in reads {
            let first = (own - begin) as usize;
            let part = read.clone().map(|all| Part { all, range: first..first + length });
            let _ = answer.send(part);
        }
    }

    fn read(&mut self, buffer: BufferId, begin: u64, length: usize) -> Result<Vec<u8>, DeviceError> {
        let mut bytes = memory::zeroed(length, "what is read back")?;
        self.session.read_into(buffer, begin, &mut bytes)?;
        Ok(bytes)
    }
}

/// A read of a member in a buffer of all members.
struct Read {
    begin: u64,
    length: usize,
    answer: Answer<Part>,
}

fn tell(asked: Vec<(usize, Ask)>, mut each: impl FnMut(usize, Ask)) -> Vec<(usize, Ask)> {
    asked.into_iter().for_each(|(member, ask)| each(member, ask));
    vec![]
}
