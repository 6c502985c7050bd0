//! A watch ends the set-up of a large state on the heap, in every family.

use std::ops::ControlFlow;
use std::time::Duration;

use tickless::cells::{self, Watershed};
use tickless::device::Target;
use tickless::processes::{self, Phold, ProcessError};
use tickless::queueing::{self, Network, NetworkModel, QueueingError, Station, Topology};
use tickless::run::{Interrupted, Progress, Watch};

/// Ends the set-up when it is asked for this time, or never.
struct Stops(u32);

impl Watch for Stops {
    fn look(&mut self, _: &Progress) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn set_up(&mut self, _: Duration) -> ControlFlow<()> {
        self.0 = self.0.wrapping_sub(1);
        if self.0 == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

fn torus(tokens: u32, until: f64) -> Network {
    let each = Station::new("s", "exponential:10".parse().unwrap()).tokens(tokens);
    Network::generate(&Topology::Torus { width: 150, height: 100 }, &each, 0.0).unwrap().until(until)
}

fn run(model: &NetworkModel, asked: u32) -> Result<(usize, bool), QueueingError> {
    let run = queueing::run(model, 0..1, Target::Heap, Default::default(), &mut Stops(asked))?;
    Ok((run.outcome.len(), run.interrupted))
}

#[test]
fn a_set_up_ends_without_a_result() {
    let mut several = Network::new().until(0.001);
    let desk = several.station(Station::new("desk", "exponential:10".parse().unwrap()).tokens(70_000));
    several.route(desk, desk, 1.0, 0.0);
    let mut servers = Network::new().until(0.001);
    let each = Station::new("desk", "exponential:10".parse().unwrap()).tokens(70_000).servers(70_000);
    let desk = servers.station(each);
    servers.route(desk, desk, 1.0, 0.0);
    for network in [torus(5, 0.001), several, servers] {
        let model = network.check().unwrap();
        assert_eq!(run(&model, 1), Err(QueueingError::Interrupted(Interrupted)));
        assert_eq!(run(&model, 0), Ok((1, false)));
    }
    let phold = Phold::new(40_000).population(1).until(0.001).check().unwrap();
    let ended = processes::run(&phold, Target::Heap, Default::default(), &mut Stops(1));
    assert!(matches!(ended, Err(ProcessError::Interrupted(Interrupted))));
    let heights = vec![0.0; 300 * 300];
    let water = Watershed::new(300, 300, heights).until(1.0).check().unwrap();
    let ended = cells::run(&water, 0..1, Target::Heap, Default::default(), &mut Stops(1));
    assert!(matches!(ended, Err(cells::CellError::Interrupted(Interrupted))));
}

/// A pilot whose set-up ends has found nothing.
#[test]
fn a_pilot_ends_in_its_set_up() {
    let each = Station::new("s", "exponential:10".parse().unwrap()).tokens(1).servers(2);
    let ring = Network::generate(&Topology::Ring { stations: 40_000 }, &each, 0.0).unwrap().until(0.001);
    let found = queueing::warmup::find(&ring.check().unwrap(), &mut Stops(1)).unwrap();
    assert!(found.interrupted && found.replications == 0, "{found:?}");
}
