//! How much of the memory of a multiprocessor is for its workgroups: the rest is its first cache.

use cudarc::driver::{CudaFunction, DriverError, sys};

use super::compile::Functions;
use crate::{AdapterDescription, Dispatch, Program, Step};

/// What the system takes of it for each workgroup, and in what steps a workgroup takes its own.
const OF_SYSTEM: u32 = 1 << 10;
const STEP: u32 = 128;
/// The driver's choice: as much as the most workgroups need that can run at once.
const BY_DRIVER: i32 = -1;

/// Sets how much the workgroups of each kernel need in a program, where none of its dispatches fills the GPU. A function keeps that until the
/// next session with the same kernel: of two at once the second one has its way, which neither depends on.
///
/// # Errors
/// The driver's error.
pub(super) fn share(
    functions: &[Functions],
    program: &Program,
    description: &AdapterDescription,
) -> Result<(), DriverError> {
    let (Some(_), Some(all)) = (description.multiprocessors, description.multiprocessor_memory) else { return Ok(()) };
    for (number, (kernel, of_gpus)) in program.kernels.iter().zip(functions).enumerate() {
        let each = each_of(program, number, description);
        for function in of_gpus {
            // What an earlier session has set is no limit for this one.
            set(function, BY_DRIVER)?;
            let parts = parts_of(own_and_most(function, kernel.workgroup)?, each, all);
            if parts != BY_DRIVER {
                set(function, parts)?;
            }
        }
    }
    Ok(())
}

fn set(function: &CudaFunction, parts: i32) -> Result<(), DriverError> {
    function.set_attribute(sys::CUfunction_attribute::CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT, parts)
}

/// The workgroups of a kernel on a multiprocessor, in the largest of its dispatches.
fn each_of(program: &Program, kernel: usize, description: &AdapterDescription) -> u32 {
    let steps = [&program.first, &program.round, &program.last, &program.results];
    let of_kernel = steps.into_iter().flatten().filter(|step| step.kernel.0 == kernel);
    let workgroups = of_kernel.map(|Step { dispatch: Dispatch::Workgroups(workgroups), .. }| *workgroups);
    let all = workgroups.max().unwrap_or(0).saturating_mul(program.members.max(1));
    let processors = u64::from(description.multiprocessors.unwrap_or(1)) * u64::from(description.gpus);
    u64::from(all).div_ceil(processors.max(1)) as u32
}

/// The bytes that a workgroup of a kernel shares, and the most workgroups of a multiprocessor that run at once.
fn own_and_most(function: &CudaFunction, threads: u32) -> Result<[u32; 2], DriverError> {
    let own = function.get_attribute(sys::CUfunction_attribute::CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES)?;
    Ok([own.unsigned_abs(), function.occupancy_max_active_blocks_per_multiprocessor(threads, 0, None)?])
}

/// What `each` workgroups of a multiprocessor need, in hundredths of what it has.
fn parts_of([own, most]: [u32; 2], each: u32, all: u32) -> i32 {
    if own == 0 || each == 0 || each >= most {
        return BY_DRIVER;
    }
    let needed = u64::from(each) * u64::from((own + OF_SYSTEM).next_multiple_of(STEP));
    (100 * needed).div_ceil(u64::from(all.max(1))).min(100) as i32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::KernelId;

    #[test]
    fn what_workgroups_do_not_need_is_left_to_the_first_cache() {
        // 13 workgroups of 9 KiB on a multiprocessor that could have 20.
        assert_eq!(parts_of([9 << 10, 20], 13, 228 << 10), 58);
        assert_eq!(parts_of([1, 20], 10, 11_520), 100);
        assert_eq!(parts_of([9 << 10, 20], 20, 228 << 10), BY_DRIVER);
        assert_eq!(parts_of([0, 20], 13, 228 << 10), BY_DRIVER);
        assert_eq!(parts_of([9 << 10, 20], 0, 228 << 10), BY_DRIVER);
        assert_eq!(parts_of([48 << 10, 20], 19, 64 << 10), 100);
    }

    #[test]
    fn the_largest_dispatch_of_all_members_counts() {
        let step = |kernel, workgroups| Step { kernel: KernelId(kernel), dispatch: Dispatch::Workgroups(workgroups) };
        let mut program = Program {
            first: vec![step(0, 3), step(1, 1000)],
            round: vec![step(0, 264), step(2, 1)],
            last: vec![step(0, 265)],
            ..Program::default()
        };
        let mut gpu = AdapterDescription { multiprocessors: Some(132), ..AdapterDescription::imagined(true, 32) };
        let each =
            |program: &Program, gpu: &AdapterDescription| [0, 1, 2, 3].map(|kernel| each_of(program, kernel, gpu));
        assert_eq!(each(&program, &gpu), [3, 8, 1, 0]);
        program.members = 2;
        assert_eq!(each(&program, &gpu), [5, 16, 1, 0]);
        gpu.gpus = 2;
        assert_eq!(each(&program, &gpu), [3, 8, 1, 0]);
    }
}
