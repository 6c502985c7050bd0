//! The thread that has the device: what members ask for, and when they get it.

use std::ops::{ControlFlow, Range};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender};
use std::time::{Duration, Instant};

use super::program::{Joined, are_alike, gates_of, join, most_members};
use super::sessions::Shared;
use crate::device::{Batch, Behind, BufferId, Device, DeviceError, Program, SetUp};
use crate::run::{KernelTime, Progress, Watch};

/// How long the first members are waited for.
const TO_COME: Duration = Duration::from_millis(20);
/// Bytes of all programs beyond which further ones wait until others have ended.
const MOST_BYTES: u64 = 16 << 30;

/// Where the answer to a member goes.
pub(super) type Answer<T> = Sender<Result<T, DeviceError>>;

/// A member of a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Seat {
    pub(super) session: usize,
    pub(super) member: usize,
}

/// What a member does.
pub(super) enum Request {
    /// There is one more.
    Comes,
    /// There is one less.
    Goes,
    /// It goes on when it has been answered.
    Asks(Question),
    /// It goes on at once.
    Changes(Seat, Change),
}

/// What a member waits for.
pub(super) enum Question {
    Load(Box<Program>, Answer<Seat>),
    Of(Seat, Ask),
}

/// What a member waits for that has loaded its program.
pub(super) enum Ask {
    WarmUp(Answer<()>),
    Wait(Answer<Batch>),
    Behind(Behind, Answer<()>),
    Read { buffer: BufferId, offset: u64, length: usize, answer: Answer<Part> },
    Timings(Answer<Vec<KernelTime>>),
}

impl Ask {
    /// In which order questions of different kinds are answered: what few have asked for is soon over, and then they ask for what the
    /// others wait for.
    fn order(&self) -> u32 {
        match self {
            Self::WarmUp(_) => 0,
            Self::Timings(_) => 1,
            Self::Read { .. } => 2,
            Self::Wait(_) => 3,
            Self::Behind(Behind::End, _) => 4,
            Self::Behind(Behind::Results, _) => 5,
        }
    }
}

/// Part of what was read for all.
pub(super) struct Part {
    pub(super) all: Arc<Vec<u8>>,
    pub(super) range: Range<usize>,
}

/// What a member does without waiting.
pub(super) enum Change {
    Submit(u32),
    Write(BufferId, u64, Vec<u8>),
    Unload,
}

/// The thread's own.
pub(super) struct Server<'d> {
    device: &'d dyn Device,
    /// How many of those that wait for a set-up are to end.
    ending: &'d AtomicUsize,
    /// How many members are to come, and until when they are waited for.
    expected: usize,
    deadline: Instant,
    /// Those that have come, and those that are still there.
    come: usize,
    present: usize,
    waiting: Vec<Question>,
    /// Those that are loaded; none where all members have left one.
    sessions: Vec<Option<Shared>>,
}

impl<'d> Server<'d> {
    pub(super) fn new(device: &'d dyn Device, expected: usize, ending: &'d AtomicUsize) -> Self {
        Self {
            device,
            ending,
            expected,
            deadline: Instant::now() + TO_COME,
            come: 0,
            present: 0,
            waiting: vec![],
            sessions: vec![],
        }
    }

    /// Serves until nobody can ask any more.
    pub(super) fn serve(mut self, requests: &Receiver<Request>) {
        loop {
            let all_wait = self.present > 0 && self.waiting.len() >= self.present;
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

    /// Answers at least one of those that wait, which are all.
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
        // All devices are given their work before one of them is waited for.
        for session in self.sessions.iter_mut().flatten() {
            session.send_queued();
        }
        for place in 0..self.sessions.len() {
            let (of_this, others) = asked.into_iter().partition(|(seat, _)| seat.session == place);
            asked = others;
            if let Some(session) = &mut self.sessions[place] {
                let left = session.answer(of_this, self.ending);
                let seat = |member| Seat { session: place, member };
                self.waiting.extend(left.into_iter().map(|(member, ask)| Question::Of(seat(member), ask)));
            }
        }
    }

    /// Loads programs as far as there is room for them, and at least one where nothing else is left to do. Returns whether there was one.
    fn load_some(&mut self, at_least_one: bool) -> bool {
        let mut loaded: u64 = self.sessions.iter().flatten().map(Shared::bytes).sum();
        let nothing = loaded == 0 || at_least_one;
        let mut taken: Vec<(Program, Answer<Seat>)> = vec![];
        let mut left = vec![];
        let loads = self.waiting.iter().filter(|question| matches!(question, Question::Load(..))).count();
        for question in self.waiting.drain(..) {
            match question {
                Question::Load(program, answer)
                    if loaded + program.bytes() <= MOST_BYTES || nothing && taken.is_empty() =>
                {
                    loaded += program.bytes();
                    taken.push((*program, answer));
                }
                other => left.push(other),
            }
        }
        self.waiting = left;
        let some = !taken.is_empty();
        while let Some((program, _)) = taken.first() {
            let most = most_members(program, self.device.adapter());
            let (first, others) = (taken.remove(0), taken);
            let (mut alike, others): (Vec<_>, Vec<_>) =
                others.into_iter().partition(|(program, _)| are_alike(&first.0, program));
            alike.insert(0, first);
            while !alike.is_empty() {
                let rest = alike.split_off(most.min(alike.len()));
                self.load(alike, loads);
                alike = rest;
            }
            taken = others;
        }
        some
    }

    /// Loads programs that are alike; so many wait for theirs, these among them.
    fn load(&mut self, members: Vec<(Program, Answer<Seat>)>, loads: usize) {
        let sizes: Vec<u64> = members[0].0.buffers.iter().map(|buffer| buffer.size).collect();
        let (programs, answers): (Vec<Program>, Vec<Answer<Seat>>) = members.into_iter().unzip();
        let joined = if programs.len() > 1 { join(&programs, self.device.adapter()) } else { None };
        if let Some(Joined { program, gates }) = joined {
            drop(programs);
            return self.load_as_one(program, sizes, Some(gates), answers, loads);
        }
        for (program, answer) in programs.into_iter().zip(answers) {
            self.load_as_one(program, sizes.clone(), None, vec![answer], loads);
        }
    }

    fn load_as_one(
        &mut self,
        program: Program,
        sizes: Vec<u64>,
        gates: Option<u64>,
        answers: Vec<Answer<Seat>>,
        loads: usize,
    ) {
        let (bytes, status) = (program.bytes(), program.status);
        let gates = gates.map(|offset| (gates_of(&program), offset));
        let mut watch = AllEnd { ending: self.ending, waiting: loads };
        match self.device.load(program, &mut SetUp::new(&mut watch)) {
            Ok(session) => {
                let place = self.sessions.iter().position(Option::is_none).unwrap_or(self.sessions.len());
                let shared = Shared::new(session, answers.len(), sizes, bytes, status, gates);
                if place == self.sessions.len() {
                    self.sessions.push(None);
                }
                self.sessions[place] = Some(shared);
                for (member, answer) in answers.into_iter().enumerate() {
                    let _ = answer.send(Ok(Seat { session: place, member }));
                }
            }
            Err(error) => answers.into_iter().for_each(|answer| _ = answer.send(Err(error.clone()))),
        }
    }
}

/// Ends a set-up when all who wait for it are to end.
pub(super) struct AllEnd<'a> {
    pub(super) ending: &'a AtomicUsize,
    pub(super) waiting: usize,
}

impl Watch for AllEnd<'_> {
    fn look(&mut self, _: &Progress) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn set_up(&mut self, _: Duration) -> ControlFlow<()> {
        if self.ending.load(Ordering::Relaxed) >= self.waiting {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    }
}
