//! Errors of devices.

use tickless_core::memory::NoMemory;

/// Why a device gave no result.
///
/// ```
/// # use tickless_device::facade as tickless;
/// use tickless::device::DeviceError;
/// let error = DeviceError::NoAdapter { wanted: "7".into(), available: "none".into() };
/// assert_eq!(error.to_string(), "no adapter matches '7'; there are: none");
/// ```
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum DeviceError {
    /// No adapter of that name or index.
    #[error("no adapter matches '{wanted}'; there are: {available}")]
    NoAdapter {
        /// The adapter asked for.
        wanted: String,
        /// The adapters found.
        available: String,
    },
    /// No adapter at all.
    #[error("no GPU and no software adapter was found: {}, or run with --backend heap", driver_advice())]
    NoAdapters,
    /// The adapter refused to open.
    #[error("adapter {adapter} cannot be opened: {reason}; try another one with --adapter, or --backend heap")]
    Open {
        /// Its name.
        adapter: String,
        /// Its error.
        reason: String,
    },
    /// A buffer or a count beyond the adapter's limits. Nothing has been allocated.
    #[error("{what}: {asked} asked, {available} available on {adapter}{remedy}")]
    Limit {
        /// The limited quantity.
        what: String,
        /// The amount asked for.
        asked: String,
        /// The amount available.
        available: String,
        /// The adapter.
        adapter: String,
        /// A size that would fit, after a colon; empty if only a smaller model helps.
        remedy: String,
    },
    /// A buffer that does not fit the kernels. Nothing has been allocated.
    #[error("buffer '{buffer}' {fault}")]
    Buffer {
        /// Its name.
        buffer: String,
        /// What is wrong, and what is allowed.
        fault: String,
    },
    /// Memory ran out although every limit was kept.
    #[error("out of memory on {adapter} ({asked} asked): use a smaller model or another adapter")]
    OutOfMemory {
        /// The adapter.
        adapter: String,
        /// The bytes asked for: all that the program needs, or the size of a copy to or from the device.
        asked: String,
    },
    /// The host has too little memory.
    #[error(transparent)]
    Memory(#[from] NoMemory),
    /// An invalid kernel: modules that do not link, or text that is not valid WGSL.
    #[error("kernel {kernel} does not compile: {message}")]
    Kernel {
        /// Its label, the stem of its file.
        kernel: String,
        /// The fault.
        message: String,
    },
    /// A valid kernel that the adapter's compiler refused.
    #[error("kernel {kernel} does not compile: {message}")]
    Refused {
        /// Its label, the stem of its file.
        kernel: String,
        /// The compiler's message.
        message: String,
    },
    /// A compiler that takes longer than the limit of the device's options.
    #[error(
        "the kernels were not compiled within {seconds} s on {adapter}: allow more with --compile-limit (in the library \
             OpenOptions::compile_limit), or run with --backend heap, which compiles nothing"
    )]
    CompileLimit {
        /// The adapter.
        adapter: String,
        /// The limit.
        seconds: f64,
    },
    /// A batch of rounds that does not end in time: a kernel that loops without end, or a very slow device.
    #[error(
        "{adapter} did not finish a batch of rounds within {seconds} s: a kernel that loops without end, or rounds that take \
             so long; allow more with --batch-limit (in the library OpenOptions::batch_limit), or run a smaller model"
    )]
    BatchLimit {
        /// The adapter.
        adapter: String,
        /// The limit.
        seconds: f64,
    },
    /// A device that is still at work on a batch after its limit.
    #[error(
        "{adapter} is still at work on a batch of an earlier run, which gave it up after its limit: run again when it has ended, or in \
         another process"
    )]
    AtWork {
        /// The adapter.
        adapter: String,
    },
    /// A [`Watch`](tickless_core::run::Watch) ended the set-up: there is no result, since nothing has happened.
    #[error("interrupted while kernels were compiled: nothing has been simulated")]
    Interrupted,
    /// The device went away.
    #[error(
        "the device was lost ({reason}): the driver reset it or it was removed; run again, with a smaller model \
             if it happens again"
    )]
    Lost {
        /// The driver's message.
        reason: String,
    },
    /// A CUDA driver that does not work.
    #[error(
        "NVIDIA's driver does not work ({reason}): restart the machine or install the driver anew, or run with \
             --backend wgpu or heap"
    )]
    DriverFailed {
        /// The driver's message, or what it lacks.
        reason: String,
    },
    /// No CUDA driver, or no GPU that it sees.
    #[error("CUDA cannot be used ({reason}): install NVIDIA's driver, or run with --backend wgpu or heap")]
    NoDriver {
        /// The missing part.
        reason: String,
    },
    /// A CUDA driver without all the functions that are called.
    #[error("the CUDA driver is for CUDA {found}, and {needed} is needed: update it, or run with --backend wgpu")]
    OldDriver {
        /// Its version.
        found: String,
        /// The oldest that works.
        needed: String,
    },
    /// No usable run-time compiler of NVIDIA's that knows the GPU.
    #[error(
        "no NVRTC, which compiles kernels for CUDA, can be used ({reason}; looked for {tried}): install it (the CUDA toolkit, \
             or the Python package nvidia-cuda-nvrtc, and set TICKLESS_NVRTC to its library), or run with --backend wgpu"
    )]
    NoCompiler {
        /// The names and folders that were looked for.
        tried: String,
        /// The fault of the first library found.
        reason: String,
    },
    /// The software adapter fails the self-test.
    #[error(
        "{adapter} ({driver}) ended a loop of {asked} iterations after {ran}: this driver cuts loops off \
             silently (Mesa 22.3 and 24.0 do); install Mesa 25 or newer, or run with --backend heap"
    )]
    SelfTest {
        /// Its name.
        adapter: String,
        /// Its driver.
        driver: String,
        /// Iterations asked.
        asked: u32,
        /// Iterations made.
        ran: u32,
    },
}

/// How to get an adapter on this machine.
pub fn driver_advice() -> &'static str {
    advice_for(std::env::consts::OS)
}

fn advice_for(system: &str) -> &'static str {
    match system {
        "windows" => "install the newest driver of the GPU's maker (it brings DirectX 12 and Vulkan)",
        "macos" => "run on a Mac with Metal (macOS 10.14 or newer)",
        _ => "install the GPU's driver for Vulkan, or a software one (Debian, Ubuntu: mesa-vulkan-drivers)",
    }
}

#[cfg(test)]
mod tests {
    use super::advice_for;

    #[test]
    fn advice_is_for_the_system_of_the_user() {
        for (system, word) in [("windows", "DirectX 12"), ("macos", "Metal"), ("linux", "mesa-vulkan-drivers")] {
            assert!(advice_for(system).contains(word), "{system}");
            assert_eq!(system == "linux", advice_for(system).contains("Debian"), "{system}");
        }
    }
}
