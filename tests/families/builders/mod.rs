//! Random calls of the public builders: whatever they are given, they return.
//!
//! A case is a list of numbers, which choose setters and their values one after the other. `TICKLESS_BUILDER_CASES` says how many cases
//! each family has.

mod cells;
mod network;
mod processes;
mod searches;

use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use tickless::device::AdapterDescription;
use tickless::engine::{BatchSize, Options};
use tickless::run::{Progress, Watch};

/// The numbers of a case; 0 when they are used up.
pub struct Choices(std::vec::IntoIter<u64>);

impl Choices {
    fn next(&mut self) -> u64 {
        self.0.next().unwrap_or(0)
    }

    /// One of so many.
    fn of(&mut self, many: u64) -> u64 {
        self.next() % many
    }

    fn one<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.of(all.len() as u64) as usize]
    }

    /// Once in `times`.
    fn once_in(&mut self, times: u64) -> bool {
        self.of(times) == times - 1
    }

    /// A number that most builders take, or else the least, the largest and their neighbours.
    fn count(&mut self) -> u32 {
        match self.of(16) {
            0..13 => 1 + self.of(4) as u32,
            13 => 0,
            14 => self.one(&[u32::MAX, u32::MAX - 1, 1 << 31, (1 << 31) - 1, 1 << 16, 1 << 20, 1025]),
            _ => self.next() as u32,
        }
    }

    /// The same for numbers that are not whole.
    fn amount(&mut self) -> f64 {
        const WILD: [f64; 18] = [
            -1.0,
            -0.0,
            f64::NAN,
            f64::INFINITY,
            f64::NEG_INFINITY,
            f64::MAX,
            f64::MIN,
            f64::MIN_POSITIVE,
            5e-324,
            1e300,
            1e-300,
            1e9,
            2_147_483_648.0,
            1_073_741_824.0,
            4_294_967_296.0,
            2.328_306_436_538_696_3e-10,
            1e-10,
            1e12,
        ];
        match self.of(24) {
            0..20 => self.one(&[1.0, 0.5, 2.0, 0.25, 3.0, 10.0]),
            20 => 0.0,
            21 | 22 => self.one(&WILD),
            _ => f64::from_bits(self.next()),
        }
    }

    fn amounts(&mut self) -> Vec<f64> {
        (0..self.of(4)).map(|_| self.amount()).collect()
    }

    fn maybe<T>(&mut self, make: impl FnOnce(&mut Self) -> T) -> Option<T> {
        (self.of(3) == 2).then(|| make(self))
    }

    fn rounds(&mut self) -> Options {
        let batch = match self.of(3) {
            0 => BatchSize::default(),
            1 => BatchSize::Rounds(self.count()),
            _ => BatchSize::Rounds(1),
        };
        let workgroup = self.one(&[0, 0, 64, 32, 1024, 33, u32::MAX]);
        Options { workgroup, elements: self.maybe(Self::count), batch, renumber: self.one(&[0, 1, u32::MAX]) }
    }

    fn adapter(&mut self) -> AdapterDescription {
        AdapterDescription::imagined(self.of(2) == 0, self.one(&[0, 32, 64]))
    }
}

/// Ends a run as soon as it is asked.
struct AtOnce;

impl Watch for AtOnce {
    fn look(&mut self, _: &Progress) -> std::ops::ControlFlow<()> {
        std::ops::ControlFlow::Break(())
    }
}

fn whatever(calls: impl Fn(&mut Choices)) {
    let cases = std::env::var("TICKLESS_BUILDER_CASES").map_or(100, |cases| cases.parse().expect("a number"));
    let config = Config { cases, failure_persistence: None, ..Config::default() };
    let numbers = proptest::collection::vec(any::<u64>(), 0..120);
    let case = |numbers: Vec<u64>| {
        calls(&mut Choices(numbers.into_iter()));
        Ok(())
    };
    TestRunner::new(config).run(&numbers, case).unwrap_or_else(|error| panic!("{error}"));
}

#[test]
fn networks_are_models_or_errors() {
    whatever(network::build);
}

#[test]
fn processes_are_models_or_errors() {
    whatever(processes::build);
}

#[test]
fn cells_are_models_or_errors() {
    whatever(cells::build);
}

#[test]
fn searches_are_models_or_errors() {
    whatever(searches::build);
}
