//! NVIDIA's run-time compiler, loaded when the first kernel needs it.
//!
//! Its library is named after its major version. cudarc looks for versions up to the one that it was built for and
//! panics without; this looks for the driver's own version first and says where it looked.

use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::path::PathBuf;

use libloading::Library;

use super::super::DeviceError;

/// The newest major version that is looked for, and the oldest.
const MAJORS: [i32; 4] = [14, 13, 12, 11];
/// The variable that names the library where it is in no usual place.
const VARIABLE: &str = "TICKLESS_NVRTC";

type Status = c_int;
type Handle = *mut c_void;

/// The loaded compiler.
#[derive(Debug)]
pub(super) struct Nvrtc {
    library: Library,
    /// Its version, as in 12.9.
    pub(super) version: (i32, i32),
}

/// What a kernel is compiled to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Target {
    /// Machine code for a compute capability, as in 90.
    Machine(i32),
    /// PTX, which the driver compiles for a newer device than the compiler knows.
    Portable(i32),
}

impl Target {
    /// As in `sm_90` or `compute_90`.
    pub(super) fn architecture(self) -> String {
        match self {
            Self::Machine(capability) => format!("sm_{capability}"),
            Self::Portable(capability) => format!("compute_{capability}"),
        }
    }
}

/// Where the library may be, in the order in which it is looked for.
fn candidates(driver_major: Option<i32>) -> Vec<PathBuf> {
    if let Some(path) = std::env::var_os(VARIABLE) {
        return vec![path.into()];
    }
    let mut majors: Vec<i32> = driver_major.into_iter().collect();
    // An older compiler's code runs on a newer driver, not the other way round.
    majors.extend(MAJORS.into_iter().filter(|m| driver_major.is_none_or(|d| *m < d)));
    majors.extend(MAJORS.into_iter().filter(|m| driver_major.is_some_and(|d| *m > d)));
    let names: Vec<String> = majors.iter().flat_map(|major| names(*major)).collect();
    let mut folders: Vec<PathBuf> = vec![PathBuf::new()];
    for variable in ["CUDA_PATH", "CUDA_HOME"] {
        if let Some(root) = std::env::var_os(variable) {
            folders.extend(["lib64", "lib", "bin", "bin/x64"].map(|folder| PathBuf::from(&root).join(folder)));
        }
    }
    folders.push("/usr/local/cuda/lib64".into());
    let all = |folder: &PathBuf| names.iter().map(|name| folder.join(name)).collect::<Vec<_>>();
    folders.iter().flat_map(all).collect()
}

/// File names of a major version.
fn names(major: i32) -> Vec<String> {
    if cfg!(windows) {
        vec![format!("nvrtc64_{major}0_0.dll"), format!("nvrtc64_{major}2_0.dll")]
    } else {
        vec![format!("libnvrtc.so.{major}")]
    }
}

impl Nvrtc {
    /// Loads the library, the one of the driver's major version first.
    ///
    /// # Errors
    /// [`DeviceError::NoCompiler`] with the names that were tried.
    pub(super) fn load(driver_major: Option<i32>) -> Result<Self, DeviceError> {
        Self::load_from(&candidates(driver_major))
    }

    fn load_from(candidates: &[PathBuf]) -> Result<Self, DeviceError> {
        let mut reason = String::new();
        for path in candidates {
            // SAFETY: NVIDIA's library has no side effects on loading; the functions are looked up with the types that
            // its documentation gives them.
            match unsafe { Library::new(path) } {
                Ok(library) => {
                    let mut compiler = Self { library, version: (0, 0) };
                    compiler.version = compiler.ask_version().map_err(|r| no_compiler(candidates, r))?;
                    return Ok(compiler);
                }
                Err(error) => reason = words(&error),
            }
        }
        Err(no_compiler(candidates, reason))
    }

    /// A function of the library.
    fn function<T: Copy>(&self, name: &CStr) -> Result<T, String> {
        // SAFETY: every caller names the type that the documentation gives for the function.
        let found = unsafe { self.library.get::<T>(name.to_bytes_with_nul()) };
        found.map(|function| *function).map_err(|e| words(&e))
    }

    fn ask_version(&self) -> Result<(i32, i32), String> {
        let ask: unsafe extern "C" fn(*mut c_int, *mut c_int) -> Status = self.function(c"nvrtcVersion")?;
        let (mut major, mut minor) = (0, 0);
        // SAFETY: two integers to write to.
        self.check(unsafe { ask(&mut major, &mut minor) })?;
        Ok((major, minor))
    }

    /// The compute capabilities that it compiles for, ascending.
    fn capabilities(&self) -> Result<Vec<i32>, String> {
        let count: unsafe extern "C" fn(*mut c_int) -> Status = self.function(c"nvrtcGetNumSupportedArchs")?;
        let list: unsafe extern "C" fn(*mut c_int) -> Status = self.function(c"nvrtcGetSupportedArchs")?;
        let mut number = 0;
        // SAFETY: an integer to write to, then as many as it says.
        self.check(unsafe { count(&mut number) })?;
        let mut all = vec![0; usize::try_from(number).unwrap_or(0)];
        self.check(unsafe { list(all.as_mut_ptr()) })?;
        all.sort_unstable();
        Ok(all)
    }

    /// What code for a device of that compute capability is compiled to.
    ///
    /// # Errors
    /// A device that is older than all that the compiler knows.
    pub(super) fn target(&self, capability: i32) -> Result<Target, String> {
        let known = self.capabilities()?;
        if known.contains(&capability) {
            return Ok(Target::Machine(capability));
        }
        let (major, minor) = self.version;
        let below = known.iter().rev().find(|k| **k < capability);
        below.map(|k| Target::Portable(*k)).ok_or_else(|| {
            format!(
                "NVRTC {major}.{minor} compiles for compute capability {} and newer, and the device has {}",
                decimal(known.first().copied().unwrap_or(0)),
                decimal(capability)
            )
        })
    }

    /// Compiles a source named `name` in messages.
    ///
    /// # Errors
    /// The compiler's log.
    pub(super) fn compile(&self, name: &str, source: &str, target: Target) -> Result<Vec<u8>, String> {
        let program = Compilation::new(self, name, source)?;
        let architecture = format!("--gpu-architecture={}", target.architecture());
        // Fused multiply-adds are off although no kernel has floating-point numbers: none will sneak in.
        program.run(&[&architecture, "--std=c++17", "--fmad=false", "--disable-warnings"])?;
        match target {
            Target::Machine(_) => program.output(c"nvrtcGetCUBINSize", c"nvrtcGetCUBIN"),
            Target::Portable(_) => program.output(c"nvrtcGetPTXSize", c"nvrtcGetPTX"),
        }
    }

    fn check(&self, status: Status) -> Result<(), String> {
        if status == 0 {
            return Ok(());
        }
        let ask: unsafe extern "C" fn(Status) -> *const c_char = self.function(c"nvrtcGetErrorString")?;
        // SAFETY: the library answers with a string of its own for any number.
        Err(unsafe { CStr::from_ptr(ask(status)) }.to_string_lossy().into_owned())
    }
}

/// What the system's loader says, which is the cause of libloading's error.
fn words(error: &libloading::Error) -> String {
    std::error::Error::source(error).map_or_else(|| error.to_string(), ToString::to_string)
}

/// As in 9.0 for 90.
pub(super) fn decimal(capability: i32) -> String {
    format!("{}.{}", capability / 10, capability % 10)
}

fn no_compiler(candidates: &[PathBuf], reason: String) -> DeviceError {
    let tried: Vec<_> = candidates.iter().map(|path| path.display().to_string()).collect();
    DeviceError::NoCompiler { tried: tried.join(", "), reason }
}

/// One program of the compiler.
struct Compilation<'a> {
    compiler: &'a Nvrtc,
    handle: Handle,
}

type Create = unsafe extern "C" fn(
    *mut Handle,
    *const c_char,
    *const c_char,
    c_int,
    *const *const c_char,
    *const *const c_char,
) -> Status;

impl<'a> Compilation<'a> {
    fn new(compiler: &'a Nvrtc, name: &str, source: &str) -> Result<Self, String> {
        let create: Create = compiler.function(c"nvrtcCreateProgram")?;
        let source = CString::new(source).map_err(|e| e.to_string())?;
        let name = CString::new(name).map_err(|e| e.to_string())?;
        let mut handle = std::ptr::null_mut();
        // SAFETY: two strings that outlive the call, which copies them, and no headers.
        let status =
            unsafe { create(&mut handle, source.as_ptr(), name.as_ptr(), 0, std::ptr::null(), std::ptr::null()) };
        compiler.check(status)?;
        Ok(Self { compiler, handle })
    }

    fn run(&self, options: &[&str]) -> Result<(), String> {
        let compile: unsafe extern "C" fn(Handle, c_int, *const *const c_char) -> Status =
            self.compiler.function(c"nvrtcCompileProgram")?;
        let options =
            options.iter().map(|o| CString::new(*o)).collect::<Result<Vec<_>, _>>().map_err(|e| e.to_string())?;
        let pointers: Vec<_> = options.iter().map(|o| o.as_ptr()).collect();
        // SAFETY: a live program, and as many strings as are said.
        let status = unsafe { compile(self.handle, pointers.len() as c_int, pointers.as_ptr()) };
        self.compiler.check(status).map_err(|message| {
            let log = self.output(c"nvrtcGetProgramLogSize", c"nvrtcGetProgramLog").unwrap_or_default();
            let log = String::from_utf8_lossy(&log).trim_matches(['\0', '\n', ' ']).to_owned();
            if log.is_empty() { message } else { log }
        })
    }

    /// What two functions give that say a size and fill as many bytes.
    fn output(&self, size: &CStr, fill: &CStr) -> Result<Vec<u8>, String> {
        let size: unsafe extern "C" fn(Handle, *mut usize) -> Status = self.compiler.function(size)?;
        let fill: unsafe extern "C" fn(Handle, *mut c_char) -> Status = self.compiler.function(fill)?;
        let mut bytes = 0;
        // SAFETY: a live program, a size to write to, then a buffer of that size.
        self.compiler.check(unsafe { size(self.handle, &mut bytes) })?;
        let mut output = vec![0_u8; bytes];
        self.compiler.check(unsafe { fill(self.handle, output.as_mut_ptr().cast()) })?;
        Ok(output)
    }
}

impl Drop for Compilation<'_> {
    fn drop(&mut self) {
        let destroy = self.compiler.function::<unsafe extern "C" fn(*mut Handle) -> Status>(c"nvrtcDestroyProgram");
        if let Ok(destroy) = destroy {
            // SAFETY: a live program, which nothing uses any more.
            unsafe { destroy(&mut self.handle) };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_drivers_own_version_comes_first() {
        let major = |path: &PathBuf| path.display().to_string().rsplit('.').next().map(str::to_owned);
        let found: Vec<_> = candidates(Some(12)).iter().take(4).filter_map(major).collect();
        if cfg!(target_os = "linux") && std::env::var_os(VARIABLE).is_none() {
            assert_eq!(found, ["12", "11", "14", "13"]);
        }
    }

    #[test]
    fn a_missing_or_foreign_library_says_what_was_tried() {
        let missing = Nvrtc::load_from(&["/nowhere/libnvrtc.so.12".into(), "libnvrtc.so.0".into()]).unwrap_err();
        let text = missing.to_string();
        for part in ["/nowhere/libnvrtc.so.12, libnvrtc.so.0", "--backend wgpu", VARIABLE] {
            assert!(text.contains(part), "'{part}' is not in: {text}");
        }
        if cfg!(target_os = "linux") {
            // The C library, which has no such functions.
            let foreign = Nvrtc::load_from(&["libc.so.6".into()]).unwrap_err();
            assert!(
                matches!(&foreign, DeviceError::NoCompiler { reason, .. } if reason.contains("nvrtcVersion")),
                "{foreign}"
            );
        }
    }

    #[test]
    fn capabilities_are_written_as_people_do() {
        assert_eq!((decimal(90), decimal(121)), ("9.0".into(), "12.1".into()));
        assert_eq!(
            (Target::Machine(90).architecture(), Target::Portable(89).architecture()),
            ("sm_90".into(), "compute_89".into())
        );
    }
}
