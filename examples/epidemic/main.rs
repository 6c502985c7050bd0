//! A model of one's own: an epidemic among people who know each other, as logical processes.
//!
//! Shows what such a model is: two WGSL functions for a device (`epidemic.wgsl`), and the same in Rust for the heap
//! simulator, which holds them to it. Draws how many are infected in each five days. Asserts that both end in the same
//! state of every person, that everyone who fell ill recovered, and that it dies out where people meet less often.

use tickless::device::wgpu::{OpenOptions, Selection, WgpuDevice};
use tickless::device::{BufferSpec, BufferUse, Target};
use tickless::kernels::Source;
use tickless::processes::gpu::DeviceModel;
use tickless::processes::{self, Message, Outbox, Outcome, ProcessError, ProcessModel};
use tickless::random::{EffectiveLaw, LawError, ServiceLaw, Stream, StreamKey};
use tickless::{run::unwatched, time::Time};

const INFECTION: u32 = 0;
const RECOVERY: u32 = 1;
/// How many people a person knows, and of how many one is infected at the start.
const KNOWN: u32 = 8;
const FIRST_EVERY: u32 = 10_000;
/// Five days, as the state of a person has them.
const FIVE_DAYS: u32 = 5 << 8;

/// Times are in days.
struct Epidemic {
    people: u32,
    latent: Time,
    illness: EffectiveLaw,
    meeting: EffectiveLaw,
}

impl Epidemic {
    fn new(people: u32, meeting: &str) -> Result<Self, LawError> {
        let [illness, meeting] = ["gamma:3,4", meeting].map(str::parse::<ServiceLaw>);
        let latent = Time::from_ticks(2 << 32);
        Ok(Self { people, latent, illness: illness?.effective(None), meeting: meeting?.effective(None) })
    }

    fn after(&self, law: &EffectiveLaw, stream: &mut Stream) -> Time {
        Time::from_ticks(self.latent.ticks() + law.service(stream).ticks())
    }

    fn acquaintance(&self, id: u32, number: u32) -> u32 {
        if number < 3 {
            return (id + number + 1) % self.people;
        }
        let state = (id * KNOWN + number).wrapping_mul(747_796_405).wrapping_add(2_891_336_453);
        let word = ((state >> ((state >> 28) + 4)) ^ state).wrapping_mul(277_803_737);
        let drawn = u64::from((word >> 22) ^ word) * u64::from(self.people);
        (drawn >> 32) as u32
    }
}

impl ProcessModel for Epidemic {
    type State = [u32; 1];
    type Payload = [u32; 1];

    fn processes(&self) -> u32 {
        self.people
    }

    fn lookahead(&self) -> Time {
        self.latent
    }

    fn until(&self) -> Time {
        Time::from_ticks(1000 << 32)
    }

    fn key(&self) -> StreamKey {
        StreamKey::new(1927, 0)
    }

    fn device_model(&self) -> Option<DeviceModel> {
        Some(self.into())
    }

    fn initialize(&self, id: u32, _: &mut Stream, first: &mut Vec<(Time, [u32; 1])>) -> Result<[u32; 1], ProcessError> {
        if id.is_multiple_of(FIRST_EVERY) {
            first.push((Time::ZERO, [INFECTION]));
        }
        Ok([0])
    }

    fn execute(
        &self,
        message: &Message<[u32; 1]>,
        state: &mut [u32; 1],
        stream: &mut Stream,
        outbox: &mut impl Outbox<[u32; 1]>,
    ) -> Result<(), ProcessError> {
        let id = message.destination;
        if message.payload == [RECOVERY] {
            state[0] |= 2;
        } else if state[0] == 0 {
            state[0] = ((message.time.ticks() >> 24) as u32) << 2 | 1;
            let recovery = self.after(&self.illness, stream);
            outbox.send(id, recovery, [RECOVERY])?;
            for number in 0..KNOWN {
                let meeting = self.after(&self.meeting, stream);
                if meeting < recovery {
                    outbox.send(self.acquaintance(id, number), meeting, [INFECTION])?;
                }
            }
        }
        Ok(())
    }
}

impl From<&Epidemic> for DeviceModel {
    fn from(model: &Epidemic) -> Self {
        let counts = [KNOWN, FIRST_EVERY, 0, 0].map(u32::to_le_bytes).concat();
        let source = Source::own("epidemic.wgsl", include_str!("epidemic.wgsl"));
        Self {
            most_sent: KNOWN + 1,
            laws: vec![model.illness.clone(), model.meeting.clone()],
            buffers: vec![BufferSpec::filled("epidemic", BufferUse::Uniform, counts)],
            ..Self::of(model, "epidemic", source)
        }
    }
}

/// How many were infected, in each five days.
fn curve(outcome: &Outcome) -> Vec<usize> {
    let mut curve = vec![];
    for word in outcome.state.iter().filter(|word| **word != 0) {
        let place = ((word >> 2) / FIVE_DAYS) as usize;
        curve.resize(curve.len().max(place + 1), 0);
        curve[place] += 1;
    }
    curve
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let device = WgpuDevice::open(&Selection::Auto, OpenOptions::default())?;
    let mut ill = vec![];
    for meeting in ["exponential:6", "exponential:40"] {
        let model = Epidemic::new(100_000, meeting)?;
        let on = |target| processes::run(&model, target, Default::default(), &mut unwatched());
        let (expected, run) = (on(Target::Heap)?, on(Target::Device(&device))?);
        if let Some(difference) = expected.outcome.first_difference(&run.outcome) {
            return Err(format!("a defect: {difference}").into());
        }
        assert_eq!(expected.outcome.digest(), run.outcome.digest());

        let curve = curve(&run.outcome);
        let most = *curve.iter().max().ok_or("the first ones are infected")?;
        println!("days until a meeting: {meeting}; {} events, digest {}", run.events, run.outcome.digest());
        for (place, infected) in curve.iter().enumerate() {
            println!("day {:>3}  {infected:>6}  {}", 5 * place, "#".repeat(60 * infected / most));
        }
        ill.push(curve.iter().sum::<usize>());
        println!("{} of {} fell ill\n", ill[ill.len() - 1], model.people);
        assert!(run.outcome.state.iter().all(|word| *word == 0 || word & 3 == 3), "someone is still ill");
        assert_eq!(run.outcome.statistics().pending, 0);
    }
    assert!(ill[0] > 90_000 && ill[1] < 1000, "{ill:?}");
    Ok(())
}
