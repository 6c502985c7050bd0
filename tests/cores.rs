//! Replications on the heap, side by side: as many cores as there are change nothing, whatever ends a run.

use std::num::NonZero;
use std::ops::ControlFlow;
use std::time::Duration;

use tickless::cells::gpu::DeviceCells;
use tickless::cells::{self, Border, Cell, CellError, CellModel, CellOutcome, Inputs, Moment, Space};
use tickless::device::Target;
use tickless::queueing::{self, Network, NetworkDetails, NetworkModel, NetworkOutcome, QueueingError, Source, Station};
use tickless::run::{Progress, Run, Watch, unwatched};
use tickless::time::Time;

type Replications = Result<Run<Vec<NetworkOutcome>, NetworkDetails>, QueueingError>;

fn on(cores: usize) -> Target<'static> {
    NonZero::new(cores).map_or(Target::Heap, Target::HeapOn)
}

fn desk(until: f64) -> NetworkModel {
    let mut network = Network::new().until(until).warmup(5.0).seed(9);
    let desk = network.station(Station::new("desk", "exponential:0.8".parse().unwrap()));
    let exit = network.sink("exit");
    network.source(Source::new("in", "exponential:1".parse().unwrap(), desk));
    network.route(desk, exit, 1.0, 0.0);
    network.check().unwrap()
}

fn run(model: &NetworkModel, cores: usize, watch: &mut dyn Watch) -> Replications {
    queueing::run(model, 3..40, on(cores), Default::default(), watch)
}

#[test]
fn cores_change_no_replication() {
    let model = desk(400.0);
    let one = run(&model, 1, &mut unwatched()).unwrap();
    for cores in [2, 7, 100, 0] {
        let several = run(&model, cores, &mut unwatched()).unwrap();
        assert_eq!(one.outcome, several.outcome, "{cores} cores");
        assert_eq!((one.events, one.details, one.clock), (several.events, several.details, several.clock));
        assert!(!several.interrupted && several.clock == model.until());
    }
    // Each is that of its number alone.
    for (place, number) in [(0, 3), (20, 23), (36, 39)] {
        let alone = queueing::run(&model, number..number + 1, Target::Heap, Default::default(), &mut unwatched());
        assert_eq!(alone.unwrap().outcome[0], one.outcome[place]);
    }
}

/// Cells that count their own events, in replications of which some break a promise, and whose start takes a while.
struct Counters {
    space: Space,
    broken: Vec<u32>,
    start: Duration,
}

impl Counters {
    fn new(broken: &[u32], start: Duration) -> Self {
        let space = Space::new([3, 2, 1], Border::Open, vec![]).unwrap();
        Self { space, broken: broken.to_vec(), start }
    }
}

fn units(units: f64) -> Time {
    Time::from_units(units).unwrap()
}

impl CellModel for Counters {
    fn space(&self) -> &Space {
        &self.space
    }

    fn until(&self) -> Time {
        units(2000.0)
    }

    fn lookahead(&self) -> Time {
        Time::UNIT
    }

    fn state_words(&self) -> usize {
        1
    }

    fn output_words(&self) -> usize {
        1
    }

    fn initialize(&self, cell: Cell, state: &mut [u32], _: &mut [u32]) -> Result<Time, CellError> {
        std::thread::sleep(self.start);
        state[0] = 1000 * cell.replication + cell.id;
        Ok(Time::UNIT)
    }

    fn output(&self, _: Cell, _: Time, _: &[u32], _: &mut [u32]) -> Result<bool, CellError> {
        Ok(false)
    }

    /// The later the replication, the fewer events it has: it ends sooner than those before it.
    fn transition(
        &self,
        cell: Cell,
        moment: Moment,
        _: Time,
        state: &mut [u32],
        _: &impl Inputs,
    ) -> Result<Time, CellError> {
        state[0] = state[0].wrapping_mul(5).wrapping_add(cell.id);
        let now = moment.now.units();
        let breaks = now > 900.0 && self.broken.contains(&cell.replication);
        Ok(units(if breaks { f64::from(cell.replication) } else { now + 1.0 + f64::from(cell.replication) }))
    }
}

impl DeviceCells for Counters {}

#[test]
fn cores_change_no_cell() {
    let model = Counters::new(&[], Duration::ZERO);
    let outcome = |cores| -> CellOutcome {
        let run = cells::run(&model, 0..40, on(cores), Default::default(), &mut unwatched()).unwrap();
        assert!(!run.interrupted && run.events == run.outcome.transitions);
        run.outcome
    };
    let one = outcome(1);
    assert_eq!((one.replications, one.state.len()), (40, 240));
    for cores in [2, 5, 0] {
        let several = outcome(cores);
        assert!(one.first_difference(&several).is_none() && one.digest() == several.digest(), "{cores} cores");
    }
}

/// Of several errors it is that of the first replication that has one, however many cores there are.
#[test]
fn the_first_error_is_the_one_that_is_said() {
    for broken in [&[0][..], &[9, 5, 30], &[39, 38]] {
        let first = broken.iter().min().unwrap();
        let model = Counters::new(broken, Duration::ZERO);
        for cores in [1, 2, 8] {
            let error = cells::run(&model, 0..40, on(cores), Default::default(), &mut unwatched()).unwrap_err();
            assert!(matches!(error, CellError::Past { next, .. } if next == units(f64::from(*first))), "{error}");
        }
    }
}

/// Ends a run at its first look.
struct Ends;

impl Watch for Ends {
    fn look(&mut self, progress: &Progress) -> ControlFlow<()> {
        assert!(progress.clock <= progress.until);
        ControlFlow::Break(())
    }

    fn set_up(&mut self, _: Duration) -> ControlFlow<()> {
        ControlFlow::Break(())
    }
}

/// What is kept are the first replications, whole, or a part of the first one.
#[test]
fn an_interrupted_run_has_the_first_replications() {
    // Work that a watch sees after 20 ms.
    let model = desk(60_000.0);
    let whole = run(&desk(60_000.0), 2, &mut unwatched()).unwrap();
    for cores in [1, 2, 5] {
        let part = run(&model, cores, &mut Ends).unwrap();
        assert!(part.interrupted && part.outcome.len() < 37, "{cores} cores: {}", part.outcome.len());
        if part.clock == model.until() {
            assert_eq!(part.outcome, whole.outcome[..part.outcome.len()]);
        } else {
            assert_eq!(part.outcome.len(), 1);
            let shorter = desk(part.clock.units());
            assert_eq!(run(&shorter, cores, &mut unwatched()).unwrap().outcome[0], part.outcome[0]);
        }
    }
}

/// A watch is asked while states are made, too.
#[test]
fn a_set_up_ends_a_run_of_replications() {
    let model = Counters::new(&[], Duration::from_millis(5));
    match cells::run(&model, 0..40, on(2), Default::default(), &mut Ends) {
        Err(CellError::Interrupted(_)) => {}
        ended => {
            let run = ended.unwrap();
            assert!(run.interrupted && run.outcome.replications < 40, "{} replications", run.outcome.replications);
        }
    }
}

/// No more run at once than there are replications, or than memory has room for.
#[test]
fn a_run_says_how_many_threads_it_had() {
    let large = |replications| {
        let each = Station::new("s", "exponential:10".parse().unwrap()).tokens(1).servers(2);
        let ring = queueing::Topology::Ring { stations: 50_000 };
        let model = Network::generate(&ring, &each, 0.0).unwrap().until(0.01).check().unwrap();
        queueing::run(&model, 0..replications, on(1000), Default::default(), &mut unwatched()).unwrap().threads
    };
    assert_eq!((large(1), large(3)), (Some(1), Some(3)));
    let small = run(&desk(6.0), 1000, &mut unwatched()).unwrap().threads.unwrap();
    assert!((2..=37).contains(&small), "{small}");
}
