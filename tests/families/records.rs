//! What runs ask of a device and what it answers, written down: so another implementation is asked the same (scripts/dawn.sh).

use std::path::{Path, PathBuf};
use std::sync::Mutex;

use serde_json::{Value, json};
use tickless::device::{
    AdapterDescription, Batch, Behind, BufferId, BufferUse, Device, DeviceError, Dispatch, Program, Session, SetUp,
    Step, Target,
};
use tickless::run::KernelTime;

use crate::adapter;
use crate::runs::families;

/// The folder to write into.
const RECORDS: &str = "TICKLESS_RECORDS";

/// A program and what its session was asked, and the bytes of both.
struct Record {
    program: Value,
    asked: Vec<Value>,
    bytes: Vec<u8>,
}

impl Record {
    fn new(program: &Program) -> Self {
        let mut bytes = vec![];
        let buffers = program.buffers.iter().map(|buffer| {
            let contents = buffer.contents.as_ref().map(|contents| keep(&mut bytes, contents));
            let uniform = buffer.usage == BufferUse::Uniform;
            json!({ "name": buffer.name, "size": buffer.size, "uniform": uniform, "contents": contents })
        });
        let buffers: Vec<_> = buffers.collect();
        let place = |name: &str| program.buffer_named(name).expect("a buffer").0;
        let kernels = program.kernels.iter().map(|kernel| {
            // The buffer of each binding.
            let bindings = kernel.bindings.iter().map(|binding| (binding.number, place(&binding.name)));
            json!({ "label": kernel.label, "wgsl": kernel.source, "bindings": bindings.collect::<Vec<_>>() })
        });
        let kernels: Vec<_> = kernels.collect();
        let steps = |steps: &[Step]| {
            let one = |step: &Step| {
                let Dispatch::Workgroups(workgroups) = step.dispatch;
                (step.kernel.0, program.grid(workgroups))
            };
            steps.iter().map(one).collect::<Vec<_>>()
        };
        let program = json!({
            "buffers": buffers,
            "kernels": kernels,
            "first": steps(&program.first),
            "round": steps(&program.round),
            "last": steps(&program.last),
            "results": steps(&program.results),
            "status": program.status.map(|BufferId(place)| place),
        });
        Self { program, asked: vec![], bytes }
    }

    fn ask(&mut self, what: &str, buffer: Option<BufferId>, number: u64, bytes: Option<&[u8]>) {
        let bytes = bytes.map(|bytes| keep(&mut self.bytes, bytes));
        self.asked
            .push(json!({ "what": what, "buffer": buffer.map(|buffer| buffer.0), "number": number, "bytes": bytes }));
    }
}

/// Where bytes begin in the file of all, and how many they are.
fn keep(bytes: &mut Vec<u8>, more: &[u8]) -> [usize; 2] {
    bytes.extend_from_slice(more);
    [bytes.len() - more.len(), more.len()]
}

/// A device all of whose sessions are written into a folder, each when it ends.
struct Recording<'a> {
    device: &'a dyn Device,
    name: String,
    folder: &'a Path,
    sessions: Mutex<u32>,
}

impl Device for Recording<'_> {
    fn adapter(&self) -> &AdapterDescription {
        self.device.adapter()
    }

    fn load(&self, program: Program, set_up: &mut SetUp<'_>) -> Result<Box<dyn Session>, DeviceError> {
        let record = Record::new(&program);
        let session = self.device.load(program, set_up)?;
        let mut sessions = self.sessions.lock().expect("no panic");
        *sessions += 1;
        let path = self.folder.join(format!("{} {sessions}.json", self.name));
        Ok(Box::new(Recorded { session, record, path }))
    }
}

struct Recorded {
    session: Box<dyn Session>,
    record: Record,
    path: PathBuf,
}

impl Drop for Recorded {
    fn drop(&mut self) {
        let Record { program, asked, bytes } = &self.record;
        let text = json!({ "program": program, "asked": asked }).to_string();
        std::fs::write(&self.path, text).expect("a folder that can be written");
        std::fs::write(self.path.with_extension("bin"), bytes).expect("the same");
    }
}

impl Session for Recorded {
    fn warm_up(&mut self, set_up: &mut SetUp<'_>) -> Result<(), DeviceError> {
        // A round that does nothing.
        self.session.warm_up(set_up)
    }

    fn submit(&mut self, rounds: u32) -> Result<(), DeviceError> {
        self.record.ask("submit", None, rounds.into(), None);
        self.session.submit(rounds)
    }

    fn wait(&mut self) -> Result<Batch, DeviceError> {
        let batch = self.session.wait()?;
        self.record.ask("wait", None, 0, Some(&batch.status));
        Ok(batch)
    }

    fn run_behind(&mut self, which: Behind) -> Result<(), DeviceError> {
        let which_steps = if which == Behind::End { "last" } else { "results" };
        self.record.ask(which_steps, None, 0, None);
        self.session.run_behind(which)
    }

    fn write(&mut self, buffer: BufferId, offset: u64, bytes: &[u8]) -> Result<(), DeviceError> {
        self.record.ask("write", Some(buffer), offset, Some(bytes));
        self.session.write(buffer, offset, bytes)
    }

    fn clear(&mut self, buffer: BufferId) -> Result<(), DeviceError> {
        self.record.ask("clear", Some(buffer), 0, None);
        self.session.clear(buffer)
    }

    fn size(&self, buffer: BufferId) -> u64 {
        self.session.size(buffer)
    }

    fn read_into(&mut self, buffer: BufferId, offset: u64, to: &mut [u8]) -> Result<(), DeviceError> {
        self.session.read_into(buffer, offset, to)?;
        self.record.ask("read", Some(buffer), offset, Some(to));
        Ok(())
    }

    fn timings(&self) -> Vec<KernelTime> {
        self.session.timings()
    }
}

/// Each family in words and without subgroups, as an implementation with WebGPU's default limits has it; its digest is that of the heap.
#[test]
#[ignore = "for scripts/dawn.sh, which has Dawn asked the same"]
fn of_every_family() {
    let folder = PathBuf::from(std::env::var_os(RECORDS).expect("TICKLESS_RECORDS names a folder"));
    let forms = adapter::forms(&["words, no subgroups"]);
    let (_, device) = forms.iter().find(|(form, _)| *form == "words, no subgroups").expect("an adapter");
    for family in families() {
        let device =
            Recording { device: device.as_ref(), name: family.name.into(), folder: &folder, sessions: Mutex::new(0) };
        assert_eq!(family.digest(Target::Device(&device)), family.digest(Target::Heap), "{}", family.name);
    }
}
