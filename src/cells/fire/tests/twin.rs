//! The device's files compile with both forms of a 64-bit word.

use naga::valid::{Capabilities, ValidationFlags, Validator};

/// What the engine gives a model, in names only.
const ENGINE: &str = "
var<private> cell_id: u32;
var<private> replication: u32;
var<private> now: Time;
var<private> planned: Time;
@group(0) @binding(0) var<storage, read_write> words: array<u32>;
fn state_word(cell: u32, i: u32) -> u32 { return words[2u * cell + i]; }
fn set_state_word(cell: u32, i: u32, value: u32) { words[2u * cell + i] = value; }
fn neighbour_arrives(n: u32) -> bool { return words[n] != 0u; }
@compute @workgroup_size(1) fn main() {
    if (cell_output(0u)) { words[0] = wide_low(cell_transition(0u, false)); }
    words[1] = wide_low(passage_delay(0u, now));
}
";

fn compiles(wide: &str, change: impl Fn(&str) -> String) -> Result<(), String> {
    let model = change(include_str!("../../../../shaders/cells/fire.wgsl"));
    let shared = [include_str!("../../../../shaders/lib/wide.wgsl"), include_str!("../../../../shaders/lib/time.wgsl")];
    let land = include_str!("../../../../shaders/cells/fire_land.wgsl");
    let delay = include_str!("../../../../shaders/cells/fire_delay.wgsl");
    let source = [wide, shared[0], shared[1], ENGINE, land, delay, &model].concat();
    let module = naga::front::wgsl::parse_str(&source).map_err(|error| error.emit_to_string(&source))?;
    let mut validator = Validator::new(ValidationFlags::all(), Capabilities::SHADER_INT64);
    validator.validate(&module).map(drop).map_err(|error| error.emit_to_string(&source))
}

#[test]
fn the_twin_compiles_in_both_forms() {
    for wide in [
        include_str!("../../../../shaders/lib/wide_words.wgsl"),
        include_str!("../../../../shaders/lib/wide_native.wgsl"),
    ] {
        assert_eq!(compiles(wide, str::to_owned), Ok(()));
        assert!(compiles(wide, |model| model.replace("planned;", "0;")).is_err());
    }
}
