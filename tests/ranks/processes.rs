//! Logical processes.

use std::ops::ControlFlow;

use proptest::prelude::*;
use tickless::device::Target;
use tickless::processes::gpu::ProcessOptions;
use tickless::processes::{
    self, Blocks, Checkpoint, Message, Outbox, Outcome, Phold, PholdModel, ProcessDetails, ProcessError, ProcessModel,
};
use tickless::random::{Stream, StreamKey};
use tickless::run::{Progress, Restartable, Run, unwatched};
use tickless::time::Time;

use crate::threads;

/// Every process tells others what it has heard, with three words, at few times, so that many messages meet at one instant.
#[derive(Clone)]
pub struct Gossip {
    pub processes: u32,
    pub until: Time,
    pub seed: u64,
}

impl ProcessModel for Gossip {
    type State = [u32; 2];
    type Payload = [u32; 3];

    fn processes(&self) -> u32 {
        self.processes
    }

    fn lookahead(&self) -> Time {
        Time::UNIT
    }

    fn until(&self) -> Time {
        self.until
    }

    fn key(&self) -> StreamKey {
        StreamKey::new(self.seed, 0)
    }

    fn initialize(
        &self,
        id: u32,
        stream: &mut Stream,
        first: &mut Vec<(Time, [u32; 3])>,
    ) -> Result<[u32; 2], ProcessError> {
        first.extend((0..id % 3).map(|number| (Time::ZERO, [id, number, stream.draw()])));
        Ok([id, 0])
    }

    fn execute(
        &self,
        message: &Message<[u32; 3]>,
        state: &mut [u32; 2],
        stream: &mut Stream,
        outbox: &mut impl Outbox<[u32; 3]>,
    ) -> Result<(), ProcessError> {
        let [a, b, c] = message.payload;
        state[0] = (state[0] ^ a ^ message.source ^ message.sequence << 16).rotate_left(7).wrapping_add(b);
        state[1] = state[1].wrapping_mul(31).wrapping_add(c);
        let draw = stream.draw();
        // One message goes on, now and then another one; some end.
        let sends = u32::from(!draw.is_multiple_of(11)) + u32::from(draw.is_multiple_of(13));
        for number in 0..sends {
            let destination = stream.draw() % self.processes;
            let delay = Time::from_ticks(u64::from(2 + draw % 3) << 31);
            outbox.send(destination, delay, [state[0], b + number, draw])?;
        }
        Ok(())
    }
}

fn restartable<'a>(model: &'a PholdModel, from: Option<&'a Checkpoint>) -> Restartable<'a, PholdModel, Checkpoint> {
    Restartable { model, from }
}

/// Over ranks, with blocks of equal size where none are given.
fn run_over<M: ProcessModel + Sync>(
    model: &M,
    ranks: u32,
    blocks: Option<Blocks>,
    options: ProcessOptions,
) -> Result<Run<Outcome, ProcessDetails>, ProcessError> {
    match blocks {
        None => processes::run(model, threads(ranks), options, &mut unwatched()),
        Some(blocks) => processes::run(model, (threads(ranks), blocks), options, &mut unwatched()),
    }
}

fn assert_over<M: ProcessModel + Sync>(model: &M, ranks: u32, blocks: Option<Blocks>) {
    let alone = processes::run(model, Target::Heap, Default::default(), &mut unwatched()).expect("a run");
    let what = format!("{ranks} ranks, {blocks:?}");
    for figures_only in [false, true] {
        let options = ProcessOptions { figures_only, ..Default::default() };
        let over = run_over(model, ranks, blocks.clone(), options);
        let over = over.unwrap_or_else(|error| panic!("{what}: {error}"));
        assert_eq!(alone.outcome.first_difference(&over.outcome), None, "{what}");
        assert_eq!(over.outcome.digest(), alone.outcome.digest(), "{what}");
        assert_eq!(over.outcome.statistics(), alone.outcome.statistics(), "{what}");
        assert_eq!((over.events, over.details.remote), (alone.events, alone.details.remote), "{what}");
        assert_eq!((over.clock, over.interrupted), (alone.clock, false), "{what}");
        let added_up = figures_only && ranks > 1;
        assert_eq!(over.outcome.added_up.is_some(), added_up);
        if !added_up {
            assert_eq!(over.outcome, alone.outcome, "{what}");
        }
    }
}

#[test]
fn phold_over_any_number_of_ranks_is_phold() {
    for remote in [0.0, 0.1, 1.0] {
        let phold = Phold::new(61).population(4).lookahead(0.3).mean(0.7).remote(remote).work(2).until(20.0);
        let model = phold.check().expect("a model");
        for ranks in [1, 2, 3, 4] {
            assert_over(&model, ranks, None);
        }
        // A process each, whose threads mostly wait.
        if remote == 0.1 {
            assert_over(&model, 61, None);
        }
        assert_over(&model, 3, Some(Blocks::of_sizes(&[1, 58, 2])));
    }
}

/// Where lookahead is short, ranks come to the next event at once, not by promises of one lookahead each.
#[test]
fn turns_are_no_more_than_events() {
    for (processes, population, lookahead, remote) in
        [(500, 1, 0.0004, 0.1), (64, 1, 0.001, 0.0), (8, 100, 0.0001, 0.1)]
    {
        let phold = Phold::new(processes).population(population).lookahead(lookahead).remote(remote).until(2.0);
        let model = phold.check().expect("a model");
        for ranks in [2, 5] {
            assert_over(&model, ranks, None);
            let run = run_over(&model, ranks, None, Default::default()).expect("a run");
            let turns = run.rounds.expect("turns");
            assert!(turns <= run.events + 20, "{turns} turns for {} events on {ranks} ranks", run.events);
        }
    }
}

#[test]
fn messages_carry_words_and_meet_at_one_instant() {
    let model = Gossip { processes: 40, until: Time::from_ticks(30 << 32), seed: 5 };
    let events = processes::run(&model, Target::Heap, Default::default(), &mut unwatched()).expect("a run").events;
    assert!(events > 300, "{events}");
    for ranks in [2, 3, 4] {
        assert_over(&model, ranks, None);
    }
}

/// Sizes of so many blocks that add up, from any numbers.
fn sizes(processes: u32, weights: &[u32]) -> Vec<u32> {
    let rest = processes - weights.len() as u32;
    let all: u32 = weights.iter().sum::<u32>() + 1;
    let mut sizes: Vec<u32> = weights.iter().map(|weight| 1 + rest * weight / all).collect();
    sizes[0] += processes - sizes.iter().sum::<u32>();
    sizes
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn any_cut_gives_the_same(
        processes in 5_u32..80, weights in proptest::collection::vec(0_u32..20, 1..5), seed: u64, gossip: bool,
        lookahead in 0.001..2.0, remote in 0.0..1.0,
    ) {
        let blocks = Some(Blocks::of_sizes(&sizes(processes, &weights)));
        let ranks = weights.len() as u32;
        if gossip {
            assert_over(&Gossip { processes, until: Time::from_ticks(12 << 32), seed }, ranks, blocks);
        } else {
            let phold = Phold::new(processes).population(2).lookahead(lookahead).remote(remote).until(6.0).seed(seed);
            assert_over(&phold.check().expect("a model"), ranks, blocks);
        }
    }
}

/// Each time a watch ends it, it is whole up to its clock; other ranks, or none, go on from there.
#[test]
fn an_interrupted_run_is_whole_and_goes_on_over_other_ranks() {
    // Work that takes its time, so that a watch looks before the end.
    let model = Phold::new(300).population(2).lookahead(0.02).work(1 << 15).until(4.0).check().expect("a model");
    let expected = processes::run(&model, Target::Heap, Default::default(), &mut unwatched()).expect("a run");
    let (mut at, mut events, mut stops) = (None, 0, 0);
    for ranks in [2, 4, 1, 3] {
        let mut stop = |progress: &Progress| {
            assert!(progress.clock < progress.until);
            // The machine may be busy with something else.
            if progress.rounds > 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let run = processes::run(restartable(&model, at.as_ref()), threads(ranks), Default::default(), &mut stop)
            .expect("a run");
        stops += u32::from(run.interrupted);
        events += run.events;
        assert_eq!(run.outcome.outcome.totals().executed, events);
        assert_eq!(run.outcome.outcome.until, run.clock);
        assert!(run.outcome.outcome.pending.iter().all(|message| message.time >= run.clock));
        assert!(run.outcome.outcome.processes.iter().all(|process| process.last < run.clock));
        if run.interrupted {
            let model = Phold::new(300).population(2).lookahead(0.02).work(1 << 15).until(run.clock.units());
            let until =
                processes::run(&model.check().expect("a model"), Target::Heap, Default::default(), &mut unwatched())
                    .expect("a run");
            assert_eq!(until.outcome, run.outcome.outcome, "a horizon of a double is the same tick");
        }
        at = Some(run.outcome);
    }
    assert!(stops >= 2, "it stopped {stops} times");
    let rest = processes::run(restartable(&model, at.as_ref()), threads(1), Default::default(), &mut unwatched())
        .expect("a run");
    assert_eq!(rest.outcome.outcome.first_difference(&expected.outcome), None);
    assert_eq!(rest.outcome.outcome.digest(), expected.outcome.digest());
    assert_eq!((events + rest.events, rest.outcome.remote), (expected.events, expected.details.remote));
}

#[test]
fn what_cannot_be_cut_is_refused() {
    let model = Phold::new(3).check().expect("a model");
    let refused = |ranks, blocks| run_over(&model, ranks, blocks, Default::default()).expect_err("refused").to_string();
    assert_eq!(refused(4, None), "4 ranks are asked for a model with 3 processes: use as many or fewer");
    let error = refused(2, Some(Blocks::of_sizes(&[3, 0])));
    assert!(error.starts_with("2 blocks with 3 processes in all are given, for 2 ranks"), "{error}");
    let endless = Gossip { processes: 4, until: Time::NEVER, seed: 1 };
    let error = run_over(&endless, 2, None, Default::default()).expect_err("refused");
    assert!(matches!(error, ProcessError::Horizon { .. }), "{error}");
    let other = Phold::new(4).check().expect("a model");
    let at = processes::run(restartable(&other, None), threads(1), Default::default(), &mut unwatched());
    let at = at.expect("a run").outcome;
    let error = processes::run(restartable(&model, Some(&at)), threads(2), Default::default(), &mut unwatched());
    let error = error.expect_err("refused");
    assert!(matches!(error, ProcessError::Checkpoint { .. }), "{error}");
}
