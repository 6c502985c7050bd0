//! The translation, construct by construct. `tests/cuda.rs` tests it with NVRTC.

use super::*;
use crate::Kernel;

fn cuda(wgsl: &str) -> Result<String, String> {
    let kernel = Kernel::parse("test/kernel", wgsl.to_owned()).map_err(|e| e.to_string())?;
    let constant = kernel.bindings.iter().map(|binding| !binding.storage).collect();
    translate(&kernel, constant, None).map(|translated| translated.source)
}

/// The part behind the prelude.
fn own(wgsl: &str) -> String {
    let source = cuda(wgsl).unwrap_or_else(|e| panic!("{e}"));
    source.split_once("namespace wgsl {").expect("a namespace").1.to_owned()
}

const WORDS: &str = "@group(0) @binding(3) var<storage, read_write> words: array<u32>;\n";

#[test]
fn bindings_are_parameters_in_the_order_of_their_numbers() {
    let text = own("@group(0) @binding(7) var<storage, read> late: array<u32>;
                    @group(0) @binding(2) var<storage, read_write> early: array<u32>;
                    @group(0) @binding(9) var<uniform> last: vec4<u32>;
                    @compute @workgroup_size(64) fn main() { early[0] = late[1] + last.x; }");
    assert!(
        text.contains("__launch_bounds__(64) kernel(void* __b0, void* __b1, const void* __restrict__ __b2)"),
        "{text}"
    );
    let call = text.lines().find(|line| line.trim_start().starts_with("main_(")).expect("a call");
    // In the order of naga's parameters: late is the first variable, its place among the numbers the second.
    let places: Vec<_> = ["__b1", "__b0", "__b2"].map(|name| call.find(name).expect("an argument")).into();
    assert!(places.is_sorted(), "{call}");
}

#[test]
fn parameters_are_passed_as_far_as_a_launch_takes_them() {
    let wgsl = "@group(0) @binding(0) var<storage, read_write> sum: array<u32>;
                @group(0) @binding(1) var<uniform> large: array<vec4<u32>, 249>;
                @group(0) @binding(2) var<uniform> more: array<vec4<u32>, 1>;
                @compute @workgroup_size(64) fn main() { sum[0] = large[sum[1]].x + more[0].y; }";
    let kernel = Kernel::parse("test/kernel", wgsl.to_owned()).unwrap();
    let passed = |constant: [bool; 3], kernel| {
        let translated = translate(kernel, constant.to_vec(), None).unwrap();
        [0, 1, 2].map(|place| translated.passed(place))
    };
    assert_eq!(passed([false, true, true], &kernel), [None, Some(3984), None]);
    // What some kernel of the program writes is not.
    assert_eq!(passed([false, false, true], &kernel), [None, None, Some(16)]);
    let larger = Kernel::parse("test/kernel", wgsl.replace("249", "250")).unwrap();
    assert_eq!(passed([false, true, true], &larger), [None, None, Some(16)]);
    let text = own(wgsl);
    assert!(text.contains(" __b1, const void* __restrict__ __b2)"), "{text}");
    assert!(text.contains(" __b1, *("), "{text}");
}

#[test]
fn built_in_values_are_those_of_a_line_of_threads() {
    let text = own(&format!(
        "{WORDS}@compute @workgroup_size(96) fn main(
            @builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
            @builtin(local_invocation_index) lane: u32, @builtin(local_invocation_id) local: vec3<u32>,
            @builtin(global_invocation_id) all: vec3<u32>, @builtin(subgroup_id) warp: u32,
            @builtin(subgroup_invocation_id) place: u32, @builtin(subgroup_size) size: u32,
            @builtin(num_subgroups) warps: u32) {{
            words[lane] = group.x + groups.y + local.x + all.x + warp + place + size + warps;
        }}"
    ));
    let call = text.lines().find(|line| line.trim_start().starts_with("main_(")).expect("a call");
    for part in ["__group, ", "gridDim.x", "threadIdx.x, ", "__group.x * 96u", "threadIdx.x / 32u", "32u, 3u"] {
        assert!(call.contains(part), "'{part}' is not in {call}");
    }
}

#[test]
fn what_is_not_translated_is_refused_by_name() {
    let refused = |wgsl: &str, name: &str| {
        let error = cuda(wgsl).expect_err(wgsl);
        assert!(error.contains(name), "'{name}' is not in: {error}");
    };
    refused("@compute @workgroup_size(8, 8) fn main() {}", "[8, 8, 1]");
    refused(
        &format!("{WORDS}@compute @workgroup_size(1) fn main() {{ words[0] = u32(f32(words[1]) * 0.5); }}"),
        "floating-point",
    );
    refused("@fragment fn main() {}", "workgroups have");
}

#[test]
fn swizzles_are_told_from_members_of_that_name() {
    let text = own(&format!(
        "struct Pair {{ xy: u32, zw: vec2<u32> }}
         {WORDS}@compute @workgroup_size(1) fn main() {{
            let v = vec4<u32>(words[0], words[1], words[2], words[3]);
            var pair = Pair(v.x, v.zw);
            pair.xy += 1u;
            words[4] = pair.xy + pair.zw.y + v.wzyx.xyz.z + v.yx.x;
        }}"
    ));
    for part in [".swizzle<2, 3>()", ".swizzle<3, 2, 1, 0>()", ".swizzle<1, 0>()", ".xy_w", ".zw_w"] {
        assert!(text.contains(part), "'{part}' is not in {text}");
    }
}

#[test]
fn literals_of_64_bits_have_64_bits_everywhere() {
    let text = own("@group(0) @binding(0) var<storage, read_write> wides: array<u64>;
                    @group(0) @binding(1) var<storage, read_write> longs: array<i64>;
                    @compute @workgroup_size(1) fn main() { wides[0] += 5lu; longs[0] -= 7li; }");
    assert!(text.contains("5ull") && text.contains("7ll") && text.contains("typedef slong"), "{text}");
    assert!(!text.contains("uL"), "{text}");
}

#[test]
fn every_function_is_inlined_on_the_device() {
    let text = own(&format!(
        "{WORDS}fn twice(a: u32) -> u32 {{ return 2u * a; }}
         @compute @workgroup_size(1) fn main() {{ words[0] = twice(words[1]); }}"
    ));
    assert!(text.contains("TICKLESS_INLINE uint twice_w(") && text.contains("TICKLESS_INLINE void main_("), "{text}");
    for keyword in ["device ", "thread ", "threadgroup ", "constant ", "[["] {
        assert!(!text.contains(keyword), "'{keyword}' is left in {text}");
    }
}

#[test]
fn every_record_is_held_against_nagas_layout() {
    let text = own("struct Inner { a: u32, b: vec3<u32>, c: u32 }
                    struct Outer { head: u64, list: array<Inner, 3>, tail: vec2<u32> }
                    @group(0) @binding(0) var<storage, read_write> records: array<Outer>;
                    @compute @workgroup_size(1) fn main() { records[1].list[2].c = u32(records[0].head); }");
    for part in [
        "sizeof(Inner_w) == 32",
        "TICKLESS_OFFSET(Inner_w, b_w) == 16",
        "TICKLESS_OFFSET(Inner_w, c_w) == 28",
        "sizeof(Outer_w) == 128",
        "TICKLESS_OFFSET(Outer_w, list_w) == 16",
        "TICKLESS_OFFSET(Outer_w, tail_w) == 112",
    ] {
        assert!(text.contains(part), "'{part}' is not in {text}");
    }
}

#[test]
fn lengths_of_arrays_are_passed_where_they_are_asked() {
    let body = "@compute @workgroup_size(1) fn main() { words[0] = arrayLength(&words); }";
    let asking = own(&format!("{WORDS}{body}"));
    assert!(asking.contains("kernel(void* __b0, unsigned __n0)") && asking.contains(" = __n0;"), "{asking}");
    let not = own(&format!("{WORDS}@compute @workgroup_size(1) fn main() {{ words[0] = 1u; }}"));
    assert!(not.contains("kernel(void* __b0)"), "{not}");
}

#[test]
fn workgroup_variables_are_shared_memory() {
    let text = own(&format!(
        "var<workgroup> total: atomic<u32>; var<workgroup> list: array<u32, 16>;
         {WORDS}@compute @workgroup_size(16) fn main(@builtin(local_invocation_index) i: u32) {{
            list[i] = atomicAdd(&total, i); workgroupBarrier(); words[i] = list[15u - i];
        }}"
    ));
    assert!(text.contains("__shared__ metal::atomic_uint __s_total_w;"), "{text}");
    assert_eq!(text.matches("__shared__").count(), 2, "{text}");
}

/// A GPU among several gets its own workgroups, and tells the others about its writes.
#[test]
fn one_of_several_gpus_has_a_part_of_the_workgroups() {
    let wgsl = format!(
        "{WORDS}@compute @workgroup_size(64) fn main(@builtin(workgroup_id) id: vec3<u32>) {{ words[id.x] = 1u; }}"
    );
    let kernel = Kernel::parse("test/kernel", wgsl).unwrap_or_else(|e| panic!("{e}"));
    let made = |several| translate(&kernel, vec![false], several).unwrap_or_else(|e| panic!("{e}")).source;
    let own = |source: String| source.split_once("namespace wgsl {").expect("a namespace").1.to_owned();
    let [alone, plain, told] =
        [None, Some(Several::default()), Some(Several { told: Some(0), ..Several::default() })].map(made);
    assert!(!alone.starts_with("#define TICKLESS_SEVERAL") && told.starts_with("#define TICKLESS_SEVERAL"));
    let [alone, plain, told] = [alone, plain, told].map(own);
    assert!(!alone.contains("__first") && alone.contains("__group(blockIdx.x, blockIdx.y, blockIdx.z)"), "{alone}");
    assert!(
        plain.contains("void* __b0, unsigned __first, unsigned __count)") && !plain.contains("tickless_tell"),
        "{plain}"
    );
    let end = told.find("main_(__b0").or_else(|| told.rfind("main_(")).expect("a call");
    assert!(told[end..].contains("tickless_tell(__number, __b0, __copies, __gpus, __row, __rows);"), "{told}");
}

/// A kernel that only reads the status reads the workgroup's copy; writes and atomics use the status itself.
#[test]
fn plain_reads_of_the_status_are_those_of_the_workgroup() {
    let wgsl = "struct Counts { round: u32, all: atomic<u32> }
        @group(0) @binding(0) var<storage, read_write> counts: Counts;
        @compute @workgroup_size(64) fn main() {
            let round = counts.round;
            counts.round = round + atomicLoad(&counts.all);
            atomicAdd(&counts.all, counts.round);
        }";
    let kernel = Kernel::parse("test/kernel", wgsl.into()).unwrap_or_else(|e| panic!("{e}"));
    let several = Several { told: None, status: Some(0) };
    let text = translate(&kernel, vec![false], Some(several)).unwrap_or_else(|e| panic!("{e}")).source;
    assert!(text.contains("#define TICKLESS_STATUS (*(const Counts_w*)tickless_status)"));
    assert_eq!(text.matches("= TICKLESS_STATUS.round_w;").count(), 2, "{text}");
    for own in ["    counts_w.round_w = ", "(&counts_w.all_w, metal::memory_order_relaxed)", "(&counts_w.all_w, _e"] {
        assert!(text.contains(own), "'{own}' is not in {text}");
    }
    assert!(text.contains("tickless_read_status<sizeof(Counts_w)>(__first, __b0);"), "{text}");
}
