//! The WGSL of rules: it is whole, valid in both forms of 64-bit words, and names the faults as the host does.

use naga::valid::{Capabilities, ValidationFlags, Validator};

use super::super::corpus::{self, corpus};
use super::super::{RuleFault, RuleFile, RuleModel};
use crate::cells::gpu::DeviceCells;
use crate::time::Time;

const NATIVE: &str = include_str!("../../../../shaders/lib/wide_native.wgsl");
const WORDS: &str = include_str!("../../../../shaders/lib/wide_words.wgsl");
const SHARED: [&str; 4] = [
    include_str!("../../../../shaders/lib/wide.wgsl"),
    include_str!("../../../../shaders/lib/time.wgsl"),
    include_str!("../../../../shaders/lib/pcg32.wgsl"),
    include_str!("../../../../shaders/lib/stream.wgsl"),
];

/// What the engine gives to a model.
const ENGINE: &str = "
    @group(0) @binding(0) var<storage, read_write> words: array<u32>;
    var<private> cell_id: u32;
    var<private> replication: u32;
    var<private> now: Time;
    var<private> planned: Time;
    fn state_word(cell: u32, i: u32) -> u32 { return words[64u * cell + i]; }
    fn set_state_word(cell: u32, i: u32, value: u32) { words[64u * cell + i] = value; }
    fn set_output(cell: u32, i: u32, value: u32) { words[cell + i] = value; }
    fn neighbour_exists(n: u32) -> bool { return n < 2u; }
    fn neighbour_arrives(n: u32) -> bool { return n < 3u; }
    fn neighbour_word(n: u32, i: u32) -> u32 { return words[n + i]; }
    fn raise(fault: u32, cell: u32) { words[cell] = fault; }
    @compute @workgroup_size(64) fn main(@builtin(global_invocation_id) id: vec3<u32>) {
        cell_id = id.x;
        if (cell_output(id.x)) { words[0] = wide_low(cell_transition(id.x, true)); }
    }";

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

#[test]
fn it_is_valid_in_both_forms() {
    for (text, model) in models() {
        for form in [NATIVE, WORDS] {
            let source = [form, &SHARED.join("\n"), ENGINE, &model.wgsl()].join("\n");
            let module = naga::front::wgsl::parse_str(&source)
                .unwrap_or_else(|e| panic!("{text}\n{}\n{}", model.wgsl(), e.emit_to_string(&source)));
            let mut validator = Validator::new(ValidationFlags::all(), Capabilities::all());
            validator.validate(&module).unwrap_or_else(|e| panic!("{text}\n{}", e.emit_to_string(&source)));
        }
    }
}

/// What ports and variables need is in the WGSL of files that have them, and of no other.
#[test]
fn files_without_ports_and_variables_need_nothing_of_them() {
    for (text, model) in models() {
        let wgsl = model.wgsl();
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
    let inertial = include_str!("../../../../shaders/cells/delay_inertial.wgsl");
    let wgsl: String = models().iter().map(|(_, model)| model.wgsl()).collect::<String>() + inertial;
    let names = ["RULE_RANGE", "RULE_TRUTH", "RULE_DELAY", "RULE_NONE", "RULE_FULL"];
    for (name, fault) in names.iter().zip(RuleFault::ALL) {
        assert!(wgsl.contains(&format!("const {name}: u32 = 0x{:x}u;", fault.bits())), "{name}");
    }
    let model = models().remove(0).1;
    assert!(model.fault(0x200).starts_with("a number other than 0, 1 and ?"));
    assert!(model.fault(1).starts_with("the rules have set the fault 1"));
}
