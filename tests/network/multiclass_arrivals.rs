//! Arrivals of networks of classes: by the phases of a Markov chain, and from traces.

use super::theory::{assert_figure, mean_present};
use super::*;
use tickless::queueing::{Class, Phases, Source, Station, Trace};

type Matrix = [[f64; 2]; 2];

fn times(a: Matrix, b: Matrix) -> Matrix {
    std::array::from_fn(|row| std::array::from_fn(|column| a[row][0] * b[0][column] + a[row][1] * b[1][column]))
}

fn plus(a: Matrix, b: Matrix) -> Matrix {
    std::array::from_fn(|row| std::array::from_fn(|column| a[row][column] + b[row][column]))
}

fn by(factor: f64, a: Matrix) -> Matrix {
    a.map(|row| row.map(|value| factor * value))
}

fn inverse([[a, b], [c, d]]: Matrix) -> Matrix {
    by(1.0 / (a * d - b * c), [[d, -b], [-c, a]])
}

const ONE: Matrix = [[1.0, 0.0], [0.0, 1.0]];

/// The mean number in a queue of arrivals `d0`, `d1` and exponential services, matrix-geometric (Neuts 1981): the least R with
/// D1 + R (D0 - m) + R² m = 0, π (D0 + R m) = 0 and π (1 - R)⁻¹ 1 = 1, and the mean is π R (1 - R)⁻² 1.
fn matrix_geometric(d0: Matrix, d1: Matrix, serves: f64) -> f64 {
    let within = inverse(by(-1.0, plus(d0, by(-serves, ONE))));
    let mut r: Matrix = [[0.0; 2]; 2];
    for _ in 0..5_000 {
        r = times(plus(d1, by(serves, times(r, r))), within);
    }
    let empty = plus(d0, by(serves, r));
    // π of two phases from one equation, the other being its negative.
    let pi = [-empty[1][0], empty[0][0]].map(|value| value / (empty[0][0] - empty[1][0]));
    let sums = inverse(plus(ONE, by(-1.0, r)));
    let of = |matrix: Matrix| -> f64 { (0..2).map(|row| pi[row] * (matrix[row][0] + matrix[row][1])).sum() };
    of(times(r, times(sums, sums))) / of(sums)
}

fn queue(phases: Phases, mean: f64) -> Network {
    let mut network = Network::new().warmup(1000.0).until(21_000.0);
    let desk = network.station(Station::new("desk", law(&format!("exponential:{mean}"))));
    let exit = network.sink("exit");
    network.source(Source::by_phases("in", phases, desk));
    network.route(desk, exit, 1.0, 0.0);
    network
}

/// MMPP/M/1 and MAP/M/1, whose arrivals change the phase.
#[test]
fn phases_lengthen_the_queue() {
    let rows = |matrix: Matrix| matrix.map(|row| row.to_vec()).to_vec();
    let network = queue(Phases::mmpp(rows([[-0.5, 0.5], [0.25, -0.25]]), &[1.5, 0.3]), 0.8);
    let modulated = matrix_geometric([[-2.0, 0.5], [0.25, -0.55]], [[1.5, 0.0], [0.0, 0.3]], 1.25);
    // An M/M/1 of that rate has fewer.
    assert!(modulated > 1.3 * 0.56 / 0.44, "{modulated}");
    assert_figure(&network, "modulated", modulated, |outcome| mean_present(outcome, 0));
    let outcome = run(network).outcome;
    let sent = outcome.sources[0] as f64 / outcome.stations.measured();
    assert!((sent - 2.1 / 3.0).abs() < 0.05, "{sent}");
    let (d0, d1) = ([[-2.0, 1.0], [0.0, -1.0]], [[0.5, 0.5], [1.0, 0.0]]);
    let network = queue(Phases::map(rows(d0), rows(d1)), 0.75);
    let marked = matrix_geometric(d0, d1, 1.0 / 0.75);
    assert_figure(&network, "marked", marked, |outcome| mean_present(outcome, 0));
    // No more than are asked for, and the interruption of a run finds a source between changes.
    let mut network = Network::new().until(1000.0);
    let desk = network.station(Station::new("desk", law("constant:1")));
    let exit = network.sink("exit");
    network.source(
        Source::by_phases("in", Phases::map(rows(d0), rows(d1)), desk).limit(7).start(500.0).batch(vec![0.0, 1.0]),
    );
    network.route(desk, exit, 1.0, 0.0);
    let outcome = run(network).outcome;
    assert_eq!((outcome.sources[0], outcome.sinks[0].tokens), (7, 7));
}

/// By hand: an early one, two urgent ones at once with another behind them, and no more than the limit.
#[test]
fn traces_by_hand() {
    let mut network = Network::new().until(40.0);
    let [other, urgent] = ["other", "urgent"].map(|name| network.class(Class::new(name)));
    let desk = network.station(Station::new("desk", law("constant:1")));
    let exit = network.sink("exit");
    let trace = Trace::new(vec![(0.0, None, 1), (4.5, Some(urgent), 2), (4.5, None, 1), (30.0, None, 9)]);
    network.source(Source::by_trace("in", trace, desk).class(other).start(2.0).limit(6));
    network.route(desk, exit, 1.0, 0.0);
    let model = model(network.clone());
    assert!(model.warnings().is_empty(), "{:?}", model.warnings());
    let outcome = run(network.clone()).outcome;
    // From 2; from 6.5, 6.5 and 6.5; from 32 two of nine.
    assert_eq!(outcome.class_sinks.iter().map(|sink| sink.tokens).collect::<Vec<_>>(), [4, 2]);
    let waits = [0, 1].map(|class| outcome.classes[class].record.waiting >> 32);
    assert_eq!((outcome.sources[0], waits), (6, [2 + 1, 1]));
    // The file says the same.
    let text = "until = 40
        class = [{ name = 'other' }, { name = 'urgent' }]
        station = [{ name = 'desk', service = 'constant:1' }]
        sink = [{ name = 'exit' }]
        route = [{ from = 'desk', to = 'exit' }]
        [[source]]
        name = 'in'
        to = 'desk'
        class = 'other'
        start = 2
        limit = 6
        trace = \"\"\"
            time,class,batch
            0,,
            4.5,urgent,2
            4.5
            30,,9
        \"\"\"";
    assert_eq!(Network::from_toml(text), Ok(network));
}
