//! Cells over ranks: the cells, the digest and the log of one heap, whatever the cut; and what ends such a run.

use std::num::NonZeroU32;
use std::ops::ControlFlow;
use std::path::Path;

use proptest::prelude::*;
use tickless::cells::gpu::{CellOptions, DeviceCells};
use tickless::cells::rules::{RuleFile, RuleModel};
use tickless::cells::{
    self, Bands, Border, Cell, CellError, CellModel, CellOutcome, Checkpoint, Inputs, Moment, Space,
};
use tickless::device::Target;
use tickless::ranks::{Mail, Ranks, ThreadTransport, Transport, TransportError, side_by_side};
use tickless::run::{Pause, Progress, Restartable, Run, Watch, unwatched};
use tickless::time::Time;

use crate::gossip::Gossip;
use crate::log::{Kept, on_the_heap};
use crate::{fire, watershed};

pub fn threads(count: u32) -> Ranks<'static> {
    Ranks::Threads(NonZeroU32::new(count).expect("a rank or more"))
}

/// Over ranks, with bands of equal size where none are given.
fn run_over(
    (model, replications): (&impl DeviceCells, u32),
    ranks: u32,
    bands: Option<Bands>,
    options: CellOptions<'_>,
) -> Result<Run<CellOutcome>, CellError> {
    match bands {
        None => cells::run(model, 0..replications, threads(ranks), options, &mut unwatched()),
        Some(bands) => cells::run(model, 0..replications, (threads(ranks), bands), options, &mut unwatched()),
    }
}

fn assert_over((model, replications): (&impl DeviceCells, u32), ranks: u32, bands: Option<Bands>) {
    let (alone, sent) = on_the_heap(model, replications);
    let what = format!("{ranks} ranks, {bands:?}");
    let mut log = Kept::default();
    let options = CellOptions { log: Some(&mut log), ..CellOptions::default() };
    let over = run_over((model, replications), ranks, bands, options);
    let over = over.unwrap_or_else(|error| panic!("{what}: {error}"));
    assert_eq!(alone.outcome.first_difference(&over.outcome), None, "{what}");
    assert_eq!(over.outcome, alone.outcome, "{what}");
    assert_eq!(over.outcome.digest(), alone.outcome.digest(), "{what}");
    assert_eq!((over.events, over.clock, over.interrupted), (alone.events, alone.clock, false), "{what}");
    assert_eq!(log.0.len(), sent.len(), "{what}");
    assert_eq!((0..sent.len()).find(|n| log.0[*n] != sent[*n]), None, "{what}");
}

fn rules(name: &str, until: f64) -> RuleModel {
    let file = RuleFile::read(Path::new("examples/cells").join(name)).unwrap_or_else(|error| panic!("{error}"));
    file.model(Time::from_units(until).expect("a time"), 7)
}

fn gossips() -> Vec<Gossip> {
    let far = vec![[2, 1, 0], [-1, 0, 0], [0, 3, 0]];
    let planes = vec![[0, 0, 1], [0, 0, -1], [1, 0, 0], [-1, -1, 1]];
    let spaces = [([9, 7, 1], Space::moore()), ([5, 6, 1], far), ([3, 4, 5], planes), ([40, 1, 1], vec![[-1, 0, 0]])];
    let mut models = vec![];
    for (size, offsets) in spaces {
        for border in [Border::Open, Border::Wrapped] {
            let space = Space::new(size, border, offsets.clone()).expect("a space");
            let model = Gossip { until: 8 << 32, ..Gossip::new(space) };
            // Ties at every instant, cells with lookaheads of their own, and time advances of 0.
            models.push(Gossip { mask: 3, shift: 30, uneven: true, replications: 2, ..model.clone() });
            models.push(Gossip { mask: 3, shift: 31, lookahead: 0, elapsed: false, ..model.clone() });
            models.push(model);
        }
    }
    models
}

#[test]
fn gossip_over_any_number_of_ranks_is_gossip() {
    for model in gossips() {
        for ranks in 1..=4 {
            assert_over((&model, model.replications), ranks, None);
        }
    }
}

#[test]
fn every_rule_file_is_the_same_over_ranks() {
    for (name, until) in [("life.ma", 2001.0), ("heat.ma", 600.0), ("forest.ma", 60.0), ("alarm.ma", 60_000.0)] {
        let model = rules(name, until);
        let replications = if model.file().draws() { 2 } else { 1 };
        for ranks in 1..=4 {
            assert_over((&model, replications), ranks, None);
        }
    }
}

#[test]
fn fires_and_water_are_the_same_over_ranks() {
    for (place, ranks) in [2, 3, 4, 2, 3, 4, 2, 1].into_iter().enumerate() {
        assert_over((&fire::models()[place], fire::replications(place)), ranks, None);
    }
    for (place, model) in (0..).zip(watershed::models()) {
        assert_over((&model, 1), 2 + place, None);
    }
}

/// Sizes of so many bands that add up, from any numbers.
fn sizes(layers: u32, weights: &[u32]) -> Vec<u32> {
    let rest = layers - weights.len() as u32;
    let all: u32 = weights.iter().sum::<u32>() + 1;
    let mut sizes: Vec<u32> = weights.iter().map(|weight| 1 + rest * weight / all).collect();
    sizes[0] += layers - sizes.iter().sum::<u32>();
    sizes
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn any_cut_gives_the_same(
        size in [5u32..12, 1u32..12, 1u32..4],
        wrapped: bool,
        offsets in proptest::collection::vec([-4i32..=4, -3..=3, -1..=1], 0..6),
        weights in proptest::collection::vec(0_u32..20, 1..5),
        mask in prop_oneof![Just(1u32), Just(7), Just(0xffff)],
        lookahead in prop_oneof![Just(0u64), Just(1 << 30), Just(1 << 33)],
        awake in 1u32..256,
    ) {
        let mut offsets = offsets;
        offsets.sort_unstable();
        offsets.dedup();
        offsets.retain(|offset| *offset != [0; 3]);
        let border = if wrapped { Border::Wrapped } else { Border::Open };
        let space = Space::new(size, border, offsets).expect("a space");
        let bands = Bands::of_sizes(&sizes(Bands::layers(&space), &weights));
        // With more time advances of 0 time would stand still.
        let mask = if lookahead == 0 { mask | 15 } else { mask };
        let model = Gossip { mask, shift: 31, lookahead, awake, until: 12 << 32, ..Gossip::new(space) };
        assert_over((&model, 1), weights.len() as u32, Some(bands));
    }
}

/// Changes one list of what a rank hears: the one of this number that is not empty.
pub struct Meddling<'a, 'b> {
    ranks: &'a mut ThreadTransport<'b>,
    left: u32,
    change: fn(&mut Vec<u64>),
}

impl<'a, 'b> Meddling<'a, 'b> {
    /// On rank 1 the list of this number, or none.
    pub fn new(ranks: &'a mut ThreadTransport<'b>, number: u32, change: fn(&mut Vec<u64>)) -> Self {
        let left = if ranks.rank() == 1 { number } else { 0 };
        Self { ranks, left, change }
    }

    /// Whether there was such a list.
    pub fn is_done(&self) -> bool {
        self.left == 0
    }
}

impl Transport for Meddling<'_, '_> {
    fn rank(&self) -> u32 {
        self.ranks.rank()
    }

    fn ranks(&self) -> u32 {
        self.ranks.ranks()
    }

    fn least(&mut self, word: u64) -> Result<u64, TransportError> {
        self.ranks.least(word)
    }

    fn exchange(&mut self, mail: &mut Mail) -> Result<(), TransportError> {
        self.ranks.exchange(mail)?;
        for from in mail.from().to_vec() {
            let list = mail.incoming_mut(from);
            if !list.is_empty() && self.left > 0 {
                self.left -= 1;
                if self.left == 0 {
                    (self.change)(list);
                }
            }
        }
        Ok(())
    }

    fn gather(&mut self, words: Vec<u64>) -> Result<Vec<Vec<u64>>, TransportError> {
        self.ranks.gather(words)
    }
}

/// What crosses counts: with one bit of it changed, or one cell of it lost, it is another run, for models of every kind.
#[test]
fn one_changed_value_that_crosses_is_caught() {
    fn check(model: &impl DeviceCells, number: u32, change: fn(&mut Vec<u64>)) {
        let expected =
            cells::run(model, 0..1, Target::Heap, Default::default(), &mut unwatched()).expect("a run").outcome;
        for meddles in [false, true] {
            let rank = |ranks: &mut ThreadTransport<'_>| {
                let mut meddling = Meddling::new(ranks, if meddles { number } else { 0 }, change);
                let run = cells::run(model, 0..1, Ranks::Over(&mut meddling), Default::default(), &mut unwatched());
                assert!(meddling.is_done(), "there is less to hear");
                run.expect("a run").outcome
            };
            let first = side_by_side(NonZeroU32::new(2).expect("two"), rank, rank).remove(0);
            let first = first.expect("no panic");
            assert_eq!(expected.first_difference(&first).is_some(), meddles);
            assert_eq!(expected.digest() != first.digest(), meddles);
        }
    }
    let lose = |list: &mut Vec<u64>| _ = list.pop();
    let [_, neighbours, .., fronts, _, _, _] = fire::models();
    let [water, ..] = watershed::models();
    check(&gossips()[2], 6, |list| list[1] ^= 1 << 63);
    check(&rules("heat.ma", 150.0), 6, |list| list[0] ^= 1 << 20);
    // Whatever it sends to each side: one of them is across.
    check(&water, 6, |list| (1..3).for_each(|word| list[word] ^= 1 << 32 | 1));
    check(fronts, 1, |list| list[1] = 1);
    check(neighbours, 6, lose);
}

/// Ends a run after so many looks: by a pause, or as Ctrl-C does.
pub struct Stops {
    pub looks: u32,
    pub pauses: bool,
}

impl Watch for Stops {
    fn look(&mut self, progress: &Progress) -> ControlFlow<()> {
        assert!(progress.clock <= progress.until);
        self.looks = self.looks.saturating_sub(1);
        if self.looks == 0 && !self.pauses { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn pause(&mut self, _: Pause) -> bool {
        self.looks == 0 && self.pauses
    }
}

/// Each time a watch ends it, it is whole up to its clock; other ranks, or none, go on from there.
#[test]
fn an_interrupted_run_is_whole_and_goes_on_over_other_ranks() {
    let space = || Space::new([60, 50, 1], Border::Wrapped, Space::moore()).expect("a space");
    let plain = Gossip { until: 60 << 32, replications: 2, ..Gossip::new(space()) };
    // Many cycles at one time: none ends in the midst of them.
    let tied = Gossip { mask: 15, shift: 29, lookahead: 0, until: 15 << 32, ..Gossip::new(space()) };
    for (model, pauses) in [(plain, true), (tied, false)] {
        let expected = cells::run(&model, 0..model.replications, Target::Heap, Default::default(), &mut unwatched())
            .expect("a run");
        let (mut at, mut events, mut stops): (Option<Checkpoint>, _, _) = (None, 0, 0);
        for ranks in [2, 4, 0, 1, 3, 2] {
            let mut watch = Stops { looks: 1, pauses };
            let part = Restartable { model: &model, from: at.as_ref() };
            let run = match ranks {
                0 => cells::run(part, 0..model.replications, Target::Heap, Default::default(), &mut watch),
                ranks => cells::run(part, 0..model.replications, threads(ranks), Default::default(), &mut watch),
            };
            let run = run.expect("a run");
            stops += u32::from(run.interrupted);
            events += run.events;
            assert_eq!(run.outcome.outcome.transitions, events);
            at = Some(run.outcome);
        }
        assert!(stops >= 3, "it stopped {stops} times");
        let rest = Restartable { model: &model, from: at.as_ref() };
        let rest =
            cells::run(rest, 0..model.replications, threads(3), Default::default(), &mut unwatched()).expect("a run");
        assert_eq!(rest.outcome.outcome.first_difference(&expected.outcome), None);
        assert_eq!(rest.outcome.outcome.digest(), expected.outcome.digest());
        assert_eq!(events + rest.events, expected.events);
    }
}

/// Of a fire as fronts that is stopped nothing is known; those before it stay.
#[test]
fn fronts_that_are_stopped_begin_again() {
    let [.., fire, _, _, _] = fire::models();
    assert!(fire.fronts().is_some());
    let mut watch = |_: &Progress| ControlFlow::Break(());
    let begin = Restartable { model: fire, from: None };
    let run = cells::run(begin, 0..1, threads(2), Default::default(), &mut watch).expect("a run");
    if run.interrupted {
        assert_eq!((run.clock, run.events), (Time::ZERO, 0));
    }
    let rest = Restartable { model: fire, from: Some(&run.outcome) };
    let rest = cells::run(rest, 0..1, threads(3), Default::default(), &mut unwatched()).expect("a run");
    assert_eq!(rest.outcome.outcome.digest(), fire::expected(4).digest());
}

#[test]
fn what_cannot_be_cut_is_refused() {
    let model = Gossip::new(Space::new([5, 4, 1], Border::Open, Space::moore()).expect("a space"));
    let refused =
        |ranks, bands| run_over((&model, 1), ranks, bands, Default::default()).expect_err("refused").to_string();
    let said = refused(6, None);
    assert_eq!(said, "6 ranks are asked for a space with 5 layers across its longest side: use as many or fewer");
    for sizes in [&[5, 0][..], &[3, 3], &[5], &[2, 2, 1], &[u32::MAX, 6]] {
        let layers: u64 = sizes.iter().map(|size| u64::from(*size)).sum();
        let said = refused(2, Some(Bands::of_sizes(sizes)));
        let bands = if sizes.len() == 1 { "1 band".into() } else { format!("{} bands", sizes.len()) };
        assert!(
            said.starts_with(&format!("{bands} with {layers} layers in all are given, for 2 ranks and a space with 5")),
            "{said}"
        );
    }
    let other = Gossip::new(Space::new([5, 3, 1], Border::Open, Space::moore()).expect("a space"));
    let part =
        |model, from| cells::run(Restartable { model, from }, 0..1, threads(2), Default::default(), &mut unwatched());
    let at = part(&other, None).expect("a run").outcome;
    let error = part(&model, Some(&at)).expect_err("refused");
    assert!(matches!(error, CellError::Checkpoint { what: "rows", .. }), "{error}");
}

/// What a row of cells does wrong.
#[derive(Clone, Copy)]
enum Wrong {
    /// Cells answer sooner than the model says that they do.
    Sooner,
    /// One says no.
    SaysNo,
    /// One goes on and on at one time.
    Stands,
}

/// Cells in a row, which tell each other from the first one on; the last one has a clock besides.
struct Row {
    space: Space,
    wrong: Wrong,
    cell: u32,
    lookahead: Time,
}

/// When the first one begins.
const BEGIN: u64 = 2000 << 32;

fn row(wrong: Wrong, cell: u32) -> Row {
    let space = Space::new([12, 1, 1], Border::Open, vec![[-1, 0, 0]]).expect("a space");
    Row { space, wrong, cell, lookahead: Time::UNIT }
}

impl DeviceCells for Row {}

impl CellModel for Row {
    fn space(&self) -> &Space {
        &self.space
    }

    fn until(&self) -> Time {
        Time::from_ticks(3000 << 32)
    }

    fn lookahead(&self) -> Time {
        self.lookahead
    }

    fn lookahead_of(&self, _: u32) -> Time {
        self.lookahead.min(Time::UNIT)
    }

    fn state_words(&self) -> usize {
        1
    }

    fn output_words(&self) -> usize {
        0
    }

    fn initialize(&self, cell: Cell, _: &mut [u32], _: &mut [u32]) -> Result<Time, CellError> {
        let last = self.space.cells() - 1;
        Ok(if cell.id == 0 {
            Time::from_ticks(BEGIN)
        } else if cell.id == last {
            Time::ZERO
        } else {
            Time::NEVER
        })
    }

    fn output(&self, _: Cell, _: Time, _: &[u32], _: &mut [u32]) -> Result<bool, CellError> {
        Ok(true)
    }

    fn transition(
        &self,
        cell: Cell,
        moment: Moment,
        _: Time,
        _: &mut [u32],
        _: &impl Inputs,
    ) -> Result<Time, CellError> {
        let now = moment.now;
        let next = Time::from_ticks(now.ticks() + (1 << 32));
        if cell.id == self.space.cells() - 1 {
            return Ok(next);
        }
        if cell.id == self.cell && moment.imminent {
            match self.wrong {
                Wrong::SaysNo => return Err(CellError::Model { cell: cell.id, now, what: "it does not go on".into() }),
                Wrong::Stands => return Ok(now),
                Wrong::Sooner => {}
            }
        }
        Ok(if moment.imminent { Time::NEVER } else { next })
    }
}

/// Whichever rank it is, the error is that of the model on one heap.
#[test]
fn an_error_of_one_rank_ends_all_of_them() {
    let says_no = [1, 5, 6, 10].map(|cell| row(Wrong::SaysNo, cell));
    for model in says_no.into_iter().chain([row(Wrong::Stands, 5)]) {
        let said = cells::run(&model, 0..1, Target::Heap, Default::default(), &mut unwatched())
            .expect_err("an error")
            .to_string();
        let error = cells::run(&model, 0..1, threads(2), Default::default(), &mut unwatched()).expect_err("an error");
        assert_eq!(error.to_string(), said);
    }
}

/// A promise that a model does not keep is seen where it counts, and nowhere else.
#[test]
fn who_sends_sooner_than_promised_is_named() {
    let model = Row { lookahead: Time::from_ticks(900 << 32), ..row(Wrong::Sooner, 0) };
    let error =
        cells::run(&model, 0..1, threads(2), Default::default(), &mut unwatched()).expect_err("an error").to_string();
    assert!(
        error.starts_with("cell 5 sends at 2005, and the lookahead of the model has let other ranks go on to 2"),
        "{error}"
    );
    assert!(error.ends_with(": let lookahead_of of no cell be less than lookahead"), "{error}");
}

/// A watch ends a run whose time stands still for seconds, before so many cycles have passed that it is an error by itself.
#[test]
fn a_run_whose_time_stands_still_can_be_ended() {
    let space = Space::new([300, 100, 1], Border::Open, vec![[-1, 0, 0]]).expect("a space");
    let model = Row { space, lookahead: Time::ZERO, ..row(Wrong::Stands, 1) };
    let mut stop = |progress: &Progress| {
        if progress.clock.ticks() < BEGIN { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    };
    let error = cells::run(&model, 0..1, threads(2), Default::default(), &mut stop).expect_err("an error");
    assert!(matches!(error, CellError::Illegitimate { .. }), "{error}");
}
