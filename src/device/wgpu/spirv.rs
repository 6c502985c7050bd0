//! WGSL to SPIR-V for Vulkan, with barriers of the scope that WGSL asks for.
//!
//! naga's `storageBarrier()` makes memory visible to the whole device. WGSL asks for the workgroup only, and a GPU pays
//! for the rest: its stores must reach the cache that multiprocessors share, and it drops the lines of its own.

use naga::back::spv;
use naga::proc::{BoundsCheckPolicies, BoundsCheckPolicy};
use naga::valid::{Capabilities, ValidationFlags, Validator};

use crate::Kernel;

/// The instruction of a barrier: behind its own word come the scope of execution, that of memory, and the semantics.
const CONTROL_BARRIER: u32 = 224;
/// Words before the first instruction.
const HEADER: usize = 5;
/// Vulkan 1.1, which subgroups need, takes this version of SPIR-V.
const VERSION: (u8, u8) = (1, 3);

/// The words of a kernel without runtime checks, except for divisions: WGSL defines a division by zero.
///
/// # Errors
/// naga's error.
pub(super) fn words(kernel: &Kernel) -> Result<Vec<u32>, String> {
    if let Some(words) = of_another_compiler(kernel) {
        return Ok(words);
    }
    let mut words = as_naga_writes(kernel)?;
    keep_to_the_workgroup(&mut words);
    Ok(words)
}

/// In builds with debug assertions, as those of tests, the kernel as another compiler has made it and left it in the folder
/// `TICKLESS_SPIRV` under the name of its text; if it is missing, the text is left there under that name (scripts/dxc.sh).
#[cfg(debug_assertions)]
fn of_another_compiler(kernel: &Kernel) -> Option<Vec<u32>> {
    use std::hash::{DefaultHasher, Hash, Hasher};
    use std::{env, fs, path::Path};
    let folder = env::var_os("TICKLESS_SPIRV")?;
    let mut name = DefaultHasher::new();
    kernel.source.hash(&mut name);
    let path = Path::new(&folder).join(format!("{:016x}.spv", name.finish()));
    let Ok(bytes) = fs::read(&path) else {
        fs::write(path.with_extension("wgsl"), &kernel.source)
            .expect("TICKLESS_SPIRV names a folder that can be written");
        return None;
    };
    Some(bytemuck::pod_collect_to_vec(&bytes))
}

#[cfg(not(debug_assertions))]
fn of_another_compiler(_: &Kernel) -> Option<Vec<u32>> {
    None
}

fn as_naga_writes(kernel: &Kernel) -> Result<Vec<u32>, String> {
    let module = naga::front::wgsl::parse_str(&kernel.source).map_err(|e| e.emit_to_string(&kernel.source))?;
    let info = Validator::new(ValidationFlags::all(), Capabilities::all())
        .validate(&module)
        .map_err(|e| e.emit_to_string(&kernel.source))?;
    let entry = spv::PipelineOptions { shader_stage: naga::ShaderStage::Compute, entry_point: "main".into() };
    spv::write_vec(&module, &info, &options(), Some(&entry)).map_err(|e| e.to_string())
}

fn options() -> spv::Options<'static> {
    let unchecked = BoundsCheckPolicy::Unchecked;
    spv::Options {
        lang_version: VERSION,
        flags: spv::WriterFlags::empty(),
        bounds_check_policies: BoundsCheckPolicies {
            index: unchecked,
            buffer: unchecked,
            image_load: unchecked,
            binding_array: unchecked,
        },
        zero_initialize_workgroup_memory: spv::ZeroInitializeWorkgroupMemoryMode::None,
        force_loop_bounding: false,
        ..Default::default()
    }
}

/// Gives the memory of every barrier its scope of execution.
fn keep_to_the_workgroup(words: &mut [u32]) {
    let mut at = HEADER;
    while let Some(&word) = words.get(at) {
        let (code, length) = (word & 0xffff, (word >> 16).max(1) as usize);
        if let (CONTROL_BARRIER, Some([_, waiting, memory, _])) = (code, words.get_mut(at..at + length)) {
            *memory = *waiting;
        }
        at += length;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOURCE: &str = "@group(0) @binding(0) var<storage, read_write> words: array<u32>;
        var<workgroup> shared_word: u32;
        @compute @workgroup_size(64) fn main(@builtin(local_invocation_index) lane: u32) {
            if lane == 0u { shared_word = words[0]; }
            workgroupBarrier();
            words[lane] = shared_word;
            storageBarrier();
            words[lane + 64u] = words[63u - lane];
        }";

    /// For each barrier its scopes of execution and of memory.
    fn scopes(words: &[u32]) -> Vec<(u32, u32)> {
        const CONSTANT: u32 = 43;
        let (mut constants, mut found) = (std::collections::HashMap::new(), vec![]);
        let mut at = HEADER;
        while at < words.len() {
            let instruction = &words[at..at + (words[at] >> 16) as usize];
            match instruction[0] & 0xffff {
                CONSTANT => _ = constants.insert(instruction[2], instruction[3]),
                CONTROL_BARRIER => found.push((constants[&instruction[1]], constants[&instruction[2]])),
                _ => {}
            }
            at += instruction.len();
        }
        found
    }

    #[test]
    fn barriers_reach_the_workgroup_only() {
        const WORKGROUP: u32 = 2;
        const DEVICE: u32 = 1;
        let kernel = Kernel::parse("test", SOURCE.into()).unwrap();
        let before = scopes(&as_naga_writes(&kernel).unwrap());
        // The wide scope exists before the change, so this test would see its absence.
        assert_eq!(before, [(WORKGROUP, WORKGROUP), (WORKGROUP, DEVICE)]);
        assert_eq!(scopes(&words(&kernel).unwrap()), [(WORKGROUP, WORKGROUP); 2]);
    }

    #[test]
    fn nothing_but_the_scope_changes() {
        let kernel = Kernel::parse("test", SOURCE.into()).unwrap();
        let (before, after) = (as_naga_writes(&kernel).unwrap(), words(&kernel).unwrap());
        assert_eq!(before.len(), after.len());
        assert_eq!(before.iter().zip(&after).filter(|(b, a)| b != a).count(), 1);
    }

    #[test]
    fn what_is_no_valid_kernel_is_said() {
        let source = "@compute @workgroup_size(1) fn main() -> u32 { return 1u; }";
        let said = words(&Kernel::parse("test", source.into()).unwrap()).unwrap_err();
        assert!(said.contains("main"), "{said}");
    }
}
