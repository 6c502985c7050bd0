//! How much of the memory of a multiprocessor is for its workgroups: the rest is its first cache.

use cudarc::driver::{CudaFunction, DriverError, sys};

use super::compile::Functions;
use crate::{AdapterDescription, Dispatch, Program};

/// What the system takes of it for each workgroup.
const OF_SYSTEM: u32 = 1 << 10;
/// The driver's choice: as much as the most workgroups need that can run at once.
const BY_DRIVER: i32 = -1;

/// Sets how much the workgroups of each kernel need in a program, where none of its dispatches fills the GPU.
///
/// # Errors
/// The driver's error.
pub(super) fn share(
    functions: &[Functions],
    program: &Program,
    description: &AdapterDescription,
) -> Result<(), DriverError> {
    let AdapterDescription { multiprocessors, multiprocessor_memory, gpus, .. } = description;
    let (Some(processors), Some(all)) = (*multiprocessors, *multiprocessor_memory) else { return Ok(()) };
    let steps = [&program.first, &program.round, &program.last, &program.results];
    for (number, (kernel, of_gpus)) in program.kernels.iter().zip(functions).enumerate() {
        let of_kernel = steps.into_iter().flatten().filter(|step| step.kernel.0 == number);
        let workgroups = of_kernel.map(|step| match step.dispatch {
            Dispatch::Workgroups(workgroups) => workgroups.saturating_mul(program.members.max(1)),
        });
        let each = workgroups.max().unwrap_or(0).div_ceil(processors.max(1) * (*gpus).max(1));
        for function in of_gpus {
            function.set_attribute(
                sys::CUfunction_attribute::CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT,
                parts_of(own_and_most(function, kernel.workgroup)?, each, all),
            )?;
        }
    }
    Ok(())
}

/// The bytes that a workgroup of a kernel shares, and the most workgroups of a multiprocessor that run at once.
fn own_and_most(function: &CudaFunction, threads: u32) -> Result<[u32; 2], DriverError> {
    let own = function.get_attribute(sys::CUfunction_attribute::CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES)?;
    Ok([own.unsigned_abs(), function.occupancy_max_active_blocks_per_multiprocessor(threads, 0, None)?])
}

/// What `each` workgroups of a multiprocessor need, in hundredths of what it has.
fn parts_of([own, most]: [u32; 2], each: u32, all: u32) -> i32 {
    if own == 0 || each >= most {
        return BY_DRIVER;
    }
    let needed = u64::from(each) * u64::from(own + OF_SYSTEM);
    (100 * needed).div_ceil(u64::from(all.max(1))).min(100) as i32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_workgroups_do_not_need_is_left_to_the_first_cache() {
        // 13 workgroups of 9 KiB on a multiprocessor that could have 20.
        assert_eq!(parts_of([9 << 10, 20], 13, 228 << 10), 58);
        assert_eq!(parts_of([9 << 10, 20], 20, 228 << 10), BY_DRIVER);
        assert_eq!(parts_of([0, 20], 13, 228 << 10), BY_DRIVER);
        assert_eq!(parts_of([48 << 10, 20], 19, 64 << 10), 100);
    }
}
