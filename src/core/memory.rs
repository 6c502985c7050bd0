//! Memory for sizes that a user asks for: how much there is, and an error where there is too little.

use crate::number::bytes;

/// Too little memory.
///
/// ```
/// use tickless::cells::CellError;
/// use tickless::memory::NoMemory;
/// let error = CellError::from(NoMemory::new("the states of cells", 1 << 40, Some(1 << 30)));
/// assert_eq!(error.to_string(), "the states of cells need 1.0 TiB of memory, 1.0 GiB are available: use a smaller model");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{what} need {} of memory{}: use a smaller model",
    bytes(*.asked), available.map(|available| format!(", {} are available", bytes(available))).unwrap_or_default()
)]
pub struct NoMemory {
    what: String,
    asked: u64,
    available: Option<u64>,
}

impl NoMemory {
    /// `what` needs `asked` bytes; `available` bytes are available, where the system says so.
    pub fn new(what: impl Into<String>, asked: u64, available: Option<u64>) -> Self {
        Self { what: what.into(), asked, available }
    }
}

/// The stack of a thread that runs a part of a model: a rank, replications, what a pool does. A process's own may be smaller.
pub const STACK: usize = 2 << 20;

/// Bytes asked for beside a large list, for the small lists after it.
const BESIDE: u64 = 32 << 20;
/// For a list of fewer bytes the system's memory is not read.
const LARGE: u64 = 16 << 20;

/// Asks for room for `count` values, and gives it back: the list that is made next finds it. Called before a list is made,
/// never in a loop over its values.
///
/// # Errors
/// [`NoMemory`], with `what` as the message names it.
pub fn room<T>(count: usize, what: &str) -> Result<(), NoMemory> {
    let asked = (count as u64).saturating_mul(size_of::<T>() as u64);
    room_of(asked, what)
}

/// The same for `asked` bytes.
///
/// # Errors
/// [`NoMemory`].
pub fn room_of(asked: u64, what: &str) -> Result<(), NoMemory> {
    let large = asked >= LARGE;
    let all = asked.saturating_add(if large { BESIDE } else { 0 });
    let fits = usize::try_from(all).is_ok_and(|all| Vec::<u8>::new().try_reserve_exact(all).is_ok());
    // A system that promises more memory than it has would end the process later.
    let available = if large || !fits { available() } else { None };
    if fits && available.is_none_or(|available| all <= available) {
        return Ok(());
    }
    Err(NoMemory::new(what, all, available))
}

/// A list of `count` copies of a value.
///
/// # Errors
/// [`NoMemory`].
pub fn filled<T: Clone>(value: T, count: usize, what: &str) -> Result<Vec<T>, NoMemory> {
    room::<T>(count, what)?;
    Ok(vec![value; count])
}

/// A list of zeros, whose memory is taken only where something is written.
///
/// # Errors
/// [`NoMemory`].
pub fn zeroed<T: bytemuck::Zeroable>(count: usize, what: &str) -> Result<Vec<T>, NoMemory> {
    room::<T>(count, what)?;
    Ok(bytemuck::zeroed_vec(count))
}

/// An empty list with room for `count` values.
///
/// # Errors
/// [`NoMemory`].
pub fn with_room<T>(count: usize, what: &str) -> Result<Vec<T>, NoMemory> {
    room::<T>(count, what)?;
    Ok(Vec::with_capacity(count))
}

/// Bytes that this machine can still give this process: the least of what is free, what the control group leaves and what
/// a limited address space leaves. `None` where the system does not say (only Linux does).
pub fn available() -> Option<u64> {
    let read = |name: &str| std::fs::read_to_string(name).ok();
    let free = available_in(&read("/proc/meminfo")?)?;
    let limits = read("/proc/self/limits").zip(read("/proc/self/status"));
    let space = limits.and_then(|(limits, status)| limited_to(&limits, &status));
    let group = read("/proc/self/cgroup").and_then(|groups| group_leaves(&groups, read));
    [space, group].into_iter().flatten().chain([free]).min()
}

/// The rest of a limited address space (`ulimit -v`); `None` without a limit.
pub fn address_space() -> Option<u64> {
    let read = |name: &str| std::fs::read_to_string(name).ok();
    limited_to(&read("/proc/self/limits")?, &read("/proc/self/status")?)
}

/// The most bytes of a file that this process writes (`ulimit -f`); `None` without a limit.
pub fn file_size() -> Option<u64> {
    limit(&std::fs::read_to_string("/proc/self/limits").ok()?, "Max file size")
}

/// The stack of the first thread (`ulimit -s`), where it is limited; `None` where the system does not say (only Linux does).
pub fn first_stack() -> Option<u64> {
    limit(&std::fs::read_to_string("/proc/self/limits").ok()?, "Max stack size")
}

/// The first number of a row of `/proc/self/limits`.
fn limit(limits: &str, name: &str) -> Option<u64> {
    let line = limits.lines().find_map(|line| line.strip_prefix(name))?;
    line.split_whitespace().next()?.parse().ok()
}

/// The number of kibibytes behind a name.
fn kibibytes(text: &str, name: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    let count: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(count * 1024)
}

fn available_in(meminfo: &str) -> Option<u64> {
    kibibytes(meminfo, "MemAvailable:")
}

fn limited_to(limits: &str, status: &str) -> Option<u64> {
    Some(limit(limits, "Max address space")?.saturating_sub(kibibytes(status, "VmSize:")?))
}

/// The memory that the control groups of this process, and those above them, leave of their limits. Files that are only
/// in the cache count as free.
fn group_leaves(groups: &str, read: impl Fn(&str) -> Option<String>) -> Option<u64> {
    let left = |line: &str| {
        let (controllers, path) = line.split_once(':')?.1.split_once(':')?;
        let (root, [limit, used]) = match controllers {
            "" => ("/sys/fs/cgroup", ["memory.max", "memory.current"]),
            "memory" => ("/sys/fs/cgroup/memory", ["memory.limit_in_bytes", "memory.usage_in_bytes"]),
            _ => return None,
        };
        let number = |folder: &str, file: &str| read(&format!("{folder}/{file}"))?.trim().parse::<u64>().ok();
        let of = |folder: &str| {
            let cached = read(&format!("{folder}/memory.stat")).and_then(|stat| {
                let line = stat.lines().find_map(|line| line.strip_prefix("inactive_file "))?;
                line.trim().parse::<u64>().ok()
            });
            let used = number(folder, used)?.saturating_sub(cached.unwrap_or(0));
            Some(number(folder, limit)?.saturating_sub(used))
        };
        let parts = path.split('/').filter(|part| !part.is_empty());
        let folders = parts.scan(root.to_owned(), |folder, part| {
            *folder = format!("{folder}/{part}");
            Some(folder.clone())
        });
        std::iter::once(root.to_owned()).chain(folders).filter_map(|folder| of(&folder)).min()
    };
    groups.lines().filter_map(left).min()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn available_memory_is_read() {
        let text = "MemTotal:       24000000 kB\nMemFree: 1 kB\nMemAvailable:   23000000 kB\n";
        assert_eq!(available_in(text), Some(23_000_000 * 1024));
        assert_eq!(available_in("MemTotal: 5 kB\n"), None);
        assert_eq!(available_in("MemAvailable: many kB\n"), None);
    }

    #[test]
    fn a_limited_address_space_is_read() {
        let limits = "Limit  Soft Limit  Hard Limit  Units\nMax address space         2048000  unlimited  bytes\n";
        assert_eq!(limited_to(limits, "VmPeak: 7 kB\nVmSize:\t     1000 kB\n"), Some(1_024_000));
        assert_eq!(limited_to(limits, "VmSize: 9000 kB\n"), Some(0));
        assert_eq!(limited_to("Max address space  unlimited  unlimited  bytes\n", "VmSize: 1 kB\n"), None);
    }

    #[test]
    fn control_groups_leave_the_least() {
        let files = |name: &str| {
            let text = match name {
                "/sys/fs/cgroup/a/memory.max" => "1000\n",
                "/sys/fs/cgroup/a/memory.current" => "400\n",
                "/sys/fs/cgroup/a/memory.stat" => "anon 300\ninactive_file 100\n",
                "/sys/fs/cgroup/a/b/memory.max" => "max\n",
                "/sys/fs/cgroup/a/b/memory.current" => "200\n",
                "/sys/fs/cgroup/memory/c/memory.limit_in_bytes" => "500",
                "/sys/fs/cgroup/memory/c/memory.usage_in_bytes" => "900",
                _ => return None,
            };
            Some(text.to_owned())
        };
        assert_eq!(group_leaves("0::/a/b\n", files), Some(700));
        assert_eq!(group_leaves("9:cpu:/a\n4:memory:/c\n0::/\n", files), Some(0));
        assert_eq!(group_leaves("0::/b\n", files), None);
    }

    #[test]
    fn what_there_is_not_is_refused() {
        let error = filled(0_u64, 1 << 60, "the values").unwrap_err().to_string();
        assert!(error.starts_with("the values need 8388608.0 TiB of memory"), "{error}");
        assert!(error.ends_with(": use a smaller model"), "{error}");
        assert!(room::<[u64; 4]>(usize::MAX, "the values").is_err() && with_room::<u32>(1 << 60, "v").is_err());
        assert_eq!(filled(7_u8, 3, "v"), Ok(vec![7; 3]));
        assert_eq!(with_room::<u8>(3, "v").unwrap().capacity(), 3);
    }
}
