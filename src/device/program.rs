//! A program: buffers, kernels, and the steps of a round, as data.

use std::fmt;

use super::{AdapterDescription, AdapterKind, DeviceError, Kernel, bytes, copy_all};

/// The deepest nesting of blocks on a software adapter: beyond 80 Mesa crashes or computes wrongly.
const DEEPEST_IN_SOFTWARE: u32 = 64;

/// A buffer of a [`Program`], by its place in the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BufferId(pub usize);

/// A kernel of a [`Program`], by its place in the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct KernelId(pub usize);

/// The use of a buffer.
///
/// ```
/// # use tickless_device::facade as tickless;
/// use tickless::device::{BufferSpec, BufferUse};
/// let numbers = BufferSpec::filled("numbers", BufferUse::Uniform, vec![0; 16]);
/// assert_eq!(numbers.usage, BufferUse::Uniform);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BufferUse {
    /// Records that kernels read and write.
    Storage,
    /// Parameters that never change.
    Uniform,
}

/// Where a buffer lies on a device of several GPUs. No result depends on it, except with [`Placement::Rows`], whose kernels must
/// keep its rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Placement {
    /// Lists of these relative lengths, one behind the other, each in the order of the entities: each list is cut into as many
    /// parts as there are GPUs, like the workgroups.
    Lists(&'static [u32]),
    /// A copy on each GPU, of rows of words of 64 bits. A workgroup writes only the word of its own number in each row, and others
    /// read this word only in later dispatches. Words behind the rows are for one GPU alone.
    Rows {
        /// How many there are.
        rows: u32,
        /// Words of each row.
        words: u32,
    },
}

/// Bytes of a page of several GPUs: a buffer with fewer bytes for each GPU lies on the first.
pub const PAGE_OF_SEVERAL: u64 = 2 << 20;

impl Placement {
    /// One list.
    pub const ONE_LIST: Self = Self::Lists(&[1]);

    /// Lists of equal length, 1 to 128 of them.
    pub fn equal_lists(count: usize) -> Self {
        const ONES: &[u32] = &[1; 128];
        Self::Lists(&ONES[..count.clamp(1, ONES.len())])
    }
}

/// A buffer to create: zeroed, or with contents.
#[derive(Clone, Debug)]
pub struct BufferSpec {
    /// The name of the variable that kernels bind it to.
    pub name: &'static str,
    /// The size in bytes.
    pub size: u64,
    /// Its use.
    pub usage: BufferUse,
    /// Its first contents; `None` for zeros.
    pub contents: Option<Vec<u8>>,
    /// Where it lies.
    pub placement: Placement,
}

impl BufferSpec {
    /// A zeroed storage buffer of `count` records of `stride` bytes (one record where the count is 0).
    pub fn storage(name: &'static str, count: u64, stride: u64) -> Self {
        let size = count.max(1) * stride;
        Self { name, size, usage: BufferUse::Storage, contents: None, placement: Placement::ONE_LIST }
    }

    /// The same buffer with another placement.
    #[must_use]
    pub fn placed(self, placement: Placement) -> Self {
        Self { placement, ..self }
    }

    /// A storage buffer with these words, which are copied on all cores.
    pub fn words(name: &'static str, words: &[u32]) -> Self {
        let mut contents = bytemuck::zeroed_vec(size_of_val(words));
        copy_all(bytemuck::cast_slice(words), &mut contents);
        Self::filled(name, BufferUse::Storage, contents)
    }

    /// A buffer with contents.
    pub fn filled(name: &'static str, usage: BufferUse, contents: Vec<u8>) -> Self {
        let size = contents.len() as u64;
        Self { name, size, usage, contents: Some(contents), placement: Placement::ONE_LIST }
    }
}

/// How many workgroups a step starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dispatch {
    /// This many, folded to two dimensions beyond [`Dispatch::FOLD`].
    Workgroups(u32),
}

impl Dispatch {
    /// Workgroups in a row of a folded dispatch; `FOLD` in `shaders/lib/dispatch.wgsl`.
    pub const FOLD: u32 = 32_768;

    /// The x and y size of a direct dispatch of `workgroups`.
    pub fn fold(workgroups: u32) -> [u32; 2] {
        [workgroups.min(Self::FOLD), workgroups.div_ceil(Self::FOLD)]
    }
}

/// Steps that run behind the rounds of a program on request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Behind {
    /// The end of the run itself, which counts as its time.
    End,
    /// The results of the run.
    Results,
}

/// One dispatch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// The kernel.
    pub kernel: KernelId,
    /// Its number of workgroups.
    pub dispatch: Dispatch,
}

/// Everything a device needs to run a model: it executes the steps and knows nothing else of the model.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// The model's name.
    pub label: String,
    /// All buffers.
    pub buffers: Vec<BufferSpec>,
    /// All kernels.
    pub kernels: Vec<Kernel>,
    /// Run once, when the program is loaded.
    pub first: Vec<Step>,
    /// One round.
    pub round: Vec<Step>,
    /// The end of a run, see [`Behind::End`]; most programs have none.
    pub last: Vec<Step>,
    /// Steps that add up the results, see [`Behind::Results`].
    pub results: Vec<Step>,
    /// The buffer that is read back after each batch.
    pub status: Option<BufferId>,
    /// The number of members of a joint program: the third dimension of every dispatch. 0 counts as 1.
    pub members: u32,
}

impl Program {
    /// The same program with zeroed buffers.
    #[doc(hidden)]
    pub fn without_contents(&self) -> Self {
        let empty = |buffer: &BufferSpec| BufferSpec { contents: None, ..*buffer };
        Self {
            label: self.label.clone(),
            buffers: self.buffers.iter().map(empty).collect(),
            kernels: self.kernels.clone(),
            first: self.first.clone(),
            round: self.round.clone(),
            last: self.last.clone(),
            results: self.results.clone(),
            ..*self
        }
    }

    /// The size of a dispatch in three dimensions.
    #[doc(hidden)]
    pub fn grid(&self, workgroups: u32) -> [u32; 3] {
        let [x, y] = Dispatch::fold(workgroups);
        [x, y, self.members.max(1)]
    }

    /// Adds a buffer.
    pub fn buffer(&mut self, spec: BufferSpec) -> BufferId {
        self.buffers.push(spec);
        BufferId(self.buffers.len() - 1)
    }

    /// The buffer of that name.
    pub fn buffer_named(&self, name: &str) -> Option<BufferId> {
        self.buffers.iter().position(|b| b.name == name).map(BufferId)
    }

    /// Adds a kernel.
    pub fn kernel(&mut self, kernel: Kernel) -> KernelId {
        self.kernels.push(kernel);
        KernelId(self.kernels.len() - 1)
    }

    /// The bytes of a kernel's buffers.
    pub fn bytes_of(&self, kernel: KernelId) -> u64 {
        let bindings = &self.kernels[kernel.0].bindings;
        let is_bound = |buffer: &&BufferSpec| bindings.iter().any(|binding| binding.name == buffer.name);
        self.buffers.iter().filter(is_bound).map(|buffer| buffer.size).sum()
    }

    /// The bytes of all buffers.
    pub fn bytes(&self) -> u64 {
        self.buffers.iter().map(|b| b.size).sum()
    }

    /// Refuses a buffer whose bytes do not fit its use.
    fn check_bytes(&self, buffer: &BufferSpec) -> Result<(), DeviceError> {
        let fail = |fault: String| Err(DeviceError::Buffer { buffer: buffer.name.into(), fault });
        let contents = buffer.contents.as_ref().map_or(buffer.size, |contents| contents.len() as u64);
        if contents != buffer.size {
            return fail(format!(
                "has {} bytes and contents of {contents}: give it contents that fill it",
                buffer.size
            ));
        }
        if buffer.size == 0 || !buffer.size.is_multiple_of(4) {
            return fail(format!("has {} bytes; it must have words of 4 bytes, 1 or more", buffer.size));
        }
        let bindings = self.kernels.iter().flat_map(|kernel| kernel.bindings.iter().map(move |of| (kernel, of)));
        for (kernel, binding) in bindings.filter(|(_, binding)| binding.name == buffer.name) {
            let (label, uniform) = (&kernel.label, buffer.usage == BufferUse::Uniform);
            match (uniform, binding.storage) {
                (true, true) => return fail(format!("is given as uniform, and kernel {label} declares it as storage")),
                (false, false) => {
                    return fail(format!("is given as storage, and kernel {label} declares it as uniform"));
                }
                _ if buffer.size < binding.least => {
                    return fail(format!(
                        "has {} bytes, and kernel {label} needs {} or more",
                        buffer.size, binding.least
                    ));
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Checks the program, and an adapter's limits, before anything is allocated.
    ///
    /// # Errors
    /// [`DeviceError::Limit`] with the amount asked for and the limit; [`DeviceError::Buffer`].
    pub fn check(&self, adapter: &AdapterDescription) -> Result<(), DeviceError> {
        let limits = &adapter.capabilities;
        let fail = |what: String, asked: String, available: String| {
            Err(DeviceError::Limit { what, asked, available, adapter: adapter.name.clone(), remedy: String::new() })
        };
        for (place, buffer) in self.buffers.iter().enumerate() {
            if self.buffers[..place].iter().any(|other| other.name == buffer.name) {
                let fault = "is one of tickless's, or given twice: give yours another name".to_owned();
                return Err(DeviceError::Buffer { buffer: buffer.name.into(), fault });
            }
            self.check_bytes(buffer)?;
            let most = limits.buffer_size.min(limits.binding_size);
            if buffer.size > most {
                return fail(format!("buffer '{}'", buffer.name), bytes(buffer.size), bytes(most));
            }
        }
        for kernel in &self.kernels {
            if kernel.workgroup > limits.workgroup_threads {
                let what = format!("threads in a workgroup of {}", kernel.label);
                return fail(what, kernel.workgroup.to_string(), limits.workgroup_threads.to_string());
            }
            let storage = kernel.bindings.iter().filter(|b| b.storage).count() as u32;
            if storage > limits.storage_buffers {
                let what = format!("storage buffers of {}", kernel.label);
                return fail(what, storage.to_string(), limits.storage_buffers.to_string());
            }
            if adapter.kind == AdapterKind::Software && kernel.nested > DEEPEST_IN_SOFTWARE {
                return Err(DeviceError::Limit {
                    what: format!("blocks within each other in the kernel {}", kernel.label),
                    asked: kernel.nested.to_string(),
                    available: DEEPEST_IN_SOFTWARE.to_string(),
                    adapter: adapter.name.clone(),
                    remedy: ": nest if() of rules, or branches of your own, less deeply, or run with --backend heap"
                        .into(),
                });
            }
        }
        Ok(())
    }
}

impl fmt::Display for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "program {} ({} in {} buffers)", self.label, bytes(self.bytes()), self.buffers.len())?;
        for buffer in &self.buffers {
            writeln!(f, "  buffer {}: {} {:?}", buffer.name, bytes(buffer.size), buffer.usage)?;
        }
        let behind =
            [("last", &self.last), ("results", &self.results)].into_iter().filter(|(_, steps)| !steps.is_empty());
        for (title, steps) in [("first", &self.first), ("round", &self.round)].into_iter().chain(behind) {
            writeln!(f, "  {title}:")?;
            for step in steps {
                let kernel = &self.kernels[step.kernel.0];
                let names: Vec<_> = kernel.bindings.iter().map(|b| b.name.as_str()).collect();
                let Dispatch::Workgroups(size) = step.dispatch;
                writeln!(f, "    {} x {size}: {}", kernel.label, names.join(", "))?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_copied_whole() {
        for count in [0, 1, 300_001] {
            let words: Vec<u32> = (0..count).map(|word: u32| word.wrapping_mul(0x9e37_79b9)).collect();
            let spec = BufferSpec::words("words", &words);
            assert_eq!((spec.size, spec.usage), (4 * u64::from(count), BufferUse::Storage));
            assert!(spec.contents.as_deref() == Some(bytemuck::cast_slice(&words)));
        }
    }
}
