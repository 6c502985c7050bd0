//! Joint programs on a device: each member gets its own results.

use std::ops::ControlFlow;
use std::sync::Mutex;
use std::thread;
use std::time::{Duration, Instant};

use super::*;
use crate::wgpu::WgpuDevice;
use crate::{
    AdapterDescription, Behind, BufferId, BufferSpec, BufferUse, DeviceError, Dispatch, Kernel, OpenOptions, Program,
    Selection, Session, SetUp, Step,
};
use tickless_core::run::{Progress, Watch, unwatched};

/// Each round adds a member's gain to all of its words.
const ADDS: &str = "struct Control { rounds: u32, gain: u32 }
    @group(0) @binding(0) var<storage, read_write> control: Control;
    @group(0) @binding(1) var<storage, read_write> words: array<u32>;
    @compute @workgroup_size(64)
    fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
        words[64u * group.x + lane] += control.gain;
        if (group.x == 0u && lane == 0u) { control.rounds += 1u; }
    }";
const CONTROL: BufferId = BufferId(0);
const WORDS: BufferId = BufferId(1);

fn program(gain: u32, groups: u32) -> Program {
    let mut program = Program { label: "adds".into(), ..Program::default() };
    let control = bytemuck::cast_slice(&[0, gain]).to_vec();
    program.status = Some(program.buffer(BufferSpec::filled("control", BufferUse::Storage, control)));
    program.buffer(BufferSpec::storage("words", 64 * u64::from(groups), 4));
    let kernel = program.kernel(Kernel::parse("adds", ADDS.into()).expect("a kernel"));
    let step = Step { kernel, dispatch: Dispatch::Workgroups(groups) };
    (program.round, program.results) = (vec![step], vec![step]);
    program
}

/// A device that notes the number of members in each program it loads, and has no memory for more than some of them in one program.
struct Noting(WgpuDevice, Mutex<Vec<u32>>, u32);

impl Device for Noting {
    fn adapter(&self) -> &AdapterDescription {
        self.0.adapter()
    }

    fn load(&self, program: Program, set_up: &mut SetUp<'_>) -> Result<Box<dyn Session>, DeviceError> {
        self.1.lock().expect("the list").push(program.members.max(1));
        if program.members > self.2 {
            return Err(DeviceError::OutOfMemory { adapter: "small".into(), asked: "too much".into() });
        }
        self.0.load(program, set_up)
    }
}

fn noting() -> Option<Noting> {
    match WgpuDevice::open(&Selection::Auto, OpenOptions::default()) {
        Ok(device) => Some(Noting(device, Mutex::default(), u32::MAX)),
        Err(error) if std::env::var_os("CI").is_some() => panic!("{error}"),
        Err(error) => {
            eprintln!("SKIPPED: {error}");
            None
        }
    }
}

/// Runs members side by side, a thread each, and returns their results in order, and the numbers of members in the programs,
/// fewest first.
fn all<T: Send>(
    device: &Noting,
    members: u32,
    run: impl Fn(u32, &Member) -> Result<T, DeviceError> + Sync,
) -> (Vec<Result<T, DeviceError>>, Vec<u32>) {
    let given = together(device, members as usize, |together| {
        thread::scope(|scope| {
            let each = (0..members).map(|number| (number, Member::new(together)));
            let run = &run;
            let threads: Vec<_> = each.map(|(number, member)| scope.spawn(move || run(number, &member))).collect();
            threads.into_iter().map(|thread| thread.join().expect("no panic")).collect()
        })
    });
    let mut loaded = std::mem::take(&mut *device.1.lock().expect("the list"));
    loaded.sort_unstable();
    (given, loaded)
}

fn words(bytes: &[u8]) -> &[u32] {
    bytemuck::cast_slice(bytes)
}

/// Loads a program and runs so many batches of three rounds. Returns its number of rounds, and its words.
fn run(program: Program, member: &Member, batches: u32) -> Result<(u32, Vec<u32>), DeviceError> {
    let mut watch = unwatched();
    let mut session = member.load(program, &mut SetUp::new(&mut watch))?;
    let mut rounds = 0;
    for _ in 0..batches {
        session.submit(3)?;
        let status = session.wait()?.status;
        assert_eq!(status.len(), 8);
        rounds = words(&status)[0];
    }
    let bytes = session.read(WORDS)?;
    Ok((rounds, words(&bytes).to_vec()))
}

#[test]
fn members_have_records_of_their_own() {
    let Some(device) = noting() else { return };
    // The last two are of another size.
    let groups = |number: u32| if number < 5 { 3 } else { 2 };
    let (given, loaded) =
        all(&device, 7, |number, member| run(program(number + 1, groups(number)), member, number % 3));
    assert_eq!(loaded, [2, 5]);
    for (number, one) in (0..).zip(given) {
        let (rounds, words) = one.expect("a run");
        assert_eq!(rounds, 3 * (number % 3), "a member has the rounds that it has asked for");
        assert_eq!(words.len(), 64 * groups(number) as usize);
        assert!(words.iter().all(|word| *word == rounds * (number + 1)), "member {number}: {words:?}");
    }
}

#[test]
fn what_runs_behind_and_what_is_written_is_of_one_member() {
    let Some(device) = noting() else { return };
    let (given, loaded) = all(&device, 3, |number, member| {
        let mut session = member.load(program(1, 1), &mut SetUp::new(&mut unwatched()))?;
        match number {
            0 => session.run_behind(Behind::Results)?,
            1 => session.write(WORDS, 8, bytemuck::cast_slice(&[7, 8]))?,
            _ => session.clear(CONTROL)?,
        }
        let lost = session.write(WORDS, 256, &[1]).expect_err("a write behind the end");
        assert!(lost.to_string().contains("outside"), "{lost}");
        let (mut some, control) = ([0; 16], session.read(CONTROL)?);
        session.read_into(WORDS, 4, &mut some)?;
        Ok([words(&control), words(&some)].concat())
    });
    assert_eq!(loaded, [3]);
    let given: Vec<_> = given.into_iter().map(|one| one.expect("a run")).collect();
    assert_eq!(given, [[1, 1, 1, 1, 1, 1], [0, 1, 0, 7, 8, 0], [0, 0, 0, 0, 0, 0]]);
}

#[test]
fn what_is_written_behind_rounds_comes_behind_them() {
    let Some(device) = noting() else { return };
    let (given, _) = all(&device, 2, |number, member| {
        let mut session = member.load(program(1, 1), &mut SetUp::new(&mut unwatched()))?;
        for _ in 0..3 {
            session.submit(1)?;
        }
        session.write(WORDS, 0, bytemuck::cast_slice(&[100 + number]))?;
        let mut some = [0; 8];
        session.read_into(WORDS, 0, &mut some)?;
        Ok(words(&some).to_vec())
    });
    let given: Vec<_> = given.into_iter().map(|one| one.expect("a run")).collect();
    // A member may have got the other's rounds beside its own, but none after its own writes.
    assert!(given.iter().zip(100..).all(|(words, written)| words[0] == written && words[1] >= 3), "{given:?}");
}

#[test]
fn members_that_find_no_memory_together_are_parted() {
    let Some(device) = noting() else { return };
    let device = Noting(device.0, device.1, 2);
    let (given, loaded) = all(&device, 5, |number, member| run(program(number + 1, 1), member, 2));
    assert_eq!(loaded, [1, 2, 2, 3, 5]);
    for (number, one) in (0..).zip(given) {
        assert_eq!(one.expect("a run"), (6, vec![6 * (number + 1); 64]), "member {number}");
    }
}

/// A member that waits for another one that never comes waits a moment only, and a single member has its own program.
#[test]
fn fewer_members_than_expected_begin() {
    let Some(device) = noting() else { return };
    let given = together(&device, 100, |together| run(program(2, 1), &Member::new(together), 1));
    assert_eq!(given.expect("a run"), (3, vec![6; 64]));
    assert_eq!(*device.1.lock().expect("the list"), [1]);
}

struct Stops;

impl Watch for Stops {
    fn look(&mut self, _: &Progress) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn set_up(&mut self, _: Duration) -> ControlFlow<()> {
        ControlFlow::Break(())
    }
}

/// A device that compiles for some moments, and then has no adapter.
struct Slow(AdapterDescription, Duration);

impl Device for Slow {
    fn adapter(&self) -> &AdapterDescription {
        &self.0
    }

    fn load(&self, _: Program, set_up: &mut SetUp<'_>) -> Result<Box<dyn Session>, DeviceError> {
        let begun = Instant::now();
        while begun.elapsed() < self.1 {
            thread::sleep(Duration::from_millis(5));
            set_up.look(Duration::from_secs(60), "slow")?;
        }
        Err(DeviceError::NoAdapters)
    }
}

/// The results of members with programs of so many workgroups, whose watches stop or go on.
fn ends(compiles: Duration, members: &[(u32, bool)]) -> Vec<Option<DeviceError>> {
    let device = Slow(AdapterDescription::imagined(true, 0), compiles);
    let load = |member: &Member, groups: u32, stops: bool| {
        let mut go_on = unwatched();
        let watch: &mut dyn Watch = if stops { &mut Stops } else { &mut go_on };
        member.load(program(1, groups), &mut SetUp::new(watch)).err()
    };
    together(&device, members.len(), |together| {
        thread::scope(|scope| {
            let each = members.iter().map(|(groups, stops)| (Member::new(together), *groups, *stops));
            let load = &load;
            let spawn = |(member, groups, stops)| scope.spawn(move || load(&member, groups, stops));
            let threads: Vec<_> = each.map(spawn).collect();
            threads.into_iter().map(|thread| thread.join().expect("no panic")).collect()
        })
    })
}

#[test]
fn an_interruption_while_kernels_are_compiled_ends_all() {
    let ended = ends(Duration::from_secs(600), &[(1, true), (1, true), (2, true), (3, true)]);
    assert_eq!(ended, vec![Some(DeviceError::Interrupted); 4]);
}

/// The others may have ended it with an error of their own.
#[test]
fn an_interruption_of_some_ends_only_what_nobody_else_waits_for() {
    let ended = ends(Duration::from_millis(400), &[(1, true), (1, false), (2, true)]);
    assert_eq!(ended, [Some(DeviceError::NoAdapters), Some(DeviceError::NoAdapters), Some(DeviceError::Interrupted)]);
}
