//! The sequential simulator against the naive one.

use proptest::prelude::*;
use tickless::cells::gpu::DeviceCells;
use tickless::cells::{self, Border, CellError, CellModel, CellOutcome, Space};
use tickless::device::Target;
use tickless::run::{Progress, unwatched};
use tickless::time::Time;

use crate::gossip::Gossip;
use crate::naive;

pub fn naively(model: &Gossip) -> CellOutcome {
    let (size, last) = (model.space.size(), vec![]);
    let mut all = CellOutcome { size, last, replications: model.replications, ..CellOutcome::default() };
    for replication in 0..model.replications {
        let (ends, transitions, imminent) = naive::simulate(model, replication);
        all.transitions += transitions;
        all.imminent += imminent;
        for (state, output, next, last) in ends {
            all.state.extend(state);
            all.output.extend(output);
            all.next.push(next);
            all.last.extend(model.elapsed.then_some(last));
        }
    }
    all
}

fn check(model: &Gossip) {
    let run =
        cells::run(model, 0..model.replications, Target::Heap, Default::default(), &mut unwatched()).expect("a run");
    let expected = naively(model);
    assert_eq!(expected.first_difference(&run.outcome), None, "{model:?}");
    assert_eq!(expected.digest(), run.outcome.digest());
}

#[test]
fn spaces_of_every_kind() {
    let far = vec![[2, 1, 0], [-1, 0, 0], [0, 3, 0]];
    let planes = vec![[0, 0, 1], [0, 0, -1], [1, 0, 0], [-1, -1, 1]];
    for border in [Border::Open, Border::Wrapped] {
        for (size, offsets) in [([9, 7, 1], Space::moore()), ([6, 5, 1], far.clone()), ([4, 3, 2], planes.clone())] {
            let model = Gossip::new(Space::new(size, border, offsets).expect("a space"));
            check(&model);
            // Ties at every instant, and time advances of 0.
            check(&Gossip { mask: 3, shift: 30, ..model.clone() });
            check(&Gossip { mask: 3, shift: 31, lookahead: 0, elapsed: false, ..model });
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]
    #[test]
    fn any_space(
        size in [1u32..9, 1u32..7, 1u32..3],
        wrapped: bool,
        offsets in proptest::collection::vec([-2i32..=2, -2..=2, -1..=1], 0..7),
        mask in prop_oneof![Just(1u32), Just(7), Just(0xffff)],
        awake in 1u32..256,
    ) {
        let mut offsets = offsets;
        offsets.sort();
        offsets.dedup();
        offsets.retain(|offset| *offset != [0; 3]);
        let border = if wrapped { Border::Wrapped } else { Border::Open };
        let space = Space::new(size, border, offsets).expect("a space");
        let shift = 31 - mask.count_ones();
        check(&Gossip { mask, shift, awake, until: 8 << 32, replications: 2, ..Gossip::new(space) });
    }
}

#[test]
fn an_interrupted_run_is_whole_up_to_its_clock() {
    let model = Gossip::new(Space::new([40, 40, 1], Border::Open, Space::moore()).expect("a space"));
    let run =
        cells::run(
            &model,
            0..1,
            Target::Heap,
            Default::default(),
            &mut |_: &Progress| std::ops::ControlFlow::Break(()),
        )
        .expect("a run");
    assert!(run.interrupted && run.clock > Time::ZERO && run.clock < model.until());
    let shorter = Gossip { until: run.clock.ticks(), ..model };
    let expected = cells::run(&shorter, 0..1, Target::Heap, Default::default(), &mut unwatched()).expect("a run");
    assert_eq!(expected.outcome.first_difference(&run.outcome), None);
}

#[test]
fn a_horizon_that_is_none_is_refused() {
    let space = || Space::new([3, 3, 1], Border::Open, Space::moore()).expect("a space");
    for until in [0, (1 << 63) + 1] {
        let model = Gossip { until, ..Gossip::new(space()) };
        let error = cells::run(&model, 0..1, Target::Heap, Default::default(), &mut unwatched())
            .expect_err("no horizon")
            .to_string();
        assert!(error.contains("it must be at least 2^-32 and at most 2^31"), "{error}");
    }
}

/// A lookahead that is promised and not kept, by all cells or by one.
#[test]
fn an_answer_before_the_lookahead_is_an_error() {
    struct Hasty(Gossip, Option<u32>);
    impl CellModel for Hasty {
        fn space(&self) -> &Space {
            &self.0.space
        }
        fn until(&self) -> Time {
            self.0.until()
        }
        fn lookahead(&self) -> Time {
            Time::from_ticks(self.0.lookahead + if self.1.is_none() { 40 << 32 } else { 0 })
        }
        fn lookahead_of(&self, cell: u32) -> Time {
            if self.1 == Some(cell) { Time::from_ticks(self.0.lookahead + (40 << 32)) } else { self.lookahead() }
        }
        fn state_words(&self) -> usize {
            3
        }
        fn output_words(&self) -> usize {
            2
        }
        fn initialize(&self, c: tickless::cells::Cell, s: &mut [u32], o: &mut [u32]) -> Result<Time, CellError> {
            self.0.initialize(c, s, o)
        }
        fn output(&self, c: tickless::cells::Cell, t: Time, s: &[u32], o: &mut [u32]) -> Result<bool, CellError> {
            self.0.output(c, t, s, o)
        }
        fn transition(
            &self,
            cell: tickless::cells::Cell,
            moment: tickless::cells::Moment,
            next: Time,
            state: &mut [u32],
            inputs: &impl tickless::cells::Inputs,
        ) -> Result<Time, CellError> {
            self.0.transition(cell, moment, next, state, inputs)
        }
    }
    impl DeviceCells for Hasty {}
    let gossip = Gossip::new(Space::new([9, 9, 1], Border::Open, Space::moore()).expect("a space"));
    for cell in [None, Some(40)] {
        let model = Hasty(gossip.clone(), cell);
        let error = cells::run(&model, 0..1, Target::Heap, Default::default(), &mut unwatched())
            .expect_err("a broken promise")
            .to_string();
        assert!(error.contains("its lookahead is 40.5: give the model the least time that it takes"), "{error}");
        assert!(cell.is_none() || error.starts_with("cell 40 "), "{error}");
    }
}
