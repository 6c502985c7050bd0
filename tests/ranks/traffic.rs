//! What the host and a device tell each other in a window: what crosses, and a fixed number of small things beside it.

use std::sync::atomic::{AtomicU64, Ordering};

use tickless::device::{AdapterDescription, Batch, Behind, BufferId, Device, DeviceError, Program, Session, SetUp};
use tickless::run::KernelTime;

/// What sessions were asked for so far.
#[derive(Debug, Default)]
pub struct Counts {
    loads: AtomicU64,
    /// Batches of rounds, and steps between them.
    submissions: AtomicU64,
    /// Copies from and to the device, and their bytes.
    copies: AtomicU64,
    bytes: AtomicU64,
}

/// The same at one time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Traffic {
    pub loads: u64,
    pub submissions: u64,
    pub copies: u64,
    pub bytes: u64,
}

impl Traffic {
    /// What it is more than a shorter run of the same model: what both have at the beginning and at the end is left out.
    pub fn beyond(self, shorter: Self) -> Self {
        Self {
            loads: self.loads - shorter.loads,
            submissions: self.submissions - shorter.submissions,
            copies: self.copies - shorter.copies,
            bytes: self.bytes - shorter.bytes,
        }
    }
}

/// A device that counts.
pub struct Counting<'a> {
    device: &'a dyn Device,
    counts: &'static Counts,
}

impl<'a> Counting<'a> {
    pub fn new(device: &'a dyn Device) -> Self {
        Self { device, counts: Box::leak(Box::default()) }
    }

    pub fn traffic(&self) -> Traffic {
        let Counts { loads, submissions, copies, bytes } = self.counts;
        let [loads, submissions, copies, bytes] =
            [loads, submissions, copies, bytes].map(|count| count.load(Ordering::Relaxed));
        Traffic { loads, submissions, copies, bytes }
    }
}

impl Device for Counting<'_> {
    fn adapter(&self) -> &AdapterDescription {
        self.device.adapter()
    }

    fn load(&self, program: Program, set_up: &mut SetUp<'_>) -> Result<Box<dyn Session>, DeviceError> {
        self.counts.loads.fetch_add(1, Ordering::Relaxed);
        Ok(Box::new(CountingSession { session: self.device.load(program, set_up)?, counts: self.counts }))
    }
}

struct CountingSession {
    session: Box<dyn Session>,
    counts: &'static Counts,
}

impl CountingSession {
    fn copies(&self, bytes: usize) {
        self.counts.copies.fetch_add(1, Ordering::Relaxed);
        self.counts.bytes.fetch_add(bytes as u64, Ordering::Relaxed);
    }
}

impl Session for CountingSession {
    fn warm_up(&mut self, set_up: &mut SetUp<'_>) -> Result<(), DeviceError> {
        self.session.warm_up(set_up)
    }

    fn submit(&mut self, rounds: u32) -> Result<(), DeviceError> {
        self.counts.submissions.fetch_add(1, Ordering::Relaxed);
        self.session.submit(rounds)
    }

    fn wait(&mut self) -> Result<Batch, DeviceError> {
        self.session.wait()
    }

    fn run_behind(&mut self, which: Behind) -> Result<(), DeviceError> {
        self.counts.submissions.fetch_add(1, Ordering::Relaxed);
        self.session.run_behind(which)
    }

    fn write(&mut self, buffer: BufferId, offset: u64, bytes: &[u8]) -> Result<(), DeviceError> {
        self.copies(bytes.len());
        self.session.write(buffer, offset, bytes)
    }

    fn clear(&mut self, buffer: BufferId) -> Result<(), DeviceError> {
        self.copies(self.session.size(buffer) as usize);
        self.session.clear(buffer)
    }

    fn size(&self, buffer: BufferId) -> u64 {
        self.session.size(buffer)
    }

    fn read_into(&mut self, buffer: BufferId, offset: u64, to: &mut [u8]) -> Result<(), DeviceError> {
        self.copies(to.len());
        self.session.read_into(buffer, offset, to)
    }

    fn timings(&self) -> Vec<KernelTime> {
        self.session.timings()
    }
}

/// Windows of two ranks that differ by what is between two runs of a model: `longer` and `shorter` are its windows and what was
/// asked for. No window grows a buffer, and each has few submissions and copies.
pub fn assert_few(longer: (u64, Traffic), shorter: (u64, Traffic), what: &str) -> Traffic {
    let (windows, more) = (longer.0 - shorter.0, longer.1.beyond(shorter.1));
    assert_eq!((longer.1.loads, shorter.1.loads), (2, 2), "{what}");
    assert!(windows > 5, "{what}: {windows} windows");
    // On each rank a batch, which may be followed by another one, and what takes in what has come.
    assert!(more.submissions <= 2 * 3 * windows, "{what}: {more:?} in {windows} windows");
    // The limit, the status before and behind what crosses, what crosses in both directions, and when its first event is.
    assert!(more.copies <= 2 * 8 * windows, "{what}: {more:?} in {windows} windows");
    more
}
