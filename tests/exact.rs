//! Exact rounds, by appointments: the digests of the heap simulator, for models without lookahead.

mod adapter;

use tickless::engine::Options;
use tickless::queueing::{Torus, gpu, reference};
use tickless::run::unwatched;

#[test]
fn tori_are_the_same() {
    for (form, device) in adapter::forms(&["native"]) {
        for (width, height, tokens, law, until) in [
            (8, 8, 1, "exponential:10", 300.0),
            (1, 1, 1, "exponential:10", 300.0),
            (1, 2, 2, "exponential:10", 300.0),
            (2, 2, 3, "constant:10", 300.0),
            (3, 5, 2, "constant:10", 300.0),
            (17, 13, 4, "exponential:10", 300.0),
            (64, 64, 1, "erlang:3,10", 200.0),
        ] {
            let torus = Torus::new(width, height).tokens(tokens).service(law.parse().expect("a law"));
            let model = torus.window(0.0).until(until).warmup(until / 3.0).check().expect("a model");
            let expected = reference::simulate(&model, &mut unwatched()).expect("a run");
            let found = gpu::simulate_exact(&model, device.as_ref(), &Options::default(), &mut unwatched());
            let found = found.unwrap_or_else(|e| panic!("{form}: {e}"));
            eprintln!("{width} x {height}: {:?} rounds, {} events", found.rounds, found.events);
            assert_eq!(expected.outcome, found.outcome, "{form}: {width} x {height}, {law}");
            assert_eq!(expected.outcome.digest(), found.outcome.digest());
        }
    }
}
