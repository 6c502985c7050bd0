//! The WGSL of rules: it is whole, valid in both forms of 64-bit words, and names the faults as the host does.

use naga::valid::{Capabilities, ValidationFlags, Validator};

use super::super::corpus::{self, corpus};
use super::super::{RuleFault, RuleFile, RuleModel};
use crate::cells::gpu::{self, CellOptions, DeviceCells};
use crate::device::{AdapterDescription, Kernel};
use crate::engine::round_program;
use crate::time::Time;

fn models() -> Vec<(String, RuleModel)> {
    let samples = [
        include_str!("../../../../examples/cells/life.ma"),
        include_str!("../../../../examples/cells/heat.ma"),
        include_str!("../../../../examples/cells/forest.ma"),
        include_str!("../../../../examples/cells/alarm.ma"),
    ];
    let files = |name: &str| match name {
        "heat.inc" => Some(include_str!("../../../../examples/cells/heat.inc").to_owned()),
        "alarm.var" => Some(include_str!("../../../../examples/cells/alarm.var").to_owned()),
        _ => Some(include_str!("../../../../examples/cells/forest.val").to_owned()),
    };
    let texts = samples.map(str::to_owned).into_iter().chain(corpus());
    texts
        .map(|text| {
            let file = RuleFile::parse(&text, "f.ma", files).unwrap_or_else(|e| panic!("{e}"));
            (text, file.model(Time::UNIT, 1))
        })
        .collect()
}

/// The kernel that calls the functions of the model, as an adapter with and without 64-bit words gets it.
fn arrival(model: &RuleModel, int64: bool) -> Kernel {
    let adapter = AdapterDescription::imagined(int64, 0);
    let parts = gpu::parts(model, &CellOptions::default(), &adapter, false).unwrap_or_else(|e| panic!("{e}"));
    let program = round_program(parts, &adapter).unwrap_or_else(|e| panic!("{e}"));
    program.kernels.into_iter().find(|kernel| kernel.label == "cells/arrival").expect("the kernel")
}

#[test]
fn it_is_valid_in_both_forms() {
    for (text, model) in models() {
        for int64 in [true, false] {
            let source = arrival(&model, int64).source;
            let module = naga::front::wgsl::parse_str(&source).expect("it is parsed already");
            let mut validator = Validator::new(ValidationFlags::all(), Capabilities::all());
            validator.validate(&module).unwrap_or_else(|e| panic!("{text}\n{}", e.emit_to_string(&source)));
        }
    }
}

/// What ports and variables need is in the WGSL of files that have them, and of no other.
#[test]
fn files_without_ports_and_variables_need_nothing_of_them() {
    for (text, model) in models() {
        let wgsl = arrival(&model, false).source;
        let has = |key: &str| text.to_ascii_lowercase().contains(key);
        assert_eq!(wgsl.contains("fn rule_port("), has("neighborports"), "{text}");
        assert_eq!(wgsl.contains("fn rule_variable("), has("statevariables"), "{text}");
        assert_eq!(wgsl.contains("rule_cell"), has("neighborports") || has("statevariables"), "{text}");
    }
}

#[test]
fn the_corpus_has_every_function_and_runs_without_faults() {
    assert!(corpus::uses_every_function());
    for text in corpus() {
        let file = RuleFile::parse(&text, "f.ma", |_| None).unwrap_or_else(|e| panic!("{e}"));
        let model = file.model(Time::from_units(40.0).expect("a time"), 3);
        let room = model.most_room();
        let model = model.with_room(room).expect("room");
        let (_, transitions) = super::naive::run(&model, 0).unwrap_or_else(|e| panic!("{text}{e}"));
        assert!(transitions > 50, "{text}{transitions}");
    }
}

#[test]
fn faults_have_the_same_bits_on_both_sides() {
    let wgsl: String = models().iter().map(|(_, model)| arrival(model, false).source).collect();
    let names = ["RULE_RANGE", "RULE_TRUTH", "RULE_DELAY", "RULE_NONE", "RULE_FULL"];
    for (name, fault) in names.iter().zip(RuleFault::ALL) {
        assert!(wgsl.contains(&format!("const {name}: u32 = 0x{:x}u;", fault.bits())), "{name}");
    }
    let model = models().remove(0).1;
    assert!(model.fault(0x200).starts_with("a number other than 0, 1 and ?"));
    assert!(model.fault(1).starts_with("the rules have set the fault 1"));
}
