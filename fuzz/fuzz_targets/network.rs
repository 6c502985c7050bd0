//! Networks in TOML: what is accepted runs for some events.
#![no_main]

use std::ops::ControlFlow;

use libfuzzer_sys::fuzz_target;
use tickless::device::Target;
use tickless::queueing::{self, Network};
use tickless::run::Progress;

/// A table `[generate]` may ask for all of the memory in a few words: with numbers of three digits it does not.
fn asks_for_much(text: &str) -> bool {
    let is_long = |word: &str| word.len() > 3 && word.starts_with(|c: char| c.is_ascii_digit());
    let words = |table: &str| table.split(|c: char| !c.is_alphanumeric() && c != '_').any(is_long);
    text.split_once("generate").is_some_and(|(_, table)| words(table))
}

fuzz_target!(|text: &str| {
    if asks_for_much(text) {
        return;
    }
    let Ok(model) = Network::from_toml(text).map(Network::check) else { return };
    let Some(model) = model.ok().filter(|model| model.stations() <= 1000 && model.tokens() <= 10_000) else { return };
    let mut watch = |progress: &Progress| match progress.events {
        0..10_000 => ControlFlow::Continue(()),
        _ => ControlFlow::Break(()),
    };
    let _ = queueing::run(&model, 0..2, Target::Heap, Default::default(), &mut watch);
});
