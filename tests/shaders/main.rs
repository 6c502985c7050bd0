//! Every kernel of every form: it parses, validates and translates to each back end, and keeps to the house's rules.

mod classes;
mod files;
#[allow(dead_code, reason = "only its kernels are of interest here")]
#[path = "../cells/gossip.rs"]
mod gossip;
mod kernels;
mod page;

use std::collections::BTreeSet;
use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use kernels::{KERNELS, Listed, validate};
use naga::back::{glsl, hlsl, msl, spv};
use naga::valid::ModuleInfo;
use tickless::device::Kernel;

/// Storage buffers of a kernel, and bytes of workgroup memory, that every WebGPU adapter has.
const STORAGE_BUFFERS: usize = 8;
const WORKGROUP_BYTES: u32 = 16 << 10;

/// The validated kernels, each checked by `judge`.
fn each(judge: impl Fn(&Kernel, &naga::Module, &ModuleInfo) -> Result<(), String>) {
    for Listed { name, kernel, module, info } in KERNELS.iter() {
        judge(kernel, module, info).unwrap_or_else(|e| panic!("{name}: {e}"));
    }
}

#[test]
fn a_kernel_that_is_wrong_is_caught() {
    let source = &KERNELS[0].kernel.source;
    assert!(validate(source).is_ok() && validate(&source.replace("fn run(", "fn ran(")).is_err());
    // It parses, but a buffer without a number is not valid.
    let source = "var<storage, read_write> words: array<u32>;
                  @compute @workgroup_size(64) fn main() { words[0] = 1u; }";
    assert!(naga::front::wgsl::parse_str(source).is_ok() && validate(source).is_err());
}

/// `shaders/lib/divide.wgsl` says why.
#[test]
fn no_kernel_divides_words_of_64_bits() {
    each(|_, module, info| if divides_long_words(module, info) { Err("it divides".into()) } else { Ok(()) });
    let source = "@group(0) @binding(0) var<storage, read_write> words: array<u64>;
                  @compute @workgroup_size(64) fn main() { words[0] = words[1] / 3lu; }";
    let divides = |source: &str| validate(source).map(|(module, info)| divides_long_words(&module, &info));
    assert_eq!([divides(source), divides(&source.replace('/', "*"))], [Ok(true), Ok(false)]);
}

fn divides_long_words(module: &naga::Module, info: &ModuleInfo) -> bool {
    let own = module.functions.iter().map(|(handle, function)| (function, &info[handle]));
    let entries = module.entry_points.iter().enumerate().map(|(n, entry)| (&entry.function, info.get_entry_point(n)));
    own.chain(entries).any(|(function, types)| {
        function.expressions.iter().any(|(handle, expression)| {
            let naga::Expression::Binary { op, .. } = expression else { return false };
            let is_long =
                || types[handle].ty.inner_with(&module.types).scalar().is_some_and(|scalar| scalar.width == 8);
            matches!(op, naga::BinaryOperator::Divide | naga::BinaryOperator::Modulo) && is_long()
        })
    })
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

/// What Metal allows a kernel on every Mac (Metal Feature Set Tables, Apple): entries of the table of buffers, of which one tells the lengths
/// of the others; bytes of threadgroup memory; threads of a group, which are more on a Mac.
const METAL_BUFFERS: usize = 31;
const METAL_BYTES: u32 = 32 << 10;
const METAL_THREADS: u32 = 512;

/// Metal's text of a kernel, within its limits.
fn msl_of(module: &naga::Module, info: &ModuleInfo, workgroup: u32) -> Result<String, String> {
    let options = msl::Options { lang_version: (2, 4), ..Default::default() };
    let text = msl::write_string(module, info, &options, &msl::PipelineOptions::default());
    let (text, _) = text.map_err(|e| e.to_string())?;
    // What stands for a number that wgpu gives each buffer.
    let buffers = text.matches("[[user(fake0)]]").count();
    let memory = workgroup_bytes(module);
    if buffers > METAL_BUFFERS || memory > METAL_BYTES || workgroup > METAL_THREADS {
        return Err(format!("{buffers} buffers, {memory} bytes of threadgroup memory, {workgroup} threads"));
    }
    Ok(text)
}

#[test]
fn translates_to_msl() {
    each(|kernel, module, info| {
        let text = msl_of(module, info, kernel.workgroup)?;
        // Every buffer was counted.
        assert!(text.matches("[[user(fake0)]]").count() >= kernel.bindings.len(), "{text}");
        Ok(())
    });
}

#[test]
fn what_metal_has_no_room_for_is_caught() {
    let msl_of = |buffers: usize, words: u32, threads: u32| {
        let buffer = |n| format!("@group(0) @binding({n}) var<storage, read_write> b{n}: u32;");
        let [declared, used]: [String; 2] =
            [(0..buffers).map(buffer).collect(), (0..buffers).map(|n| format!("b{n} = w[lane];")).collect()];
        let source = format!(
            "{declared} var<workgroup> w: array<u32, {words}>; @compute @workgroup_size({threads}) \
             fn main(@builtin(local_invocation_index) lane: u32) {{ w[lane] = lane; {used} }}"
        );
        let (module, info) = validate(&source).unwrap();
        msl_of(&module, &info, threads)
    };
    assert!(msl_of(30, 8192, 512).is_ok());
    for (buffers, words, threads) in [(32, 8192, 512), (30, 8193, 512), (30, 8192, 513)] {
        assert!(msl_of(buffers, words, threads).is_err());
    }
}

/// Each buffer by its own number, which is what DXC's SPIR-V has it by.
fn numbered(module: &naga::Module) -> hlsl::BindingMap {
    let bound = module.global_variables.iter().filter_map(|(_, variable)| variable.binding);
    bound.map(|binding| (binding, hlsl::BindTarget { register: binding.binding, ..Default::default() })).collect()
}

/// The HLSL of a kernel, as wgpu gives it to DX12's compilers: without run-time checks.
fn hlsl_of(module: &naga::Module, info: &ModuleInfo, shader_model: hlsl::ShaderModel) -> Result<String, String> {
    let options = hlsl::Options {
        shader_model,
        zero_initialize_workgroup_memory: false,
        restrict_indexing: false,
        force_loop_bounding: false,
        binding_map: numbered(module),
        fake_missing_bindings: false,
        ..Default::default()
    };
    let (mut text, pipeline) = (String::new(), hlsl::PipelineOptions::default());
    let mut writer = hlsl::Writer::new(&mut text, &options, &pipeline);
    writer.write(module, info, None).map_err(|e| format!("{shader_model:?}: {e}"))?;
    Ok(text)
}

/// Whether shader model 5.1 has what a kernel needs: no 64-bit integers and no wave operations.
fn is_for_5_1(kernel: &Kernel) -> bool {
    !kernel.int64 && !kernel.subgroups
}

/// Shader model 6.0 has 64-bit integers and wave operations; words without subgroups translate to 5.1 too.
#[test]
fn translates_to_hlsl() {
    each(|kernel, module, info| {
        if is_for_5_1(kernel) {
            hlsl_of(module, info, hlsl::ShaderModel::V5_1)?;
        }
        hlsl_of(module, info, hlsl::ShaderModel::V6_0).map(|_| ())
    });
}

/// The folder that HLSL is written into.
fn hlsl_folder() -> PathBuf {
    PathBuf::from(std::env::var_os("TICKLESS_HLSL").expect("TICKLESS_HLSL names a folder"))
}

/// Writes what a compiler is to compile into the folder `TICKLESS_HLSL`, each text once.
fn write_hlsl(shader_model: hlsl::ShaderModel, is_for_it: impl Fn(&Kernel) -> bool) {
    let (folder, mut written) = (hlsl_folder(), BTreeSet::new());
    for Listed { name, module, info, .. } in KERNELS.iter().filter(|listed| is_for_it(&listed.kernel)) {
        let text = hlsl_of(module, info, shader_model).unwrap_or_else(|e| panic!("{name}: {e}"));
        if written.insert(text.clone()) {
            let file: String = name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
            let path = folder.join(format!("{:03}_{file}.hlsl", written.len()));
            std::fs::write(path, text).expect("a folder that can be written");
        }
    }
}

#[test]
#[ignore = "for scripts/fxc.sh, which compiles it"]
fn hlsl_for_fxc() {
    write_hlsl(hlsl::ShaderModel::V5_1, is_for_5_1);
}

#[test]
#[ignore = "for scripts/dxc.sh, which compiles it"]
fn hlsl_for_dxc() {
    write_hlsl(hlsl::ShaderModel::V6_0, |_| true);
}

/// Beside each kernel that a run has left in the folder `TICKLESS_HLSL`.
#[test]
#[ignore = "for scripts/dxc.sh, which compiles it for Vulkan"]
fn hlsl_of_a_run() {
    let files = std::fs::read_dir(hlsl_folder()).expect("a folder").map(|file| file.expect("a file").path());
    for path in files.filter(|path| path.extension().is_some_and(|extension| extension == "wgsl")) {
        let text = std::fs::read_to_string(&path).expect("a kernel");
        let (module, info) = validate(&text).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        let text = hlsl_of(&module, &info, hlsl::ShaderModel::V6_0).expect("HLSL");
        std::fs::write(path.with_extension("hlsl"), text).expect("a folder that can be written");
    }
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

/// Bytes of a kernel's workgroup memory.
fn workgroup_bytes(module: &naga::Module) -> u32 {
    let variables = module.global_variables.iter().map(|(_, variable)| variable);
    let shared = variables.filter(|variable| variable.space == naga::AddressSpace::WorkGroup);
    shared.map(|variable| module.types[variable.ty].inner.size(module.to_ctx())).sum()
}

#[test]
fn kernels_keep_to_what_every_adapter_has() {
    each(|kernel, module, _| {
        // Rows in the memory of another GPU are for CUDA, which has more.
        let storage = kernel.bindings.iter().filter(|b| b.storage && b.name != "crossing").count();
        let memory = workgroup_bytes(module);
        if storage > STORAGE_BUFFERS || memory > WORKGROUP_BYTES {
            return Err(format!("{storage} storage buffers, {memory} bytes of workgroup memory"));
        }
        Ok(())
    });
}

/// How many bytes a buffer has that holds a record, or a few.
fn bytes(module: &naga::Module, variable: &naga::GlobalVariable) -> u64 {
    match module.types[variable.ty].inner {
        naga::TypeInner::Array { size: naga::ArraySize::Dynamic, stride, .. } => u64::from(stride) * 12,
        _ => {
            let mut layouter = naga::proc::Layouter::default();
            layouter.update(module.to_ctx()).expect("a layout");
            layouter[variable.ty].to_stride().into()
        }
    }
}

/// Every kernel of a model can run for several runs at the same time, and is valid then, too. What forms differ in is not what that changes.
#[test]
fn every_kernel_has_a_joint_form() {
    let of_one_form = KERNELS.iter().filter(|listed| listed.name.contains("native, plain"));
    let of_models: Vec<_> = of_one_form.filter(|listed| listed.kernel.label != "engine/self_test").collect();
    assert!(of_models.len() > 100, "{} kernels", of_models.len());
    for Listed { name, kernel, module, .. } in of_models {
        let bound = module.global_variables.iter().filter(|(_, variable)| variable.binding.is_some());
        let buffer = |variable: &naga::GlobalVariable| bytes(module, variable);
        let buffers: Vec<_> = bound.map(|(_, v)| (v.name.as_deref().expect("a name"), buffer(v))).collect();
        let text = tickless::kernels::joint(&kernel.source, &buffers);
        let text = text.unwrap_or_else(|| panic!("{name} has no joint form"));
        validate(&text).unwrap_or_else(|e| panic!("{name}: {e}"));
    }
}
