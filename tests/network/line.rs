//! The production line of the examples against the Markov chain that it is: machines of exponential times that fail while they work, as
//! Gershwin and Berman (AIIE Transactions 13(1), 1981) have two of them, solved for three.

use super::chain::Chain;
use super::theory::{assert_figures, mean_present, units};
use super::*;
use tickless::queueing::CostsOf;

/// Parts at the saw, at the mill and in the paint shop; whether the first two machines hold a part that they have made; and which work.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Line {
    parts: [u32; 3],
    holds: [bool; 2],
    works: [bool; 3],
}

const ROOM: [u32; 3] = [4, 3, 2];
const MAKES: [f64; 3] = [1.0 / 1.6, 1.0 / 1.8, 1.0 / 1.5];
const FAILS: [f64; 3] = [1.0 / 40.0, 1.0 / 60.0, 1.0 / 100.0];
const REPAIRED: [f64; 3] = [1.0 / 5.0, 1.0 / 6.0, 1.0 / 8.0];

impl Line {
    /// Whether a machine makes a part.
    fn is_busy(&self, machine: usize) -> bool {
        self.works[machine] && self.parts[machine] > 0 && !self.holds.get(machine).is_some_and(|holds| *holds)
    }

    /// A part leaves a machine, and with it goes what the machine before it holds.
    fn leave(&mut self, machine: usize) {
        self.parts[machine] -= 1;
        if machine > 0 && self.holds[machine - 1] {
            self.holds[machine - 1] = false;
            self.parts[machine] += 1;
            self.leave(machine - 1);
        }
    }

    /// A part is made.
    fn make(mut self, machine: usize) -> Self {
        match self.parts.get(machine + 1) {
            Some(parts) if *parts == ROOM[machine + 1] => self.holds[machine] = true,
            Some(_) => {
                self.parts[machine + 1] += 1;
                self.leave(machine);
            }
            None => self.leave(machine),
        }
        self
    }

    fn moves(self) -> Vec<(Self, f64)> {
        let mut moves = vec![];
        if self.parts[0] < ROOM[0] {
            let [saw, mill, paint] = self.parts;
            moves.push((Self { parts: [saw + 1, mill, paint], ..self }, 1.0 / 2.5));
        }
        for machine in 0..3 {
            let mut other = self;
            other.works[machine] = !self.works[machine];
            match self.works[machine] {
                false => moves.push((other, REPAIRED[machine])),
                // The paint shop fails at any time.
                true if machine == 2 || self.is_busy(machine) => moves.push((other, FAILS[machine])),
                true => {}
            }
            if self.is_busy(machine) {
                moves.push((self.make(machine), MAKES[machine]));
            }
        }
        moves
    }
}

#[test]
fn the_line_of_the_examples_is_a_chain() {
    let text = std::fs::read_to_string("examples/networks/line.toml").expect("an example");
    let network = Network::from_toml(&text).expect("a network");
    let chain = Chain::new(Line { parts: [0; 3], holds: [false; 2], works: [true; 3] }, Line::moves);
    let parts = |machine: usize| chain.mean(|line| f64::from(line.parts[machine]));
    let busy = |machine: usize| chain.share(|line| line.is_busy(machine));
    let holds = |machine: usize| chain.share(|line| line.holds[machine]);
    let shipped = busy(2) * MAKES[2];
    let lost = chain.share(|line| line.parts[0] == ROOM[0]) / 2.5;
    // What comes in goes out.
    assert!((shipped + lost - 1.0 / 2.5).abs() < 1e-6, "{shipped} {lost}");
    let waits = |machine: usize| parts(machine) - busy(machine);
    let cost = 0.05 * waits(0) + 0.1 * waits(1) + 0.1 * waits(2) + 6.0 * lost - 30.0 * shipped + 0.5 + 1.2 + 0.8;
    let checked = model(network.clone());
    let by_time =
        |of: fn(&NetworkOutcome) -> f64| move |outcome: &NetworkOutcome| of(outcome) / outcome.stations.measured();
    assert_figures(
        &network,
        &[
            ("shipped", shipped, &by_time(|outcome| outcome.sinks[0].tokens as f64)),
            ("lost", lost, &by_time(|outcome| outcome.classes[0].record.losses as f64)),
            ("at the saw", parts(0), &|outcome| mean_present(outcome, 0)),
            ("at the mill", parts(1), &|outcome| mean_present(outcome, 1)),
            ("in the paint shop", parts(2), &|outcome| mean_present(outcome, 2)),
            ("the mill is busy", busy(1), &by_time(|outcome| units(outcome.classes[1].record.busy))),
            (
                "both machines are held",
                holds(0) + holds(1),
                &by_time(|outcome| units(outcome.classes[0].blocked + outcome.classes[1].blocked)),
            ),
            ("earned", -cost, &|outcome| {
                -checked.cost(CostsOf::Everything, std::slice::from_ref(outcome)).map_or(f64::NAN, |cost| cost.mean)
            }),
        ],
    );
}
