//! Models that are not PHOLD: they do to a device what PHOLD never does.

use tickless::device::{AdapterDescription, BufferSpec, BufferUse, Target};
use tickless::kernels::Source;
use tickless::pending::PendingSet;
use tickless::processes::gpu::{self, DeviceModel, ProcessOptions};
use tickless::processes::{self, Message, Outbox, ProcessError, ProcessModel};
use tickless::random::{Stream, StreamKey};
use tickless::run::unwatched;
use tickless::time::Time;

use crate::adapter;
use crate::phold::{CUT, assert_same};

const PROCESSES: u32 = 60;

/// Every process sends to process 0, which answers: all at the same few times, with up to two messages an event, which
/// carry words.
pub struct Crowd;

const UNTIL: u64 = 9;

impl ProcessModel for Crowd {
    type State = [u32; 1];
    type Payload = [u32; 2];

    fn processes(&self) -> u32 {
        PROCESSES
    }

    fn lookahead(&self) -> Time {
        Time::UNIT
    }

    fn until(&self) -> Time {
        Time::from_ticks(UNTIL << 32)
    }

    fn key(&self) -> StreamKey {
        StreamKey::new(3, 0)
    }

    fn device_model(&self) -> Option<DeviceModel> {
        Some(self.into())
    }

    fn initialize(&self, id: u32, _: &mut Stream, first: &mut Vec<(Time, [u32; 2])>) -> Result<[u32; 1], ProcessError> {
        first.extend((0..3).map(|number| (Time::ZERO, [id, number])));
        Ok([0])
    }

    fn execute(
        &self,
        message: &Message<[u32; 2]>,
        state: &mut [u32; 1],
        stream: &mut Stream,
        outbox: &mut impl Outbox<[u32; 2]>,
    ) -> Result<(), ProcessError> {
        let [a, b] = message.payload;
        let sent = message.source << 20 | message.sequence;
        state[0] = (state[0] ^ a.wrapping_add(b) ^ sent).rotate_left(5);
        if message.destination != 0 {
            outbox.send(0, Time::UNIT, [a, b + 1])?;
        } else if a != 0 {
            outbox.send(a, Time::UNIT, [a, stream.draw() >> 4])?;
            if b % 8 == 0 {
                outbox.send(PROCESSES - 1, Time::from_ticks(3 << 31), [7, 8])?;
            }
        }
        Ok(())
    }
}

const CROWD: &str = "
import package::lib::pcg32::{Stream, draw};
import package::processes::message::{sequence_of, source_of};
import package::processes::records::{parameters, process};
import package::processes::send::{plan, send};
import events::{Event, carried_by};
import word64::{wide};

fn start(id: u32, stream: ptr<function, Stream>) {
    for (var number = 0u; number < 3u; number += 1u) { plan(wide(0u, 0u), vec4<u32>(id, number, 0u, 0u)); }
}

fn execute(event: Event, stream: ptr<function, Stream>) {
    let carried = carried_by(event);
    let word = process.word ^ (carried.x + carried.y) ^ ((source_of(event) << 20u) | sequence_of(event));
    process.word = (word << 5u) | (word >> 27u);
    if (process.id != 0u) {
        send(0u, wide(0u, 1u), vec4<u32>(carried.x, carried.y + 1u, 0u, 0u));
    } else if (carried.x != 0u) {
        send(carried.x, wide(0u, 1u), vec4<u32>(carried.x, draw(stream) >> 4u, 0u, 0u));
        if (carried.y % 8u == 0u) {
            send(parameters.processes - 1u, wide(0x80000000u, 1u), vec4<u32>(7u, 8u, 0u, 0u));
        }
    }
}";

impl From<&Crowd> for DeviceModel {
    fn from(crowd: &Crowd) -> Self {
        let crowd = Self::of(crowd, "crowd", Source::own("crowd.wgsl", CROWD));
        Self { starting: 3, most_sent: 2, burst: 3.0, ..crowd }
    }
}

/// All events go to one process, at once: its set grows from the room of 3 to that of all.
#[test]
fn all_events_to_one_process() {
    let expected = processes::run(&Crowd, Target::Heap, Default::default(), &mut unwatched()).expect("a run").outcome;
    for (form, device) in adapter::forms(&["native"]) {
        // Without order in two parts as well, where what is carried crosses.
        let sets = PendingSet::ALL.map(|pending| (pending, None));
        for (pending, parts) in sets.into_iter().chain([(PendingSet::Unsorted, Some(2))]) {
            // One set is added up on the device, with what its messages carry.
            let figures_only = pending == PendingSet::CircularSinglePass;
            let options =
                ProcessOptions { pending, room: Some(3), figures_only, parts, rounds: CUT, ..Default::default() };
            let run = processes::run(&Crowd, Target::Device(&device), options, &mut unwatched());
            let run = run.unwrap_or_else(|e| panic!("{form}: {e}"));
            assert_eq!(run.outcome.added_up.is_some(), figures_only, "{form}");
            assert_same(&expected, &run.outcome, &format!("{form}: {}", pending.name()));
        }
    }
}

/// From process 7 on every process breaks a rule.
const BREAKING: &str = "
import package::lib::pcg32::{Stream};
import package::processes::records::{process};
import package::processes::send::{plan, send};
import events::{Event};
import word64::{wide};

var<uniform> rule: vec4<u32>;

fn start(id: u32, stream: ptr<function, Stream>) {
    let events = select(1u, 50u, rule.x == 4u && id >= 7u);
    for (var i = 0u; i < events; i += 1u) { plan(wide(id, 5u), vec4<u32>()); }
}

fn execute(event: Event, stream: ptr<function, Stream>) {
    if (process.id >= 7u) {
        switch rule.x {
            case 0u: { send(1u, wide(5u, 0u), vec4<u32>()); }
            case 1u: { send(60u, wide(0u, 1u), vec4<u32>()); }
            case 2u: { send(1u, wide(0u, 0xfffffffbu), vec4<u32>()); }
            case 3u: { process.sent = 0xffffffffu; }
            default: { for (var i = 0u; i < 3u; i += 1u) { send(1u, wide(0u, 1u), vec4<u32>()); } }
        }
    }
    send(0u, wide(1u, 1u), vec4<u32>());
}";

#[test]
fn a_model_that_breaks_a_rule_is_told() {
    let rules = [
        "with a delay of",
        "to process 60; there are 60",
        "passes the range",
        "more than 4294967295 messages",
        "plans more than the 3 events",
        "sends message 3 of one event at time 5.0000000016298145, and its model announces 2",
    ];
    for (form, device) in adapter::forms(&["native"]) {
        for (rule, said) in rules.into_iter().enumerate() {
            let rule = [rule as u32, 0, 0, 0].map(u32::to_le_bytes).concat();
            let buffers = vec![BufferSpec::filled("rule", BufferUse::Uniform, rule)];
            let model = DeviceModel { source: Source::own("breaking.wgsl", BREAKING), buffers, ..(&Crowd).into() };
            let options = ProcessOptions { rounds: CUT, ..Default::default() };
            match gpu::run(&model, &device, options, &mut unwatched()) {
                Err(error) => {
                    let error = error.to_string();
                    assert!(error.starts_with("process 7 ") && error.contains(said), "{form}: {error}");
                }
                Ok(_) => panic!("{form}: nothing says '{said}'"),
            }
        }
    }
}

/// A crowd whose kernels are said to be these.
struct Said(DeviceModel);

impl ProcessModel for Said {
    type State = [u32; 1];
    type Payload = [u32; 2];

    fn processes(&self) -> u32 {
        Crowd.processes()
    }

    fn lookahead(&self) -> Time {
        Crowd.lookahead()
    }

    fn until(&self) -> Time {
        Crowd.until()
    }

    fn key(&self) -> StreamKey {
        Crowd.key()
    }

    fn device_model(&self) -> Option<DeviceModel> {
        Some(self.0.clone())
    }

    fn initialize(
        &self,
        id: u32,
        stream: &mut Stream,
        first: &mut Vec<(Time, [u32; 2])>,
    ) -> Result<[u32; 1], ProcessError> {
        Crowd.initialize(id, stream, first)
    }

    fn execute(
        &self,
        message: &Message<[u32; 2]>,
        state: &mut [u32; 1],
        stream: &mut Stream,
        outbox: &mut impl Outbox<[u32; 2]>,
    ) -> Result<(), ProcessError> {
        Crowd.execute(message, state, stream, outbox)
    }
}

fn refused(model: &Said, target: Target<'_>, pending: PendingSet) -> String {
    let options = ProcessOptions { pending, rounds: CUT, ..Default::default() };
    processes::run(model, target, options, &mut unwatched()).expect_err("it says what is not so").to_string()
}

/// What a model has not announced there is no room for: every backend says so in the same words.
#[test]
fn what_a_model_has_not_announced_is_refused_everywhere() {
    let modest = [
        (
            Said(DeviceModel { most_sent: 1, ..(&Crowd).into() }),
            "process 0 sends message 2 of one event at time 3, and its model announces 1",
        ),
        (Said(DeviceModel { starting: 2, ..(&Crowd).into() }), "process 0 plans more than the 2 events at the start"),
    ];
    for (model, expected) in &modest {
        let heap = refused(model, Target::Heap, PendingSet::default());
        assert!(heap.starts_with(expected), "{heap}");
        for (form, device) in adapter::forms(&["native"]) {
            for pending in [PendingSet::HeapOfFours, PendingSet::GlobalHeap] {
                assert_eq!(heap, refused(model, Target::Device(&device), pending), "{form}: {}", pending.name());
            }
        }
    }
    let both = Said((&Crowd).into());
    assert!(processes::run(&both, Target::Heap, Default::default(), &mut unwatched()).is_ok());
}

/// Kernels that are not those of the model of the processes are refused before a run, and so are numbers that no device can run.
#[test]
fn kernels_of_another_model_are_refused() {
    let of = |change: &dyn Fn(&mut DeviceModel)| {
        let mut kernels = (&Crowd).into();
        change(&mut kernels);
        kernels
    };
    let others = [
        ("processes is 59, and the model of the processes says 60", of(&|of| of.processes = 59)),
        ("lookahead is 0.5, ", of(&|of| of.lookahead = Time::from_ticks(1 << 31))),
        ("until is 8, ", of(&|of| of.until = Time::from_ticks(8 << 32))),
        ("key is ", of(&|of| of.key = StreamKey::new(4, 0))),
        ("payload_words is 3, ", of(&|of| of.payload_words = 3)),
    ];
    let devices = adapter::forms(&["native"]);
    for (said, kernels) in others {
        let model = Said(kernels);
        let targets = devices.iter().map(|(_, device)| Target::Device(device));
        for target in targets.chain([Target::Heap]) {
            let error = refused(&model, target, PendingSet::default());
            assert!(error.starts_with(&format!("DeviceModel::{said}")), "{error}");
        }
    }
    let wrong = [
        ("processes is 0; it must be from 1 to 4294967295", of(&|of| of.processes = 0)),
        ("state_words is 0;", of(&|of| of.state_words = 0)),
        ("payload_words is 4;", of(&|of| of.payload_words = 4)),
        ("most_sent is 4294967295;", of(&|of| of.most_sent = u32::MAX)),
        ("burst is 1e300;", of(&|of| of.burst = 1e300)),
        ("burst is NaN;", of(&|of| of.burst = f64::NAN)),
        ("burst is -1;", of(&|of| of.burst = -1.0)),
    ];
    for (said, kernels) in wrong {
        let adapter = AdapterDescription::imagined(true, 32);
        let error = gpu::parts(&kernels, &ProcessOptions::default(), &adapter).expect_err(said).to_string();
        assert!(error.starts_with(&format!("DeviceModel::{said}")), "{error}");
    }
}

/// Sixty buffers, where an adapter has eight, are told before a run; and so is a buffer that does not fit its variable.
#[test]
fn buffers_that_do_not_fit_are_refused_by_name() {
    let names: Vec<&'static str> = (0..60).map(|number| &*format!("own_{number}").leak()).collect();
    let declared: String = names.iter().map(|name| format!("var<storage, read> {name}: array<u32>;\n")).collect();
    let read: String = names.iter().map(|name| format!("process.word += {name}[0];\n")).collect();
    let text = format!(
        "import package::lib::pcg32::{{Stream}};\nimport package::processes::records::{{process}};\nimport events::{{Event}};\n\
         struct Rule {{ a: vec4<u32>, b: u32 }}\nvar<uniform> rule: Rule;\n{declared}\
         fn start(id: u32, stream: ptr<function, Stream>) {{ process.word = rule.b; }}\n\
         fn execute(event: Event, stream: ptr<function, Stream>) {{\n{read}}}\n"
    );
    let buffer = |name, bytes| BufferSpec::filled(name, BufferUse::Storage, vec![0; bytes]);
    let rule = || BufferSpec::filled("rule", BufferUse::Uniform, vec![0; 32]);
    let said = |rule: BufferSpec, last: BufferSpec| {
        let few = names[..59].iter().map(|name| buffer(name, 4)).chain([rule, last]);
        let source = Source::own("sixty.wgsl", text.clone());
        let kernels = DeviceModel { buffers: few.collect(), source, ..(&Crowd).into() };
        let parts = gpu::parts(&kernels, &ProcessOptions::default(), &AdapterDescription::imagined(true, 32));
        parts.map(drop).expect_err("too many").to_string()
    };
    let fits = said(rule(), buffer("own_59", 4));
    assert!(fits.contains("storage buffers of processes/") && fits.contains("8 available"), "{fits}");
    for bytes in [0, 3, 15] {
        let wrong = said(rule(), buffer("own_59", bytes));
        assert!(
            wrong.starts_with(&format!("buffer 'own_59' has {bytes} bytes; it must have words of 4 bytes")),
            "{wrong}"
        );
    }
    let short = said(BufferSpec::filled("rule", BufferUse::Uniform, vec![0; 16]), buffer("own_59", 4));
    assert!(
        short.starts_with("buffer 'rule' has 16 bytes, and kernel processes/") && short.ends_with("needs 32 or more"),
        "{short}"
    );
    let stored = said(buffer("rule", 32), buffer("own_59", 4));
    assert!(stored.starts_with("buffer 'rule' is given as storage, and kernel processes/"), "{stored}");
    let twice = said(rule(), buffer("logarithms", 4096));
    assert!(twice.starts_with("buffer 'logarithms' is one of tickless's, or given twice"), "{twice}");
    let uniform = said(rule(), BufferSpec::filled("own_59", BufferUse::Uniform, vec![0; 4]));
    assert!(uniform.starts_with("buffer 'own_59' is given as uniform, and kernel processes/"), "{uniform}");
}

/// Breaks the language, or reads outside of its array.
const OUTSIDE: &str = "
import package::lib::pcg32::{Stream};
import package::processes::records::{process};
import package::processes::send::{plan, send};
import events::{Event};
import word64::{wide};

var<storage, read> few: array<u32>;

fn start(id: u32, stream: ptr<function, Stream>) { plan(wide(id, 1u), vec4<u32>()); }

fn execute(event: Event, stream: ptr<function, Stream>) {
    process.word = few[process.id * 2u];
}";

fn outside(text: &'static str, device: &dyn tickless::device::Device, pending: PendingSet) -> Result<u32, String> {
    let buffers = vec![BufferSpec::filled("few", BufferUse::Storage, [7_u8; 4 * 40].to_vec())];
    let model = DeviceModel { source: Source::own("outside.wgsl", text), buffers, ..(&Crowd).into() };
    let options = ProcessOptions { pending, rounds: CUT, ..Default::default() };
    let run = gpu::run(&model, device, options, &mut unwatched());
    run.map(|run| run.outcome.state[19]).map_err(|error| error.to_string())
}

/// An index outside of an array, and what is no WGSL, are named with the file, the line and its text.
#[test]
fn what_is_wrong_in_own_text_is_named_with_its_line() {
    let said = "process 20 at time 1.0000000046566129: outside.wgsl, line 13: the index 40 lies outside of the array: \
                process.word = few[process.id * 2u];";
    let wrong = [
        ("few[process.id * 2u]", "fewer[process.id]", "line 13: ", "fewer"),
        ("few[process.id * 2u]", "few[process.id] + 1i", "line 13: ", "process.word = few[process.id] + 1i;"),
        ("process.word =", "let x", "line 13: ", "let x few"),
        ("vec4<u32>());", "vec4<f32>());", "line 10: ", "plan(wide(id, 1u), vec4<f32>());"),
        ("import events::{Event};", "import events::{Event, send};", "line 5", "send"),
        (
            "import package::processes::send::{plan, send};",
            "import package::processes::sent::{plan, send};",
            "",
            "shaders/processes/sent.wgsl",
        ),
    ];
    for (form, device) in adapter::forms(&["native"]) {
        for pending in [PendingSet::HeapOfFours, PendingSet::GlobalHeap] {
            assert_eq!(outside(OUTSIDE, &device, pending), Err(said.to_owned()), "{form}: {}", pending.name());
        }
        // The same of arrays within functions, by their place in one another, and by pointers.
        for index in [
            "var own = array<u32, 20>(); process.word = own[process.id];",
            "var rows: array<array<u32, 20>, 2>; process.word = rows[1][process.id];",
            "var own = array<u32, 20>(); let p = &own; process.word = (*p)[process.id];",
        ] {
            let text: &'static str = OUTSIDE.replace("process.word = few[process.id * 2u];", index).leak();
            let error = outside(text, &device, PendingSet::default()).expect_err("it lies outside");
            let said = format!("outside.wgsl, line 13: the index 20 lies outside of the array: {index}");
            assert!(error.starts_with("process 20 ") && error.ends_with(&said), "{form}: {error}");
        }
        let within: &'static str = OUTSIDE.replace("* 2u", "% 40u").leak();
        assert_eq!(outside(within, &device, PendingSet::default()), Ok(0x0707_0707), "{form}");
        for (right, fault, line, part) in wrong {
            let text: &'static str = OUTSIDE.replace(right, fault).leak();
            let error = outside(text, &device, PendingSet::default()).expect_err("it is wrong");
            assert!(error.contains(line) && error.contains(part), "{form}: {fault}: {error}");
            assert!(line.is_empty() || error.contains("outside.wgsl"), "{form}: {fault}: {error}");
        }
    }
}
