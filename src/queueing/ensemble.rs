//! Replications of several networks in one run, as in an experiment.

use std::num::NonZeroUsize;
use std::ops::{ControlFlow, Range};
use std::time::Instant;

use super::checkpoint::End;
use super::going::on_target;
use super::member::{Member, MemberError, OfMembers, Take};
use super::partition::Partition;
use super::reference::{self, OfMember};
use super::run::{Ran, Runnable};
use super::{NetworkDetails, NetworkModel, NetworkOptions, NetworkOutcome, QueueingError, gpu};
use tickless_core::run::{Pause, Run, RunMode, Watch, Whole, WithoutSnapshots};
use tickless_core::time::Time;
use tickless_device::{Device, On, Target, joint};

/// Replications of several networks in one [`run`](super::run): on the heap those of all networks side by side on the cores, on a device as
/// one program where they differ in numbers alone, else side by side, and large ones one after the other. Each gives what it gives alone. An
/// interruption leaves out replications that have not ended: of one network on the heap there may be the first ones alone. An error has the
/// number of its network.
///
/// ```
/// # use tickless_queueing::facade as tickless;
/// use tickless::{device::Target, queueing::{self, Ensemble, Network, Station}, run::unwatched};
/// let with = |tokens| -> Result<_, Box<dyn std::error::Error>> {
///     let mut network = Network::new().until(10.0);
///     let desk = network.station(Station::new("desk", "constant:2".parse()?).tokens(tokens));
///     network.route(desk, desk, 1.0, 0.0);
///     Ok(network.check()?)
/// };
/// let models = [with(1)?, with(2)?];
/// let mut present = vec![];
/// let mut take = |_: usize, outcomes: Vec<_>| present.push(outcomes.len());
/// let members: Vec<_> = models.iter().map(|model| (model, 0..3)).collect();
/// let ensemble = Ensemble { members: &members, take: &mut take };
/// let run = queueing::run(ensemble, (), Target::Heap, Default::default(), &mut unwatched())?;
/// assert_eq!((run.events, present), (24, vec![3, 3]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Ensemble<'a, 't> {
    /// The networks, and which replications of each run.
    pub members: &'a [Member<'a>],
    /// Gets the records of each.
    pub take: &'a mut Take<'t>,
}

impl<'a> Runnable for Ensemble<'a, '_> {
    type Replications = ();
    type Outcome = ();
    type Details = ();
    type Error = MemberError;
    type Watch = dyn Watch + 'a;

    fn run(self, (): (), on: On<'_, Partition>, options: NetworkOptions, watch: &mut Self::Watch) -> Ran<Self> {
        let Self { members, take } = self;
        if let Some(empty) = members.iter().position(|(_, numbers)| numbers.is_empty()) {
            return Err(MemberError::new(empty, QueueingError::NoReplication));
        }
        match on {
            On::Target(Target::Device(device)) => on_device(members, device, &options, take, watch),
            On::Target(target) => on_cores(members, target.most_cores(), &options, take, watch),
            On::Ranks(..) => {
                let what = "several networks: run one, or all of them on one heap or device";
                Err(MemberError::of_all(QueueingError::NotOverRanks { what: what.into() }))
            }
        }
    }
}

fn on_cores(
    members: &[Member<'_>],
    most_cores: Option<NonZeroUsize>,
    options: &NetworkOptions,
    take: &mut Take<'_>,
    watch: &mut dyn Watch,
) -> Result<Run<()>, MemberError> {
    let (mut given, mut all) = (0, Run::nothing(latest(members), Some(1), false));
    let mut take = |place: usize, run: OfMember| {
        (given, all.threads) = (given + 1, run.threads);
        give(members, &[place], run.map(outcomes), &mut all, take);
    };
    let mode = RunMode::whole(options.figures_only);
    // A replication alone comes to its end, too, where the watch pauses the run.
    reference::run(members, mode, most_cores, &mut take, &mut Whole(watch))?;
    all.interrupted |= given < members.len();
    Ok(all)
}

/// The latest horizon.
fn latest(members: &[Member<'_>]) -> Time {
    members.iter().map(|(model, _)| model.until()).max().unwrap_or(Time::ZERO)
}

fn outcomes(ends: Vec<End>) -> Vec<NetworkOutcome> {
    ends.into_iter().map(|end| end.outcome).collect()
}

fn on_device(
    members: &[Member<'_>],
    device: &dyn Device,
    options: &NetworkOptions,
    take: &mut Take<'_>,
    watch: &mut dyn Watch,
) -> Result<Run<()>, MemberError> {
    let (begin, mut all) = (Instant::now(), Run::nothing(latest(members), None, true));
    let groups = groups(members, options);
    let (mut first, mut done) = (0, 0);
    while first < groups.len() && !all.interrupted {
        if done > 0 && watch.pause(Pause::BetweenReplications) {
            all.interrupted = true;
            break;
        }
        // Where kernels are timed, each network runs alone.
        let count = if device.times_kernels() { 1 } else { beside_each_other(members, &groups[first..]) };
        let part = &groups[first..][..count];
        let of_part = part.iter().map(Vec::len).sum();
        let mut watch = OfMembers { watch, done, part: of_part, all: members.len(), events: all.events, begin };
        run_groups(members, part, (device, options), &mut all, take, &mut watch)?;
        (first, done) = (first + part.len(), done + of_part);
    }
    Ok(all)
}

/// Runs groups of networks in parallel on the device: networks of a group run as one, and groups with alike programs, too.
fn run_groups(
    members: &[Member<'_>],
    groups: &[Vec<usize>],
    (device, options): (&dyn Device, &NetworkOptions),
    all: &mut Run<()>,
    take: &mut Take<'_>,
    watch: &mut OfMembers<'_>,
) -> Result<(), MemberError> {
    let (begin, before, until) = (Instant::now(), all.clone(), all.clock);
    let (none_has_ended, mut taken) = (watch.done == 0, 0);
    let simulate = |number: u32, target: Target<'_>, watch: &mut dyn Watch| {
        let group = &groups[number as usize];
        let own: Vec<Member<'_>> = group.iter().map(|place| members[*place].clone()).collect();
        let run = on_target(&own, RunMode::whole(options.figures_only), target, options, &mut WithoutSnapshots(watch));
        run.map_err(|MemberError { member, error }| MemberError { member: group[member], error })
    };
    let take = |number: u32, run: Result<OfMember, MemberError>| {
        taken += 1;
        match run {
            Err(MemberError { error, .. }) if !(none_has_ended && number == 0) && error.is_interrupted() => {
                all.interrupted = true;
            }
            run => give(members, &groups[number as usize], run?.map(outcomes), all, take),
        }
        Ok(if all.interrupted { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    };
    let counts = (groups.len() as u32, groups.len());
    joint::runs(Target::Device(device), counts, until, simulate, MemberError::device, take, watch)?;
    // Those that had not begun when the watch paused are left.
    all.interrupted |= taken < groups.len();
    if groups.len() > 1 {
        // Their times overlap, and their set-ups are within the time of all.
        (all.wall, all.device, all.setup) = (before.wall + begin.elapsed(), None, before.setup);
    }
    Ok(())
}

/// Adds the run of a group, and passes on its results.
fn give(
    members: &[Member<'_>],
    group: &[usize],
    run: Run<Vec<NetworkOutcome>, NetworkDetails>,
    all: &mut Run<()>,
    take: &mut Take<'_>,
) {
    let events_before = all.events;
    all.add(&run);
    all.interrupted |= run.interrupted;
    let (mut outcomes, mut gives) = (run.outcome.into_iter(), false);
    for place in group {
        let (model, numbers) = &members[*place];
        // A replication that an interruption cut off ends before the horizon, or is missing.
        let has_ended = |outcome: &NetworkOutcome| outcome.stations.until == model.until();
        let ended: Vec<_> = outcomes.by_ref().take(numbers.len()).filter(has_ended).collect();
        if ended.is_empty() {
            break;
        }
        take(*place, ended);
        gives = true;
    }
    if !gives {
        // Replications left out begin again where the run is resumed, and count then.
        all.events = events_before;
    }
}

/// The most networks in parallel on a device, each with a thread.
const MOST_BESIDE: usize = 256;
/// The stations and tokens of these networks beyond which a device has enough work without further ones.
const MOST_RECORDS: u64 = 1 << 22;

/// How many of the groups run in parallel: a group that runs event by event, and a large one, runs alone.
fn beside_each_other(members: &[Member<'_>], groups: &[Vec<usize>]) -> usize {
    let mut records: u64 = 0;
    let goes_with_others = |group: &&Vec<usize>| {
        let (model, numbers) = &members[group[0]];
        let each = u64::from(model.stations()) + u64::from(model.tokens());
        records = each.saturating_mul(numbers.len() as u64).saturating_add(records);
        records <= MOST_RECORDS && !is_event_by_event(model, numbers)
    };
    groups.iter().take(MOST_BESIDE).take_while(goes_with_others).count().max(1)
}

fn is_event_by_event(model: &NetworkModel, numbers: &Range<u32>) -> bool {
    gpu::path(model, numbers.len()) == Ok(gpu::DevicePath::EventByEvent)
}

/// The most replications of networks that run together: their records come back at once, and a checkpoint waits for them.
pub const MOST_TOGETHER: usize = 1 << 18;
/// The most earlier groups that a network may join.
const LOOKED_BACK: usize = 16;

/// The networks that run together, by their places: networks that run event by event and differ in numbers alone; any other network
/// runs alone.
fn groups(members: &[Member<'_>], options: &NetworkOptions) -> Vec<Vec<usize>> {
    let mut groups: Vec<Vec<usize>> = vec![];
    for (place, (model, numbers)) in members.iter().enumerate() {
        // Alike networks mostly follow each other; comparing a network with all earlier groups would take too long.
        let last = groups.len().saturating_sub(LOOKED_BACK);
        let fits = |group: &&mut Vec<usize>| {
            let together: usize = group.iter().map(|member| members[*member].1.len()).sum();
            together + numbers.len() <= MOST_TOGETHER && gpu::are_alike(&members[group[0]], &members[place], options)
        };
        let found = is_event_by_event(model, numbers).then(|| groups[last..].iter_mut().find(fits)).flatten();
        match found {
            Some(group) => group.push(place),
            None => groups.push(vec![place]),
        }
    }
    groups
}
