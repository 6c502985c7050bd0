//! Every kernel of every form: it parses, validates and translates to each back end, and keeps to the house's rules.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

#[allow(dead_code, reason = "only its kernels are of interest here")]
#[path = "cells/gossip.rs"]
mod gossip;

use gossip::Gossip;
use naga::back::{glsl, hlsl, msl, spv};
use naga::valid::{Capabilities as Features, ModuleInfo, ValidationFlags, Validator};
use tickless::cells::fire::{Fire, Landscape, Weather};
use tickless::cells::gpu::{CellOptions, DeviceCells};
use tickless::cells::rules::{RuleFile, corpus};
use tickless::cells::{self, Border, Space, Watershed};
use tickless::device::{AdapterDescription, AdapterKind, Capabilities, Kernel, compose};
use tickless::engine::{ModelParts, Options, round_program};
use tickless::processes::gpu::{DeviceModel, PendingSet, ProcessOptions};
use tickless::processes::{self, Phold};
use tickless::queueing::Torus;
use tickless::queueing::gpu::{self, Synchronization};
use tickless::queueing::network::{self, Network, NetworkModel, Observed, Source, Station, Topology};
use tickless::time::Time;

/// Storage buffers of a kernel, and bytes of workgroup memory, that every WebGPU adapter has.
const STORAGE_BUFFERS: usize = 8;
const WORKGROUP_BYTES: u32 = 16 << 10;
const LONGEST_FILE: usize = 119;

/// An adapter that takes this form of the kernels.
fn adapter(int64: bool, subgroup_size: u32) -> AdapterDescription {
    AdapterDescription {
        index: 0,
        name: "hand-made".into(),
        backend: "none".into(),
        kind: AdapterKind::Discrete,
        driver: String::new(),
        capabilities: Capabilities {
            int64,
            subgroup_size,
            timestamps: false,
            binding_size: 1 << 27,
            buffer_size: 1 << 28,
            workgroup_threads: 256,
            workgroups: 65_535,
            storage_buffers: STORAGE_BUFFERS as u32,
        },
    }
}

/// A network whose stations have so many servers and routes that workgroups decide what arrives.
fn crowds() -> NetworkModel {
    let each = Station::new("s", "exponential:10".parse().expect("a law")).servers(40).tokens(1);
    let topology = Topology::RandomRegular { stations: 100, degree: 64, seed: 1 };
    let network = Network::generate(&topology, &each, 0.0).expect("a size").window(1.0);
    network.check().expect("a model")
}

/// A station that the many tokens of one source alone come to: a workgroup decides them.
fn fronts() -> NetworkModel {
    let mut network = Network::new().window(100.0);
    let desk = network.station(Station::new("desk", "exponential:0.9".parse().expect("a law")));
    let exit = network.sink("exit");
    network.source(Source::new("in", "exponential:1".parse().expect("a law"), desk));
    network.route(desk, exit, 1.0, 0.0);
    network.check().expect("a model")
}

/// Of single servers, with a source and a sink.
fn exact(observed: Observed) -> NetworkModel {
    let interval = "exponential:2".parse().expect("a law");
    let each = Station::new("s", "exponential:1".parse().expect("a law"));
    let network = Network::generate(&Topology::Tandem { stations: 3, interval }, &each, 0.0).expect("a size");
    network.distributions(observed).check().expect("a model")
}

/// PHOLD with every set of pending events, whose events carry words or none, on an adapter.
fn processes(adapter: &AdapterDescription) -> Vec<(&'static str, ModelParts)> {
    let phold = DeviceModel::from(&Phold::new(1 << 15).population(16).check().expect("a model"));
    let carrying = DeviceModel { payload_words: 3, ..phold.clone() };
    let parts = |set: PendingSet, model: &DeviceModel| {
        let options = ProcessOptions { pending: set.into(), ..ProcessOptions::default() };
        (set.name(), processes::gpu::parts(model, &options, adapter).unwrap_or_else(|e| panic!("{e}")))
    };
    PendingSet::ALL.into_iter().flat_map(|set| [&phold, &carrying].map(|model| parts(set, model))).collect()
}

/// The kernels and buffers of cells on an adapter.
fn parts_of_cells(model: &impl DeviceCells, adapter: &AdapterDescription) -> ModelParts {
    parts_of_cells_by(model, false, adapter)
}

/// In order with a log, or as the model goes best.
fn parts_of_cells_by(model: &impl DeviceCells, ordered: bool, adapter: &AdapterDescription) -> ModelParts {
    let options = CellOptions { ordered, ..CellOptions::default() };
    cells::gpu::parts(model, &options, adapter, ordered).unwrap_or_else(|e| panic!("{e}"))
}

/// Cells of every kind: fires that start in different places, water, rules with both delays, with and without draws, and
/// cells that look at elapsed times and whose lookaheads differ.
fn cell_spaces(adapter: &AdapterDescription) -> Vec<(&'static str, ModelParts)> {
    let meadow = Landscape::uniform(40, 30, 30.0, 1).expect("a meadow");
    let header = "minutes,wind_kmh,wind_adjustment,wind_from,moisture_1h,moisture_10h,moisture_100h,moisture_herb,moisture_woody";
    let turns = Weather::parse(&format!("{header}\n0,5,0.4,0,6,7,8,60,90\n60,9,0.4,90,6,7,8,60,90\n"), "weather.csv");
    let turning = Fire::new(meadow.clone(), turns.expect("weather")).check().expect("a model");
    let fire = Fire::new(meadow, Weather::still()).replications(2).check().expect("a model");
    let watershed = Watershed::new(3, 2, vec![0.0; 6]).check().expect("a model");
    let gossip =
        Gossip { uneven: true, ..Gossip::new(Space::new([9, 9, 1], Border::Open, Space::moore()).expect("a space")) };
    let rules = |name: &str| {
        let file = RuleFile::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/cells").join(name));
        parts_of_cells(&file.unwrap_or_else(|e| panic!("{e}")).model(Time::UNIT, 1), adapter)
    };
    let ports = RuleFile::parse(&corpus().pop().expect("a file with ports"), "ports.ma", |_| None);
    let ports = parts_of_cells(&ports.unwrap_or_else(|e| panic!("{e}")).model(Time::UNIT, 1), adapter);
    vec![
        ("fire", parts_of_cells(&fire, adapter)),
        ("fire in weather that turns", parts_of_cells(&turning, adapter)),
        ("fire in order", parts_of_cells_by(&fire, true, adapter)),
        ("watershed", parts_of_cells(&watershed, adapter)),
        ("gossip", parts_of_cells(&gossip, adapter)),
        ("life", rules("life.ma")),
        ("heat", rules("heat.ma")),
        ("forest", rules("forest.ma")),
        ("alarm", rules("alarm.ma")),
        ("inertial ports", ports),
    ]
}

/// Every kernel in every form, with the form's name.
fn kernels() -> Vec<(String, Kernel)> {
    let torus = Torus::new(2048, 2048).tokens(2).check().expect("a torus");
    let text = include_str!("../examples/networks/clinic.toml");
    let network = Network::from_toml(text).expect("a network").check().expect("a model");
    let observed = Network::from_toml(text).expect("a network").distributions(Observed::All);
    let slow = observed.clone().approximate(0.5).check().expect("a model");
    let observed = observed.check().expect("a model");
    let approximate = Network::from_toml(text).expect("a network").approximate(0.5).check().expect("a model");
    let (crowds, fronts) = (crowds(), fronts());
    let (exact, exact_observed) = (exact(Observed::Nothing), exact(Observed::All));
    let mut kernels = vec![];
    for (wide, int64) in [("native", true), ("words", false)] {
        for (entry, subgroup_size) in [("plain", 0), ("subgroups", 32)] {
            let parts_by = |how, network| network::gpu::parts(network, 0..1, how).expect("a small network");
            let networks = [("clinic", &network), ("observed", &observed), ("crowds", &crowds), ("fronts", &fronts)];
            let approximate = [("approximate", &approximate), ("approximate, observed", &slow)];
            let networks = networks.into_iter().chain(approximate);
            let networks = networks.map(|(model, network)| (model, parts_by(Synchronization::Window, network)));
            let exact = [("exact network", &exact), ("exact, observed", &exact_observed)];
            let exact = exact.map(|(model, network)| (model, parts_by(Synchronization::Appointments, network)));
            let tori = [
                ("torus", Synchronization::Window, false),
                ("exact torus", Synchronization::Appointments, false),
                ("exact torus in tiles", Synchronization::Appointments, true),
            ];
            let tori = tori.map(|(model, how, in_tiles)| (model, gpu::parts(&torus, how, in_tiles)));
            let adapter = adapter(int64, subgroup_size);
            let models = tori.into_iter().chain(networks).chain(exact).chain(processes(&adapter));
            let models = models.chain(cell_spaces(&adapter));
            for (model, parts) in models {
                let program = round_program(parts, &adapter, &Options::default());
                for kernel in program.unwrap_or_else(|e| panic!("{e}")).kernels {
                    assert_eq!((kernel.int64, kernel.subgroups), (int64, subgroup_size > 0), "{}", kernel.label);
                    kernels.push((format!("{} ({model}, {wide}, {entry})", kernel.label), kernel));
                }
            }
        }
    }
    let source = include_str!("../shaders/engine/self_test.wgsl");
    kernels.push(("engine/self_test".into(), compose("engine/self_test", &[source]).expect("a kernel")));
    kernels
}

fn validate(source: &str) -> Result<(naga::Module, ModuleInfo), String> {
    let module = naga::front::wgsl::parse_str(source).map_err(|e| e.emit_to_string(source))?;
    let mut validator = Validator::new(ValidationFlags::all(), Features::all());
    let info = validator.validate(&module).map_err(|e| e.emit_to_string(source))?;
    Ok((module, info))
}

/// The validated kernels, each checked by `judge`.
fn each(judge: impl Fn(&Kernel, &naga::Module, &ModuleInfo) -> Result<(), String>) {
    for (name, kernel) in kernels() {
        let (module, info) = validate(&kernel.source).unwrap_or_else(|e| panic!("{name}: {e}"));
        judge(&kernel, &module, &info).unwrap_or_else(|e| panic!("{name}: {e}"));
    }
}

#[test]
fn a_kernel_that_is_wrong_is_caught() {
    let (name, kernel) = &kernels()[0];
    assert!(validate(&kernel.source).is_ok(), "{name}");
    assert!(validate(&kernel.source.replace("fn run(", "fn ran(")).is_err());
    // It parses, but a buffer without a number is not valid.
    let source = "var<storage, read_write> words: array<u32>;
                  @compute @workgroup_size(64) fn main() { words[0] = 1u; }";
    assert!(naga::front::wgsl::parse_str(source).is_ok() && validate(source).is_err());
}

/// For Vulkan 1.1 and newer; `spirv-val` looks at the result where it is installed.
#[test]
fn translates_to_spirv() {
    let installed = Command::new("spirv-val").arg("--version").output().is_ok();
    if !installed {
        eprintln!("SKIPPED: spirv-val is not installed; what naga wrote is not looked at");
    }
    each(|_, module, info| {
        let options = spv::Options { lang_version: (1, 3), ..Default::default() };
        let words = spv::write_vec(module, info, &options, None).map_err(|e| e.to_string())?;
        if installed { spirv_val(&words) } else { Ok(()) }
    });
}

fn spirv_val(words: &[u32]) -> Result<(), String> {
    let mut command = Command::new("spirv-val");
    command.args(["--target-env", "vulkan1.1"]).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().map_err(|e| e.to_string())?;
    child.stdin.take().expect("a pipe").write_all(bytemuck::cast_slice(words)).map_err(|e| e.to_string())?;
    let output = child.wait_with_output().map_err(|e| e.to_string())?;
    if output.status.success() { Ok(()) } else { Err(String::from_utf8_lossy(&output.stderr).into_owned()) }
}

#[test]
fn translates_to_msl() {
    each(|_, module, info| {
        let options = msl::Options { lang_version: (2, 4), ..Default::default() };
        let text = msl::write_string(module, info, &options, &msl::PipelineOptions::default());
        text.map(|_| ()).map_err(|e| e.to_string())
    });
}

/// Shader model 6.0 has 64-bit integers and wave operations; words without subgroups translate to 5.1 too.
#[test]
fn translates_to_hlsl() {
    each(|kernel, module, info| {
        let models: &[_] = if kernel.int64 || kernel.subgroups {
            &[hlsl::ShaderModel::V6_0]
        } else {
            &[hlsl::ShaderModel::V5_1, hlsl::ShaderModel::V6_0]
        };
        for &shader_model in models {
            let options = hlsl::Options { shader_model, ..Default::default() };
            let mut text = String::new();
            let pipeline = hlsl::PipelineOptions::default();
            let mut writer = hlsl::Writer::new(&mut text, &options, &pipeline);
            writer.write(module, info, None).map_err(|e| format!("{shader_model:?}: {e}"))?;
        }
        Ok(())
    });
}

/// GLSL ES has no 64-bit integers, and its subgroups are an extension of 3.20 that `auto` never relies on: the words
/// without subgroups are what runs there.
#[test]
fn translates_to_glsl_es() {
    each(|kernel, module, info| {
        if kernel.int64 || kernel.subgroups {
            return Ok(());
        }
        for version in [310, 320] {
            let options = glsl::Options { version: glsl::Version::new_gles(version), ..Default::default() };
            let pipeline = glsl::PipelineOptions {
                shader_stage: naga::ShaderStage::Compute,
                entry_point: "main".into(),
                multiview: None,
            };
            let mut text = String::new();
            let policies = naga::proc::BoundsCheckPolicies::default();
            glsl::Writer::new(&mut text, module, info, &options, &pipeline, policies)
                .and_then(|mut writer| writer.write())
                .map_err(|e| format!("{version}: {e}"))?;
        }
        Ok(())
    });
}

#[test]
fn kernels_keep_to_what_every_adapter_has() {
    each(|kernel, module, _| {
        let storage = kernel.bindings.iter().filter(|b| b.storage).count();
        let memory: u32 = module
            .global_variables
            .iter()
            .filter(|(_, variable)| variable.space == naga::AddressSpace::WorkGroup)
            .map(|(_, variable)| module.types[variable.ty].inner.size(module.to_ctx()))
            .sum();
        if storage > STORAGE_BUFFERS || memory > WORKGROUP_BYTES {
            return Err(format!("{storage} storage buffers, {memory} bytes of workgroup memory"));
        }
        Ok(())
    });
}

/// Every file of `shaders/` by its stem.
fn files() -> BTreeMap<String, String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("shaders");
    let mut files = BTreeMap::new();
    for room in root.read_dir().expect("shaders/").map(|entry| entry.expect("a room").path()) {
        for path in room.read_dir().expect("a folder of shaders").map(|entry| entry.expect("a file").path()) {
            let stem = path.strip_prefix(&root).expect("a path in shaders/").with_extension("");
            let stem = stem.to_str().expect("a plain name").replace('\\', "/");
            files.insert(stem, std::fs::read_to_string(&path).expect("a shader"));
        }
    }
    files
}

/// What is wrong with a file, if anything.
fn fault(stem: &str, text: &str, kernels: &[(String, Kernel)]) -> Option<String> {
    let banner = text.lines().next().unwrap_or_default();
    let named = banner.strip_prefix("// ").and_then(|rest| rest.strip_prefix(stem));
    let lines = text.lines().count();
    if !named.is_some_and(|rest| rest.is_empty() || rest.starts_with([':', ' '])) {
        Some(format!("its first line is '{banner}', not '// {stem}'"))
    } else if lines > LONGEST_FILE {
        Some(format!("it has {lines} lines; at most {LONGEST_FILE} are wanted"))
    } else if !kernels.iter().any(|(_, kernel)| kernel.source.contains(text)) {
        Some("no kernel uses it".into())
    } else {
        None
    }
}

#[test]
fn every_file_is_used_short_and_named() {
    let (files, kernels) = (files(), kernels());
    assert!(files.len() > 15, "{:?}", files.keys());
    for (stem, text) in &files {
        assert_eq!(fault(stem, text, &kernels), None, "shaders/{stem}.wgsl");
    }
    // Each label is the stem of a file.
    for (name, kernel) in &kernels {
        assert!(files.contains_key(&kernel.label), "{name}");
    }
}

#[test]
fn a_file_out_of_order_is_caught() {
    let (files, kernels) = (files(), kernels());
    let text = &files["lib/wide"];
    let caught = |stem: &str, text: &str| fault(stem, text, &kernels).unwrap_or_default();
    assert!(caught("lib/wider", text).contains("first line"));
    assert!(caught("lib/wid", text).contains("first line"));
    assert!(caught("lib/wide", &format!("{text}{}", "\n".repeat(100))).contains("lines"));
    assert!(caught("lib/wide", &format!("{text}// more")).contains("no kernel"));
}
