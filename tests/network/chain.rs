//! Markov chains of a few states or thousands in continuous time, solved: what tests hold figures against.

use std::collections::HashMap;
use std::hash::Hash;

/// The states that a chain comes to, and how much of the time it is in each in the long run.
pub(super) struct Chain<S> {
    states: Vec<S>,
    chances: Vec<f64>,
}

impl<S: Copy + Eq + Hash> Chain<S> {
    /// The chain that begins in a state, and moves from each to others at rates. The balance of each state is met one after the other, over
    /// and over (Gauss and Seidel).
    pub(super) fn new(first: S, moves: impl Fn(S) -> Vec<(S, f64)>) -> Self {
        let (mut states, mut places) = (vec![first], HashMap::from([(first, 0)]));
        let (mut leaves, mut comes) = (vec![], vec![vec![]]);
        while let Some(&state) = states.get(leaves.len()) {
            let from = leaves.len();
            let moves = moves(state);
            leaves.push(moves.iter().map(|(_, rate)| rate).sum::<f64>());
            for (to, rate) in moves {
                let place = *places.entry(to).or_insert_with(|| {
                    states.push(to);
                    comes.push(vec![]);
                    states.len() - 1
                });
                comes[place].push((from, rate));
            }
        }
        let mut chances = vec![1.0 / states.len() as f64; states.len()];
        for _ in 0..5_000 {
            let mut change = 0.0;
            for place in 0..states.len() {
                let flow: f64 = comes[place].iter().map(|(from, rate)| chances[*from] * rate).sum();
                let before = std::mem::replace(&mut chances[place], flow / leaves[place]);
                change += (chances[place] - before).abs();
            }
            let all: f64 = chances.iter().sum();
            chances.iter_mut().for_each(|chance| *chance /= all);
            if change < 1e-11 {
                return Self { states, chances };
            }
        }
        panic!("the chances have not settled");
    }

    /// The mean of a figure of the states.
    pub(super) fn mean(&self, of: impl Fn(S) -> f64) -> f64 {
        self.states.iter().zip(&self.chances).map(|(state, chance)| of(*state) * chance).sum()
    }

    /// How much of the time something holds.
    pub(super) fn share(&self, holds: impl Fn(S) -> bool) -> f64 {
        self.mean(|state| f64::from(u8::from(holds(state))))
    }
}

/// The chain of an M/M/1 with room for four: geometric chances.
#[test]
fn a_chain_has_the_chances_of_a_queue() {
    let chain = Chain::new(0, |present: u32| {
        let (up, down) = ((present + 1, 0.5), (present.saturating_sub(1), 1.0));
        [up, down].into_iter().filter(|(to, _)| *to <= 4 && *to != present).collect()
    });
    let all = 1.0 - 0.5_f64.powi(5);
    for present in 0..=4 {
        let chance = chain.share(|state| state == present);
        assert!((chance - 0.5 * 0.5_f64.powi(present as i32) / all).abs() < 1e-9, "{present}: {chance}");
    }
}
