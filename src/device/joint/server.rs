//! The thread that has the device: the requests of members, and when they are answered.

use std::ops::{ControlFlow, Range};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender};
use std::time::{Duration, Instant};

use super::program::{Gates, Joined, are_alike, join, most_members};
use super::sessions::Shared;
use crate::{Batch, Behind, BufferId, Device, DeviceError, Program, SetUp};
use tickless_core::run::{KernelTime, Progress, Watch};

/// How long to wait for the first members. Later members have programs of their own.
const TO_COME: Duration = Duration::from_millis(20);
/// Bytes of all programs beyond which further programs wait until others have ended. No interface states the memory of every
/// card.
const MOST_BYTES: u64 = 16 << 30;

/// The channel for the answer to a member.
pub(super) type Answer<T> = Sender<Result<T, DeviceError>>;

/// Set when the run that waits for a set-up is to end.
pub(super) type Interrupted = Arc<AtomicBool>;

/// A member of a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Seat {
    pub(super) session: usize,
    pub(super) member: usize,
}

/// A request of a member.
pub(super) enum Request {
    /// A member comes.
    Comes,
    /// A member goes.
    Goes,
    /// The member goes on when it has been answered.
    Asks(Question),
    /// The member goes on at once.
    Changes(Seat, Change),
    /// The member goes on when all earlier requests are done.
    Settles(Sender<()>),
}

/// A question that a member waits for.
pub(super) enum Question {
    Load(Box<Program>, Answer<Seat>, Interrupted),
    Of(Seat, Ask),
}

/// A question of a member that has loaded its program.
pub(super) enum Ask {
    WarmUp(Answer<()>, Interrupted),
    Wait(Answer<Batch>),
    Behind(Behind, Answer<()>),
    Read { buffer: BufferId, offset: u64, length: usize, answer: Answer<Part> },
    Timings(Answer<Vec<KernelTime>>),
}

impl Ask {
    /// The order in which questions of different kinds are answered. Short work comes first, so that its members can then ask what
    /// the others wait for. A run that has ended waits until no run has rounds left, so that all ends are one dispatch.
    fn order(&self) -> u32 {
        match self {
            Self::WarmUp(..) => 0,
            Self::Timings(_) => 1,
            Self::Read { .. } => 2,
            Self::Wait(_) => 3,
            Self::Behind(Behind::End, _) => 4,
            Self::Behind(Behind::Results, _) => 5,
        }
    }
}

/// A part of what was read for all members.
pub(super) struct Part {
    pub(super) all: Arc<Vec<u8>>,
    pub(super) range: Range<usize>,
}

/// A change that a member does not wait for.
pub(super) enum Change {
    Submit(u32),
    Write(BufferId, u64, Vec<u8>),
    Unload,
}

/// The state of the thread.
pub(super) struct Server<'d> {
    device: &'d dyn Device,
    /// The number of members to come, and until when to wait for them.
    expected: usize,
    deadline: Instant,
    /// The members that have come, and those that are still there.
    come: usize,
    present: usize,
    waiting: Vec<Question>,
    /// The loaded sessions; `None` where all members have left.
    sessions: Vec<Option<Shared>>,
}

impl<'d> Server<'d> {
    pub(super) fn new(device: &'d dyn Device, expected: usize) -> Self {
        Self {
            device,
            expected,
            deadline: Instant::now() + TO_COME,
            come: 0,
            present: 0,
            waiting: vec![],
            sessions: vec![],
        }
    }

    /// Serves until no member can ask any more.
    pub(super) fn serve(mut self, requests: &Receiver<Request>) {
        loop {
            let all_wait = !self.waiting.is_empty() && self.waiting.len() >= self.present;
            let left = self.deadline.saturating_duration_since(Instant::now());
            let request = if all_wait && (self.come >= self.expected || left.is_zero()) {
                self.answer_some();
                continue;
            } else if all_wait {
                match requests.recv_timeout(left) {
                    Ok(request) => request,
                    Err(RecvTimeoutError::Timeout) => continue,
                    Err(RecvTimeoutError::Disconnected) => return,
                }
            } else {
                let Ok(request) = requests.recv() else { return };
                request
            };
            match request {
                Request::Comes => (self.come, self.present) = (self.come + 1, self.present + 1),
                Request::Goes => self.present -= 1,
                Request::Asks(question) => self.waiting.push(question),
                Request::Changes(seat, change) => self.change(seat, change),
                Request::Settles(done) => _ = done.send(()),
            }
        }
    }

    fn change(&mut self, seat: Seat, change: Change) {
        let Some(session) = &mut self.sessions[seat.session] else { return };
        match change {
            Change::Submit(rounds) => session.submit(seat.member, rounds),
            Change::Write(buffer, offset, bytes) => session.write(seat.member, buffer, offset, &bytes),
            Change::Unload => {
                if session.leave(seat.member) {
                    self.sessions[seat.session] = None;
                }
            }
        }
    }

    /// Answers at least one of the waiting members; all members wait.
    fn answer_some(&mut self) {
        let order = |question: &Question| match question {
            Question::Load(..) => None,
            Question::Of(_, ask) => Some(ask.order()),
        };
        let first = self.waiting.iter().filter_map(order).min();
        if self.waiting.iter().any(|question| order(question).is_none()) && self.load_some(first.is_none()) {
            return;
        }
        let of_first = self.waiting.extract_if(.., |question| order(question).is_some() && order(question) == first);
        let mut asked: Vec<(Seat, Ask)> = vec![];
        asked.extend(of_first.filter_map(|question| match question {
            Question::Of(seat, ask) => Some((seat, ask)),
            Question::Load(..) => None,
        }));
        // All programs get their work before the first wait.
        for session in self.sessions.iter_mut().flatten() {
            session.send_queued();
        }
        for place in 0..self.sessions.len() {
            let (of_this, others) = asked.into_iter().partition(|(seat, _)| seat.session == place);
            asked = others;
            if let Some(session) = &mut self.sessions[place] {
                let left = session.answer(of_this);
                let seat = |member| Seat { session: place, member };
                self.waiting.extend(left.into_iter().map(|(member, ask)| Question::Of(seat(member), ask)));
            }
        }
    }

    /// Loads programs as far as there is room for them, and at least one where nothing else is left to do. Returns whether it loaded one.
    fn load_some(&mut self, at_least_one: bool) -> bool {
        let mut loaded: u64 = self.sessions.iter().flatten().map(Shared::bytes).sum();
        let nothing = loaded == 0 || at_least_one;
        let mut taken: Vec<Applicant> = vec![];
        let mut left = vec![];
        for question in self.waiting.drain(..) {
            match question {
                Question::Load(program, answer, interrupted)
                    if loaded.saturating_add(program.bytes()) <= MOST_BYTES || nothing && taken.is_empty() =>
                {
                    loaded = loaded.saturating_add(program.bytes());
                    taken.push(Applicant { program: *program, answer, interrupted });
                }
                other => left.push(other),
            }
        }
        self.waiting = left;
        let some = !taken.is_empty();
        while let Some(first) = taken.pop() {
            let is_like = |other: &mut Applicant| are_alike(&first.program, &other.program);
            let mut alike: Vec<_> = taken.extract_if(.., is_like).collect();
            let most = most_members(&first.program, self.device.adapter());
            alike.push(first);
            while !alike.is_empty() {
                let rest = alike.split_off(most.min(alike.len()));
                self.load(alike);
                alike = rest;
            }
        }
        some
    }

    /// Loads alike programs: as one where possible, and in two halves where there is too little memory.
    fn load(&mut self, mut members: Vec<Applicant>) {
        if members.len() > 1 {
            let programs: Vec<&Program> = members.iter().map(|member| &member.program).collect();
            let Some(Joined { program, gates }) = join(&programs, self.device.adapter()) else {
                return members.into_iter().for_each(|member| self.load(vec![member]));
            };
            let Err(error) = self.load_as_one(program, Some(gates), &members) else { return };
            if matches!(error, DeviceError::Limit { .. } | DeviceError::OutOfMemory { .. }) {
                let others = members.split_off(members.len() / 2);
                self.load(members);
                return self.load(others);
            }
            return members.into_iter().for_each(|member| _ = member.answer.send(Err(error.clone())));
        }
        let Some(mut member) = members.pop() else { return };
        let empty = member.program.without_contents();
        let program = std::mem::replace(&mut member.program, empty);
        if let Err(error) = self.load_as_one(program, None, std::slice::from_ref(&member)) {
            let _ = member.answer.send(Err(error));
        }
    }

    /// Loads a program of these members, and gives them their seats.
    fn load_as_one(
        &mut self,
        program: Program,
        gates: Option<Gates>,
        members: &[Applicant],
    ) -> Result<(), DeviceError> {
        let (bytes, status) = (program.bytes(), program.status);
        let mut watch = AllEnd(members.iter().map(|member| member.interrupted.clone()).collect());
        let session = self.device.load(program, &mut SetUp::new(&mut watch))?;
        let sizes = members[0].program.buffers.iter().map(|buffer| buffer.size).collect();
        let place = self.sessions.iter().position(Option::is_none).unwrap_or(self.sessions.len());
        if place == self.sessions.len() {
            self.sessions.push(None);
        }
        self.sessions[place] = Some(Shared::new(session, members.len(), (sizes, bytes), status, gates));
        for (number, member) in members.iter().enumerate() {
            let _ = member.answer.send(Ok(Seat { session: place, member: number }));
        }
        Ok(())
    }
}

/// A member that waits for its program to be loaded.
struct Applicant {
    program: Program,
    answer: Answer<Seat>,
    interrupted: Interrupted,
}

/// Ends a set-up when all members that wait for it are to end.
pub(super) struct AllEnd(pub(super) Vec<Interrupted>);

impl Watch for AllEnd {
    fn look(&mut self, _: &Progress) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn set_up(&mut self, _: Duration) -> ControlFlow<()> {
        let all_end = self.0.iter().all(|interrupted| interrupted.load(Ordering::Relaxed));
        if all_end { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}
