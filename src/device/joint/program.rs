//! Alike programs as one.

use std::convert::Infallible;
use std::sync::LazyLock;

use rayon::prelude::*;

use crate::compiled::Compiled;
use crate::reflection::joint_text;
use crate::{AdapterDescription, BufferId, BufferSpec, BufferUse, Dispatch, Kernel, Program, copy_all};
use tickless_core::memory;
use tickless_kernels::JOINT_MEMBERS;

/// The workgroups of a dispatch beyond which further members would only wait for a place on a device: an H200 has room for 1,056 workgroups
/// of 256 threads at once. The third dimension of a dispatch has room for as many members.
const MOST_WORKGROUPS: u64 = 16_384;

/// Whether programs are equal except for the contents of their buffers.
pub(super) fn are_alike(one: &Program, other: &Program) -> bool {
    let buffers = |program: &Program| program.buffers.len();
    let mut both = one.buffers.iter().zip(&other.buffers);
    let steps = |program: &Program| [&program.first, &program.round, &program.last, &program.results].map(Clone::clone);
    (buffers(one), one.kernels.len(), one.status) == (buffers(other), other.kernels.len(), other.status)
        && both.all(|(one, other)| (one.name, one.size, one.usage) == (other.name, other.size, other.usage))
        && steps(one) == steps(other)
        && one.kernels.iter().zip(&other.kernels).all(|(one, other)| one.is_same(other))
}

/// The most such programs in a joint program on an adapter.
pub(super) fn most_members(program: &Program, adapter: &AdapterDescription) -> usize {
    let limits = &adapter.capabilities;
    let largest = program.buffers.iter().map(|buffer| buffer.size).max().unwrap_or(4).max(4);
    let steps = [&program.first, &program.round, &program.last, &program.results].into_iter().flatten();
    let widest = steps.map(|step| {
        let Dispatch::Workgroups(workgroups) = step.dispatch;
        u64::from(workgroups)
    });
    let widest = widest.max().unwrap_or(1).max(1);
    // Kernels count the words of a buffer in 32 bits, and several GPUs cut buffers by their lists.
    let fitting = limits.buffer_size.min(limits.binding_size).min(u64::from(u32::MAX) * 4) / largest;
    let most = if adapter.gpus > 1 { 1 } else { MOST_WORKGROUPS };
    fitting.min(MOST_WORKGROUPS / widest).clamp(1, most) as usize
}

/// The most kernels whose joint forms are kept.
const MOST_KERNELS: usize = 256;

/// A kernel's joint form in a program whose buffers have these sizes, if it has one.
fn joint_kernel(kernel: &Kernel, buffers: &[(&'static str, u64)]) -> Option<Kernel> {
    type Forms = Compiled<(String, Vec<(&'static str, u64)>), Option<Kernel>>;
    // Runs one behind the other ask for the same forms again.
    static FORMS: LazyLock<Forms> = LazyLock::new(|| Compiled::of_most(MOST_KERNELS));
    let make = || {
        let text = joint_text(&kernel.source, buffers);
        Ok::<_, Infallible>(text.and_then(|text| Kernel::parse(&kernel.label, text).ok()))
    };
    let Ok(form) = FORMS.get((kernel.source.clone(), buffers.to_vec()), make);
    let (label, modules, resident_threads) = (kernel.label.clone(), kernel.modules.clone(), kernel.resident_threads);
    form.map(|form| Kernel { label, modules, resident_threads, ..form })
}

/// The place of the gates of a joint program: a word for each member.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Gates {
    pub(super) buffer: BufferId,
    /// Bytes before the first gate.
    pub(super) offset: u64,
}

/// A joint program, whose gates are open.
pub(super) struct Joined {
    pub(super) program: Program,
    pub(super) gates: Gates,
}

/// Makes a joint program of alike ones. `None` where a kernel has no joint form, the adapter has too few bindings, or there is too little
/// memory.
pub(super) fn join(members: &[&Program], adapter: &AdapterDescription) -> Option<Joined> {
    let one = *members.first()?;
    let sizes: Vec<_> = one.buffers.iter().map(|buffer| (buffer.name, buffer.size)).collect();
    let kernels = one.kernels.par_iter().map(|kernel| joint_kernel(kernel, &sizes)).collect::<Option<Vec<_>>>()?;
    let mut buffers = (0..one.buffers.len()).map(|place| joined(members, place)).collect::<Option<Vec<_>>>()?;
    let words = one.buffers.iter().map(|buffer| u32::try_from(buffer.size / 4).ok()).collect::<Option<Vec<u32>>>()?;
    let gates = Gates { buffer: BufferId(buffers.len()), offset: 4 * words.len() as u64 };
    buffers.push(BufferSpec::words(JOINT_MEMBERS, &[words, vec![1; members.len()]].concat()));
    let program = Program { buffers, kernels, members: u32::try_from(members.len()).ok()?, ..one.without_contents() };
    program.check(adapter).ok()?;
    Some(Joined { program, gates })
}

/// A buffer of all members, one behind the other.
fn joined(members: &[&Program], place: usize) -> Option<BufferSpec> {
    let BufferSpec { name, size, placement, .. } = members[0].buffers[place];
    let all = size.checked_mul(members.len() as u64)?;
    let are_filled = members.iter().any(|member| member.buffers[place].contents.is_some());
    let contents = if are_filled {
        let mut bytes: Vec<u8> = memory::zeroed(all as usize, "what is uploaded").ok()?;
        for (member, to) in members.iter().zip(bytes.chunks_exact_mut(size as usize)) {
            if let Some(contents) = &member.buffers[place].contents {
                copy_all(contents, to);
            }
        }
        Some(bytes)
    } else {
        None
    };
    Some(BufferSpec { name, size: all, usage: BufferUse::Storage, contents, placement })
}
