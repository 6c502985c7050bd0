//! A loaded program that members share, or that one has alone.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::AtomicUsize;

use super::server::{AllEnd, Answer, Ask, Part, Seat};
use crate::device::{Batch, Behind, BufferId, DeviceError, Session, SetUp};
use crate::memory;

/// Batches that may be under way.
const UNDER_WAY: usize = 2;

/// What a member has in the session.
#[derive(Default)]
struct Place {
    /// Rounds that it has asked for and that are not yet submitted, by batch.
    queued: VecDeque<u32>,
    /// What has come of its batches.
    ended: VecDeque<Batch>,
    has_left: bool,
}

/// The session, and its members' places in it.
pub(super) struct Shared {
    session: Box<dyn Session>,
    places: Vec<Place>,
    /// Bytes that each buffer has for a member.
    sizes: Vec<u64>,
    bytes: u64,
    status: Option<BufferId>,
    /// Where the gates are, of a joint program.
    gates: Option<(BufferId, u64)>,
    open: Vec<bool>,
    /// The members of each batch under way.
    under_way: VecDeque<Vec<usize>>,
    is_warm: bool,
    /// What went wrong where nobody waited for it.
    failed: Option<DeviceError>,
}

impl Shared {
    /// A session of so many members, whose gates are open.
    pub(super) fn new(
        session: Box<dyn Session>,
        members: usize,
        sizes: Vec<u64>,
        bytes: u64,
        status: Option<BufferId>,
        gates: Option<(BufferId, u64)>,
    ) -> Self {
        let places = (0..members).map(|_| Place::default()).collect();
        let open = vec![true; members];
        let under_way = VecDeque::new();
        Self { session, places, sizes, bytes, status, gates, open, under_way, is_warm: false, failed: None }
    }

    /// Bytes of the program.
    pub(super) fn bytes(&self) -> u64 {
        self.bytes
    }

    pub(super) fn submit(&mut self, member: usize, rounds: u32) {
        self.places[member].queued.push_back(rounds);
    }

    pub(super) fn write(&mut self, member: usize, buffer: BufferId, offset: u64, bytes: &[u8]) {
        let offset = self.sizes[buffer.0] * member as u64 + offset;
        let written = self.session.write(buffer, offset, bytes);
        self.note(written);
    }

    /// A member needs it no more. Returns whether none does.
    pub(super) fn leave(&mut self, member: usize) -> bool {
        let place = &mut self.places[member];
        (place.has_left, place.queued) = (true, VecDeque::new());
        self.places.iter().all(|place| place.has_left)
    }

    fn note(&mut self, done: Result<(), DeviceError>) {
        if let Err(error) = done {
            self.failed.get_or_insert(error);
        }
    }

    fn failure(&self) -> Result<(), DeviceError> {
        self.failed.clone().map_or(Ok(()), Err)
    }

    /// Opens the gates of these members, and closes all others.
    fn open_for(&mut self, is_in: impl Fn(usize) -> bool) -> Result<(), DeviceError> {
        let Some((buffer, offset)) = self.gates else { return Ok(()) };
        let open: Vec<bool> = (0..self.places.len()).map(is_in).collect();
        if open != self.open {
            let words: Vec<u32> = open.iter().map(|open| u32::from(*open)).collect();
            self.session.write(buffer, offset, bytemuck::cast_slice(&words))?;
            self.open = open;
        }
        Ok(())
    }

    /// Submits what members have asked for, as far as batches may be under way.
    pub(super) fn send_queued(&mut self) {
        while self.under_way.len() < UNDER_WAY && self.failed.is_none() {
            let queued = self.places.iter().map(|place| place.queued.front().copied());
            let queued: Vec<Option<u32>> = queued.collect();
            // Rounds behind those that a member has asked for go on, or find nothing to do.
            let Some(rounds) = queued.iter().flatten().max().copied() else { return };
            self.places.iter_mut().for_each(|place| _ = place.queued.pop_front());
            let sent = self.open_for(|member| queued[member].is_some()).and_then(|()| self.session.submit(rounds));
            self.note(sent);
            self.under_way.push_back((0..queued.len()).filter(|member| queued[*member].is_some()).collect());
        }
    }

    /// Answers what members have asked, all of the same kind. Returns what goes on to wait.
    pub(super) fn answer(&mut self, asked: Vec<(Seat, Ask)>, ending: &AtomicUsize) -> Vec<(usize, Ask)> {
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
            Some((_, Ask::WarmUp(_))) => {
                let done = self.warm_up(AllEnd { ending, waiting: asked.len() });
                tell(asked, |_, ask| {
                    if let Ask::WarmUp(answer) = ask {
                        _ = answer.send(done.clone())
                    }
                })
            }
            Some((_, Ask::Timings(_))) => tell(asked, |member, ask| {
                // They are those of all members.
                let times = if member == 0 { self.session.timings() } else { vec![] };
                if let Ask::Timings(answer) = ask {
                    let _ = answer.send(Ok(times));
                }
            }),
            Some((_, Ask::Read { .. })) => self.read_all(asked),
        }
    }

    /// Rounds that do nothing: all gates are closed.
    fn warm_up(&mut self, mut watch: AllEnd<'_>) -> Result<(), DeviceError> {
        if !self.is_warm {
            self.open_for(|_| false)?;
            self.session.warm_up(&mut SetUp::new(&mut watch))?;
            self.is_warm = true;
        }
        Ok(())
    }

    fn run_behind(&mut self, which: Behind, members: &[usize]) -> Result<(), DeviceError> {
        self.failure()?;
        self.open_for(|member| members.contains(&member))?;
        self.session.run_behind(which)
    }

    /// Waits for the oldest batch where somebody waits for it, and hands out what has come.
    fn end_batch(&mut self, asked: Vec<(usize, Ask)>) -> Vec<(usize, Ask)> {
        let is_needed = asked.iter().any(|(member, _)| self.places[*member].ended.is_empty());
        if is_needed && let Err(error) = self.take_batch() {
            return tell(asked, |_, ask| {
                if let Ask::Wait(answer) = ask {
                    _ = answer.send(Err(error.clone()))
                }
            });
        }
        let mut left = vec![];
        for (member, ask) in asked {
            match (ask, self.places[member].ended.pop_front()) {
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
            self.places[member].ended.push_back(Batch { status, device });
        }
        Ok(())
    }

    /// Reads each buffer a single time, from the first member that asks for it to the last.
    fn read_all(&mut self, mut asked: Vec<(usize, Ask)>) -> Vec<(usize, Ask)> {
        while let Some((_, Ask::Read { buffer, .. })) = asked.first() {
            let wanted = *buffer;
            let of_this = |(_, ask): &mut (usize, Ask)| matches!(ask, Ask::Read { buffer, .. } if *buffer == wanted);
            let reads: Vec<Read> =
                asked.extract_if(.., of_this).filter_map(|(member, ask)| self.place(member, ask)).collect();
            self.read_buffer(wanted, reads);
        }
        vec![]
    }

    /// Where what a member asks for is in the buffer of all.
    fn place(&self, member: usize, ask: Ask) -> Option<Read> {
        let Ask::Read { buffer, offset, length, answer } = ask else { return None };
        Some(Read { begin: self.sizes[buffer.0] * member as u64 + offset, length, answer })
    }

    fn read_buffer(&mut self, buffer: BufferId, reads: Vec<Read>) {
        let begin = reads.iter().map(|read| read.begin).min().unwrap_or(0);
        let end = reads.iter().map(|read| read.begin + read.length as u64).max().unwrap_or(0);
        let wanted: u64 = reads.iter().map(|read| read.length as u64).sum();
        // Parts that are far from each other come one by one.
        if reads.len() > 1 && wanted < (end - begin) / 2 {
            return reads.into_iter().for_each(|read| self.read_buffer(buffer, vec![read]));
        }
        let read = self.failure().and_then(|()| self.read(buffer, begin, (end - begin) as usize)).map(Arc::new);
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

/// What a member reads of a buffer of all.
struct Read {
    begin: u64,
    length: usize,
    answer: Answer<Part>,
}

fn tell(asked: Vec<(usize, Ask)>, mut each: impl FnMut(usize, Ask)) -> Vec<(usize, Ask)> {
    asked.into_iter().for_each(|(member, ask)| each(member, ask));
    vec![]
}
