//! Schedules that nobody chose: workgroups take each other's numbers, lanes theirs, and some of them begin late. A digest that depends on
//! one of these is a race.

use std::collections::HashMap;
use std::sync::Mutex;

use tickless::device::{
    AdapterDescription, BufferSpec, Device, DeviceError, Dispatch, Kernel, Program, Session, SetUp, Step, Target,
};
use tickless::run::unwatched;

use crate::adapter;
use crate::runs::families;

/// How many schedules each run meets on a GPU, among all forms (scripts/parity.sh).
const SEEDS: &str = "TICKLESS_SCHEDULES";

/// Primes above the workgroups of a row of a dispatch: none divides the number of workgroups, and a prime times that number has 32 bits.
const PRIMES: [u32; 4] = [32_771, 40_009, 51_001, 65_521];

/// What a kernel is told of its schedule, behind its own text: a factor and a shift of its number, a key of who waits, and how long at the
/// most. The buffer is written only by workgroups that there are none of, so that no compiler leaves the waiting out.
const SCHEDULE: &str = "
@group(0) @binding(NUMBER) var<storage, read_write> permuted: array<u32, 5>;

fn permuted_number(number: u32, grid: vec3<u32>) -> u32 {
    let all = grid.x * grid.y;
    let factor = select(permuted[0], 1u, grid.y > 1u);
    return (number * factor % all + permuted[1] % all) % all;
}

fn permuted_lane(lane: u32, all: u32) -> u32 {
    return (lane * (permuted[0] % all) + permuted[1] % all) % all;
}

fn permuted_wait(number: u32, lane: u32, member: u32) {
    var word = (number * 0x9e3779b1u) ^ ((lane + 1u) * 0x85ebca77u) ^ permuted[2];
    word = (word ^ (word >> 15u)) * 0x2c1b3c6du;
    let turns = select(0u, (word >> 8u) % (permuted[3] + 1u), (word & 7u) == 0u);
    for (var turn = 0u; turn < turns; turn += 1u) { word = word * 747796405u + (word >> 9u); }
    if (member > 60000u) { permuted[4] = word; }
}
";

/// A kernel that asks the buffer `permuted` who it is.
fn scheduled(kernel: &Kernel) -> Kernel {
    let number = kernel.bindings.iter().map(|binding| binding.number + 1).max().unwrap_or(0);
    let lane = if kernel.subgroups { "LANE".to_owned() } else { format!("permuted_lane(LANE, {}u)", kernel.workgroup) };
    let (head, tail) = kernel.source.split_once("run(workgroup_number(group), ").expect("the entry of every kernel");
    let (own, tail) = tail.split_once(");").expect("the end of the call");
    let group = "@builtin(workgroup_id) group: vec3<u32>,";
    assert!(head.contains(group), "{}", kernel.source);
    let head = head.replace(group, &format!("{group} @builtin(num_workgroups) grid: vec3<u32>,"));
    let source = format!(
        "{head}permuted_wait(workgroup_number(group), {own}, group.z);\n    \
         run(permuted_number(workgroup_number(group), grid), {});{tail}{}",
        lane.replace("LANE", own),
        SCHEDULE.replace("NUMBER", &number.to_string())
    );
    let parsed = Kernel::parse(&kernel.label, source).unwrap_or_else(|e| panic!("{e}"));
    Kernel { modules: kernel.modules.clone(), resident_threads: kernel.resident_threads, ..parsed }
}

/// A device that runs every program by the schedule of a seed.
struct Scheduled<'a> {
    device: &'a dyn Device,
    seed: u32,
    kernels: &'a Mutex<HashMap<String, Kernel>>,
}

impl Scheduled<'_> {
    fn words(&self) -> [u32; 5] {
        let mixed = self.seed.wrapping_mul(0x9e37_79b1);
        let most = if adapter::in_software(self.device) { 200 } else { 2_000 };
        [PRIMES[(mixed >> 4) as usize % PRIMES.len()], mixed >> 8, mixed ^ 0x5bd1_e995, most, 0]
    }

    fn kernel(&self, kernel: &Kernel) -> Kernel {
        let mut kernels = self.kernels.lock().expect("no panic");
        kernels.entry(kernel.source.clone()).or_insert_with(|| scheduled(kernel)).clone()
    }
}

impl Device for Scheduled<'_> {
    fn adapter(&self) -> &AdapterDescription {
        self.device.adapter()
    }

    fn load(&self, mut program: Program, set_up: &mut SetUp<'_>) -> Result<Box<dyn Session>, DeviceError> {
        program.kernels = program.kernels.iter().map(|kernel| self.kernel(kernel)).collect();
        program.buffer(BufferSpec::words("permuted", &self.words()));
        self.device.load(program, set_up)
    }
}

/// The forms that schedules are tried on: in software the one without subgroups, where lanes change places too. Several GPUs share out the
/// workgroups by their numbers, and what they write with them: there numbers have their places.
fn devices() -> Vec<(&'static str, Box<dyn Device>)> {
    let forms = adapter::forms(&["words, no subgroups"]);
    forms.into_iter().filter(|(_, device)| device.adapter().gpus == 1).collect()
}

/// How many seeds there are in all; each form has its share.
fn seeds(device: &dyn Device) -> u32 {
    if adapter::in_software(device) {
        return 3;
    }
    std::env::var(SEEDS).map_or(60, |seeds| seeds.parse().expect("TICKLESS_SCHEDULES is a number"))
}

#[test]
fn no_digest_depends_on_who_runs_first() {
    let devices = devices();
    // In software a kernel takes a second to compile: a half of the runs, which has all five families.
    let software = devices.iter().all(|(_, device)| adapter::in_software(device));
    let families = families().into_iter().enumerate().filter(|(place, _)| !software || place % 2 == 0);
    let families: Vec<_> = families.map(|(_, family)| (family.digest(Target::Heap), family)).collect();
    for (place, (form, device)) in devices.iter().enumerate() {
        let kernels = Mutex::default();
        for (expected, family) in &families {
            let all = seeds(device);
            assert!(all as usize >= devices.len(), "{all} schedules leave one of {} forms out", devices.len());
            for seed in (1..=all).filter(|&seed| seed as usize % devices.len() == place) {
                let device = Scheduled { device, seed, kernels: &kernels };
                assert_eq!(
                    family.digest(Target::Device(&device)),
                    *expected,
                    "{form}: {}, schedule {seed}",
                    family.name
                );
            }
        }
    }
}

/// A program of so many workgroups of one kernel, and what its only buffer has after it.
fn words_of(device: &dyn Device, workgroups: u32, size: u32, body: &str) -> Vec<u32> {
    let source = format!(
        "@group(0) @binding(0) var<storage, read_write> words: array<u32>;
        fn workgroup_number(id: vec3<u32>) -> u32 {{ return id.y * {}u + id.x; }}
        fn run(group: u32, lane: u32) {{ {body} }}
        @compute @workgroup_size(8)
        fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {{
            run(workgroup_number(group), lane);
        }}",
        Dispatch::FOLD
    );
    let mut program = Program { label: "words".into(), ..Program::default() };
    let words = program.buffer(BufferSpec::storage("words", size.into(), 4));
    let kernel = program.kernel(Kernel::parse("words", source).expect("a kernel"));
    program.first.push(Step { kernel, dispatch: Dispatch::Workgroups(workgroups) });
    let mut watch = unwatched();
    let mut session = device.load(program, &mut SetUp::new(&mut watch)).expect("a session");
    bytemuck::pod_collect_to_vec(&session.read(words).expect("words"))
}

/// Every workgroup and every lane runs once, whatever the number of workgroups.
#[test]
fn a_schedule_leaves_nobody_out() {
    for (form, device) in devices() {
        let kernels = Mutex::default();
        for workgroups in [1, 2, 255, 256, 257, 32_768, 32_769] {
            let [x, y] = Dispatch::fold(workgroups);
            let seeds = if adapter::in_software(device.as_ref()) && workgroups > 1_000 { 1 } else { 8 };
            for seed in 0..seeds {
                let device = Scheduled { device: device.as_ref(), seed, kernels: &kernels };
                // Rows of a folded dispatch are whole.
                let words = words_of(&device, workgroups, x * y * 8, "words[group * 8u + lane] += 1u;");
                assert!(words.iter().all(|&word| word == 1), "{form}: {workgroups}, schedule {seed}");
            }
        }
    }
}

/// Who writes last differs between schedules, and these tests would see it.
#[test]
fn a_race_is_caught() {
    for (form, device) in devices() {
        let kernels = Mutex::default();
        let last = |seed| {
            let device = Scheduled { device: device.as_ref(), seed, kernels: &kernels };
            words_of(&device, 500, 1, "words[0] = group * 8u + lane;")[0]
        };
        let found: std::collections::BTreeSet<u32> = (1..=20).map(last).collect();
        assert!(found.len() > 1, "{form}: {found:?}");
    }
}
