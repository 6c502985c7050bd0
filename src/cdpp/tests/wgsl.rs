//! The WGSL of rules: it is complete, valid in both forms of 64-bit words, and names the faults as the host does.

use naga::valid::{Capabilities, ValidationFlags, Validator};

use super::super::corpus::{self, corpus};
use super::super::{RuleFault, RuleFile, RuleModel};
use tickless_cells::gpu::{self, CellOptions, DeviceCells};
use tickless_core::time::Time;
use tickless_device::{AdapterDescription, AdapterKind, Kernel, Program};
use tickless_engine::round_program;

fn models() -> Vec<(String, RuleModel)> {
    let samples = [
        include_str!("../../../examples/cells/life.ma"),
        include_str!("../../../examples/cells/heat.ma"),
        include_str!("../../../examples/cells/forest.ma"),
        include_str!("../../../examples/cells/alarm.ma"),
    ];
    let files = |name: &str| match name {
        "heat.inc" => Some(include_str!("../../../examples/cells/heat.inc").to_owned()),
        "alarm.var" => Some(include_str!("../../../examples/cells/alarm.var").to_owned()),
        _ => Some(include_str!("../../../examples/cells/forest.val").to_owned()),
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
    let parts = gpu::parts(model, 0..1, &CellOptions::default(), &adapter, false).unwrap_or_else(|e| panic!("{e}"));
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

/// Code for ports and variables is in the WGSL of files that have them, and of no other.
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
        let room = model.most_waiting();
        let model = model.with_max_waiting(room).expect("room");
        let (_, transitions) = super::naive::run(&model, 0).unwrap_or_else(|e| panic!("{text}{e}"));
        assert!(transitions > 50, "{text}{transitions}");
    }
}

#[test]
fn faults_have_the_same_bits_on_both_sides() {
    let wgsl: String = models().iter().map(|(_, model)| arrival(model, false).source).collect();
    let names = ["RULE_RANGE", "RULE_TRUTH", "RULE_DELAY", "RULE_NONE", "RULE_FULL", "RULE_WORD"];
    for (name, fault) in names.iter().zip(RuleFault::ALL) {
        assert!(wgsl.contains(&format!("const {name}: u32 = 0x{:x}u;", fault.bits())), "{name}");
    }
    let model = models().remove(0).1;
    assert!(model.fault(0x200).starts_with("a number other than 0, 1 and ?"));
    assert!(model.fault(1).starts_with("the rules have set the fault 1"));
}

/// A file of so many rules that each count a neighbourhood of (2 * `reach` + 1)^2 cells. `zones` have a rule of their own
/// before these.
fn counting(rules: usize, reach: i32, zones: usize) -> RuleModel {
    let offsets = (-reach..=reach).flat_map(|row| (-reach..=reach).map(move |column| format!(" m({row},{column})")));
    let mut text = format!(
        "[top]\ncomponents : m\n[m]\ntype : cell\ndim : (100,9)\ndelay : transport\nborder : wrapped\ninitialvalue : 0\n\
         neighbors :{}\nlocaltransition : r\n",
        offsets.collect::<String>()
    );
    (0..zones).for_each(|zone| text += &format!("zone : z{zone} {{ ({zone},0)..({zone},4) }}\n"));
    (0..zones).for_each(|zone| text += &format!("[z{zone}]\nrule : {zone} 1 {{ (0,0) = {zone} }}\nelse : r\n"));
    text += "[r]\n";
    let counted = |n: usize| format!("rule : {n} 1 {{ (0,0) = {n} and statecount({}) > {} }}\n", n % 8, n % 20);
    (1..rules).for_each(|n| text += &counted(n));
    text += "rule : 0 1 { t }\n";
    RuleFile::parse(&text, "f.ma", |_| None).unwrap_or_else(|e| panic!("{e}")).model(Time::UNIT, 1)
}

/// The text grows with rules, and neither with rules times neighbours nor with rules times the sections that share them.
#[test]
fn the_text_of_a_large_file_is_no_larger_than_its_rules() {
    let bytes = |rules, reach, zones| counting(rules, reach, zones).written().len();
    let (small, large) = (bytes(400, 1, 0), bytes(400, 2, 0));
    assert!(large < small + 100, "{small} bytes with 8 neighbours, {large} with 24");
    assert!((50_000..160_000).contains(&large), "{large}");
    assert!(bytes(4000, 2, 0) < 11 * large);
    let zones = bytes(400, 2, 50);
    assert!(zones < large + 50 * 1000, "{zones} bytes with 50 zones, {large} with none");
}

/// The depth of nested blocks does not grow, however many rules, zones and parts of a table there are: Mesa's software
/// adapter crashes beyond 80.
#[test]
fn the_blocks_of_a_large_file_are_flat() {
    for (rules, zones) in [(10, 0), (400, 0), (100, 100)] {
        let kernel = arrival(&counting(rules, 1, zones), false);
        assert!(kernel.nested < 32, "{} with {rules} rules and {zones} zones", kernel.nested);
    }
    let table = |inner: fn(String, usize) -> String| {
        let value = (0..60).fold("(0,1)".to_owned(), inner);
        let text = format!(
            "[top]\ncomponents : m\n[m]\ntype : cell\ndim : (9,9)\ndelay : transport\nborder : wrapped\ninitialvalue : 0\n\
             neighbors : m(0,0) m(0,1)\nlocaltransition : r\n[r]\nrule : {{{value}}} 1 {{ t }}\n"
        );
        let model = RuleFile::parse(&text, "f.ma", |_| None).unwrap_or_else(|e| panic!("{e}")).model(Time::UNIT, 1);
        arrival(&model, true).nested
    };
    assert!(table(|value, n| format!("if((0,0) = {n}, {n}, {value})")) < 32);
    let within = table(|value, n| format!("if((0,0) != {n}, {value}, {n})"));
    assert!(within > 64, "{within}");
}

/// Blocks on which software would crash are refused before anything is allocated.
#[test]
fn deep_blocks_are_refused_in_software() {
    let deep = (0..70).fold(String::new(), |inner, _| format!("if (words[0] > 1u) {{ {inner} words[0] -= 1u; }}"));
    let text = format!(
        "@group(0) @binding(0) var<storage, read_write> words: array<u32>; @compute @workgroup_size(64) fn main() {{ {deep} }}"
    );
    let mut program = Program::default();
    program.kernel(Kernel::parse("deep", text).unwrap_or_else(|e| panic!("{e}")));
    let gpu = AdapterDescription::imagined(true, 0);
    assert_eq!(program.check(&gpu), Ok(()));
    let software = AdapterDescription { kind: AdapterKind::Software, ..gpu };
    let error = program.check(&software).expect_err("a limit").to_string();
    for part in ["kernel deep: 70 asked, 64 available", "nest if()", "--backend heap"] {
        assert!(error.contains(part), "{error}");
    }
}
