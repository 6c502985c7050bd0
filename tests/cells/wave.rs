//! The model of one's own in `docs/cells.md`, which is that of `examples/wave`.

use tickless::cells::{self, Border, Space};
use tickless::device::Target;
use tickless::kernels::{self, CHOICES, Mounts, Source};
use tickless::run::unwatched;
use tickless::time::Time;

use crate::adapter;

#[path = "../../examples/wave/model.rs"]
mod model;

use model::Wave;

fn wave() -> Wave {
    let space = Space::new([30, 20, 1], Border::Wrapped, Space::moore()).expect("a space");
    let (delay, rest) = (Time::from_ticks(1 << 31), Time::from_ticks(3 << 31));
    Wave { space, until: Time::from_ticks(40 << 32), delay, rest }
}

#[test]
fn the_model_of_the_document_runs_everywhere() {
    let model = wave();
    let expected = cells::run(&model, 0..1, Target::Heap, Default::default(), &mut unwatched()).expect("a run").outcome;
    // A ring goes out from the first cell, and every cell fires once.
    assert!(expected.imminent >= 1200, "{}", expected.imminent);
    for (form, device) in adapter::forms(&["native"]) {
        let run = cells::run(&model, 0..1, Target::Device(&device), Default::default(), &mut unwatched());
        let run = run.unwrap_or_else(|e| panic!("{form}: {e}"));
        assert_eq!(expected.first_difference(&run.outcome), None, "{form}");
    }
}

/// Every name that the document says may be imported is where it says.
#[test]
fn the_document_names_what_there_is() {
    let constants = Source::Text(
        "const STATE_WORDS = 1u;
const OUTPUT_WORDS = 1u;
const NEIGHBOURS = 8u;"
            .into(),
    );
    let mounts = Mounts::default()
        .with("word64", "lib/wide_words")
        .with("model_status", "cells/status")
        .with("constants", constants);
    let document = include_str!("../../docs/cells.md");
    let rows = document.lines().skip_while(|line| *line != "| from | what |").skip(2);
    let mut names = vec![];
    for row in rows.take_while(|line| line.starts_with('|')) {
        let mut words = row.split('`').skip(1).step_by(2);
        let from = words.next().expect("a path");
        for name in words.filter(|word| *word != "DeviceCells::fault") {
            let name = name.split('(').next().expect("a name");
            let choice = CHOICES.iter().find(|choice| choice.name == from);
            let file = from.strip_prefix("package::").map(|path| path.replace("::", "/"));
            for stem in choice.map_or(&[][..], |choice| choice.modules).iter().copied().chain(file.as_deref()) {
                assert!(kernels::link(stem, name, &mounts).is_ok(), "{stem} has no {name}");
            }
            assert!(choice.is_some() || file.is_some(), "there is no {from}");
            names.push(name);
        }
    }
    assert!(names.len() > 25 && names.contains(&"NEIGHBOURS"), "{names:?}");
    assert!(kernels::link("cells/cell", "cell_idd", &mounts).is_err());
}
