//! Rule files: what is accepted runs for some events. The files that one names stand behind it, in the order in which they
//! are read, each behind a line of `===`.
#![no_main]

use std::ops::ControlFlow;
use std::time::Duration;

use libfuzzer_sys::fuzz_target;
use tickless::cells::{self, rules::RuleFile};
use tickless::device::Target;
use tickless::run::Progress;
use tickless::time::Time;

fuzz_target!(|text: &str| {
    let mut texts = text.split("===\n");
    let own = texts.next().unwrap_or_default();
    let Ok(file) = RuleFile::parse(own, "fuzz.ma", |_| texts.next().map(str::to_owned)) else { return };
    if file.space().cells() > 400 {
        return;
    }
    let mut watch = |progress: &Progress| match (progress.events, progress.elapsed) {
        (0..5000, elapsed) if elapsed < Duration::from_millis(500) => ControlFlow::Continue(()),
        _ => ControlFlow::Break(()),
    };
    let _ = cells::run(&file.model(Time::from_ticks(1000 << 32), 1), 0..1, Target::Heap, Default::default(), &mut watch);
});
