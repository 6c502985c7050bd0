//! NVIDIA's run-time compiler, loaded when the first kernel needs it.
//!
//! Its library is named after its major version. cudarc looks for versions up to the one that it was built for and
//! panics without any; this code looks for the driver's own version first and says where it looked.

use std::collections::HashSet;
use std::ffi::{CStr, CString, OsString, c_char, c_int, c_void};
use std::fmt;
use std::mem::ManuallyDrop;
use std::path::{Path, PathBuf};

use libloading::Library;

use super::super::DeviceError;

/// The major versions that are looked for, the newest first.
const MAJORS: [i32; 3] = [14, 13, 12];
/// The variable that names the library where it is in no usual place.
const VARIABLE: &str = "TICKLESS_NVRTC";

/// The options of every compilation. Fused multiply-adds are off although no kernel has floating-point numbers, so that
/// none can appear.
pub(super) const OPTIONS: [&str; 3] = ["--std=c++17", "--fmad=false", "--disable-warnings"];

type Status = c_int;
type Handle = *mut c_void;

/// The loaded compiler.
#[derive(Debug)]
pub(super) struct Nvrtc {
    /// Never unloaded: a thread that has compiled may still call it when it ends.
    library: ManuallyDrop<Library>,
    /// Its version, as in 12.9.
    pub(super) version: (i32, i32),
}

/// The target of a compilation.
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

    /// The compute capability that the compiler makes code for.
    pub(super) fn capability(self) -> i32 {
        let (Self::Machine(capability) | Self::Portable(capability)) = self;
        capability
    }
}

/// Where to look for the library: each name in each folder, the first folder being the system's own search.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Search {
    names: Vec<String>,
    folders: Vec<PathBuf>,
}

impl Search {
    fn new(driver_major: Option<i32>, own: Option<OsString>, roots: impl IntoIterator<Item = OsString>) -> Self {
        if let Some(path) = own.filter(|path| !path.is_empty()).map(PathBuf::from) {
            return Self { names: vec![path.display().to_string()], folders: vec![PathBuf::new()] };
        }
        let mut majors: Vec<i32> = driver_major.into_iter().collect();
        // An older compiler's code runs on a newer driver, not the other way round.
        majors.extend(MAJORS.into_iter().filter(|m| driver_major.is_none_or(|d| *m < d)));
        majors.extend(MAJORS.into_iter().filter(|m| driver_major.is_some_and(|d| *m > d)));
        let mut folders = vec![PathBuf::new()];
        let inside: &[&str] = if cfg!(windows) { &["bin", "bin/x64"] } else { &["lib64", "lib"] };
        for root in roots.into_iter().map(PathBuf::from).chain(["/usr/local/cuda".into()]) {
            folders.extend(inside.iter().map(|folder| root.join(folder)));
        }
        let mut seen = HashSet::new();
        folders.retain(|folder| seen.insert(folder.clone()));
        Self { names: majors.iter().flat_map(|major| names(*major)).collect(), folders }
    }

    fn paths(&self) -> impl Iterator<Item = PathBuf> + '_ {
        self.folders.iter().flat_map(|folder| self.names.iter().map(move |name| folder.join(name)))
    }
}

impl fmt::Display for Search {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.names.join(", "))?;
        if self.folders.len() > 1 {
            let folders: Vec<_> = self.folders.iter().skip(1).map(|folder| folder.display().to_string()).collect();
            write!(f, " in the library path, {}", folders.join(", "))?;
        }
        Ok(())
    }
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
    /// Loads the first library that works and knows a GPU of a compute capability, a library of the driver's major
    /// version before others.
    ///
    /// # Errors
    /// [`DeviceError::NoCompiler`] with the names that were looked for, and the fault of the first library found.
    pub(super) fn load(driver_major: Option<i32>, capability: i32) -> Result<(Self, Target), DeviceError> {
        let roots = ["CUDA_PATH", "CUDA_HOME"].into_iter().filter_map(std::env::var_os);
        Self::find(&Search::new(driver_major, std::env::var_os(VARIABLE), roots), capability)
    }

    fn find(search: &Search, capability: i32) -> Result<(Self, Target), DeviceError> {
        let mut first = None;
        for path in search.paths() {
            match Self::open(&path).and_then(|nvrtc| nvrtc.target(capability).map(|target| (nvrtc, target))) {
                Ok(found) => return Ok(found),
                Err(reason) => {
                    // The fault of a library that was found says more than that of a missing one.
                    let there = path.exists() || !reason.contains("No such file");
                    if there || search.names.len() == 1 {
                        first.get_or_insert(format!("{}: {reason}", path.display()));
                    }
                }
            }
        }
        let reason = first.unwrap_or_else(|| "there is none".into());
        Err(DeviceError::NoCompiler { tried: search.to_string(), reason })
    }

    fn open(path: &Path) -> Result<Self, String> {
        // SAFETY: NVIDIA's library has no side effects on loading; the functions are looked up with the types that
        // its documentation gives them.
        let library = unsafe { Library::new(path) }.map_err(|error| words(&error))?;
        let mut compiler = Self { library: ManuallyDrop::new(library), version: (0, 0) };
        compiler.version = compiler.ask_version()?;
        Ok(compiler)
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

    /// The compute capabilities for which it compiles, ascending.
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

    /// The target for a device of a compute capability.
    ///
    /// # Errors
    /// A device that is older than all that the compiler knows.
    fn target(&self, capability: i32) -> Result<Target, String> {
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
        program.run(&[&[architecture.as_str()], &OPTIONS[..]].concat())?;
        match target {
            Target::Machine(_) => program.output(c"nvrtcGetCUBINSize", c"nvrtcGetCUBIN"),
            Target::Portable(_) => program.output(c"nvrtcGetPTXSize", c"nvrtcGetPTX"),
        }
    }

    /// Has the front end of the compiler read a source named `name` in messages, without making code: a hundredth of the time.
    ///
    /// # Errors
    /// The compiler's log.
    pub(super) fn read(&self, name: &str, source: &str, target: Target) -> Result<(), String> {
        let program = Compilation::new(self, name, source)?;
        let architecture = format!("--gpu-architecture={}", target.architecture());
        program.run(&[&[architecture.as_str(), "--fdevice-syntax-only"], &OPTIONS[..]].concat())
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

/// The message of the system's loader, which is the cause of libloading's error.
fn words(error: &libloading::Error) -> String {
    std::error::Error::source(error).map_or_else(|| error.to_string(), ToString::to_string)
}

/// As in 9.0 for 90.
pub(super) fn decimal(capability: i32) -> String {
    format!("{}.{}", capability / 10, capability % 10)
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

    /// The output of two functions, one for its size and one that fills in the bytes.
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
        let search = Search::new(Some(12), None, ["/opt/cuda".into(), "/opt/cuda".into()]);
        if cfg!(unix) {
            assert_eq!(search.names, ["libnvrtc.so.12", "libnvrtc.so.14", "libnvrtc.so.13"]);
            let folders = ["", "/opt/cuda/lib64", "/opt/cuda/lib", "/usr/local/cuda/lib64", "/usr/local/cuda/lib"];
            assert_eq!(search.folders, folders.map(PathBuf::from));
            assert_eq!(search.paths().count(), 15);
        }
        assert_eq!(Search::new(None, None, []).names[0], Search::new(Some(14), None, []).names[0]);
    }

    #[test]
    fn a_path_of_the_users_own_is_the_only_one() {
        let own = Search::new(Some(13), Some("/opt/libnvrtc.so".into()), ["/opt/cuda".into()]);
        assert_eq!(own.paths().collect::<Vec<_>>(), [PathBuf::from("/opt/libnvrtc.so")]);
        assert_eq!(own.to_string(), "/opt/libnvrtc.so");
        assert_eq!(Search::new(Some(13), Some("".into()), []), Search::new(Some(13), None, []));
    }

    /// The first fault of the front end is reported, and nothing behind it.
    #[test]
    fn a_fault_is_read() {
        let (nvrtc, target) = match Nvrtc::load(None, 90) {
            Ok(found) => found,
            Err(error) => {
                assert!(std::env::var_os("CI").is_none(), "{error}");
                return eprintln!("SKIPPED: {error}");
            }
        };
        let kernel = |line: &str| format!("extern \"C\" __global__ void kernel(unsigned* words) {{ {line} }}");
        nvrtc.read("test/right", &kernel("words[0] = 1u;"), target).unwrap();
        for (line, word) in [("words[0] = nothing(1u);", "nothing"), ("words = 1u;", "words"), ("words[0] = 1u", ";")] {
            let said = nvrtc.read("test/wrong", &kernel(line), target).unwrap_err();
            assert!(said.contains("test/wrong(1)") && said.contains(word), "{said}");
        }
    }

    #[test]
    fn a_missing_or_foreign_library_is_said() {
        let search = |names: &[&str]| Search {
            names: names.iter().map(|name| (*name).to_owned()).collect(),
            folders: vec![PathBuf::new(), "/nowhere".into()],
        };
        let text = Nvrtc::find(&search(&["libnvrtc.so.0", "libnvrtc.so.1"]), 90).unwrap_err().to_string();
        for part in
            ["there is none", "libnvrtc.so.0, libnvrtc.so.1 in the library path, /nowhere", "--backend wgpu", VARIABLE]
        {
            assert!(text.contains(part), "'{part}' is not in: {text}");
        }
        if cfg!(target_os = "linux") {
            // The C library, which lacks these functions; the search goes on behind it.
            let text = Nvrtc::find(&search(&["libnvrtc.so.0", "libc.so.6"]), 90).unwrap_err().to_string();
            assert!(text.contains("libc.so.6: ") && text.contains("nvrtcVersion"), "{text}");
        }
    }

    /// A message of the compiler's front end names the kernel and the line, by the `#line` of the translation.
    #[test]
    fn a_message_names_the_kernel_and_the_line() {
        let Ok((nvrtc, target)) = Nvrtc::load(None, 90) else {
            assert!(std::env::var_os("CI").is_none(), "CI needs NVRTC");
            return;
        };
        let source = "#line 1 \"queueing/departure\"\nstatic __device__ int a;\nstatic __device__ int b = c;\n";
        let log = nvrtc.compile("queueing/departure", source, target).unwrap_err();
        assert!(log.contains("queueing/departure(2): error") && log.contains("\"c\""), "{log}");
    }

    #[test]
    fn capabilities_are_written_as_people_do() {
        assert_eq!((decimal(90), decimal(121)), ("9.0".into(), "12.1".into()));
        let names = (Target::Machine(90).architecture(), Target::Portable(89).architecture());
        assert_eq!(names, ("sm_90".into(), "compute_89".into()));
    }
}
