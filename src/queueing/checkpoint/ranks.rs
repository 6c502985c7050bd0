//! The ranks' states of a network when their run stops, put together on rank 0; and the state from which each rank
//! resumes.

use super::{AtStation, Sending, Service, State, Transit, Waiting};
use crate::partition::Partition;
use crate::share::Share;
use crate::{NetworkModel, QueueingError};
use tickless_core::memory;
use tickless_core::ranks::{Failure, Transport, agree};
use tickless_core::time::Time;

/// A token between stations, as its rank knows it. Places of stations and sinks are those of the whole network in messages of
/// a rank to rank 0, and those of the rank in messages to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct OnTheWay {
    pub(crate) from: u32,
    pub(crate) target: u32,
    pub(crate) arrival: Time,
    pub(crate) entered: Time,
    /// When it left; 0 where that was before the run resumed, or where the time is not needed, as for a station with
    /// one server.
    pub(crate) departed: Time,
    /// The number of its visit, or of its departure: of departures at one time the first has the lowest.
    pub(crate) visit: u64,
}

/// The state from which a rank resumes.
pub(crate) struct OfRank {
    /// The tokens at its stations, and tokens that have left them for a station or a sink of the rank.
    pub(crate) state: State,
    /// The numbers of the departures of these tokens.
    numbers: Vec<u64>,
    /// Tokens that come from other ranks.
    pub(crate) coming: Vec<OnTheWay>,
}

impl OfRank {
    pub(crate) fn new(whole: &State, share: &Share) -> Self {
        let stations = share.model.stations();
        let (own, sources) = share.numbers.split_at(stations as usize);
        let place = |station: u32| own.binary_search(&station).ok().map(|place| place as u32);
        let mut part = Self { state: State::default(), numbers: vec![], coming: vec![] };
        let state = &mut part.state;
        let mut next = own.iter().peekable();
        for (_, AtStation { started, services, queue }) in
            (0..).zip(whole.stations()).filter(|(id, _)| next.next_if_eq(&id).is_some())
        {
            state.stations.push((started, services.len() as u32, queue.len() as u32));
            state.services.extend(services);
            state.queue.extend(queue);
        }
        state.sources.extend(sources.iter().map(|number| whole.sources[(number - share.whole) as usize]));
        for (number, transit) in whole.numbered_transits() {
            let &Transit { from, target, arrival, entered } = transit;
            let to = if target < share.whole { place(target) } else { Some(target - share.whole + stations) };
            match (place(from), to) {
                (Some(from), Some(target)) => {
                    state.transits.push(Transit { from, target, ..*transit });
                    part.numbers.push(number);
                }
                // A token on its way to a sink is kept by the rank from which it comes.
                (None, Some(to)) if target < share.whole => {
                    let departed = Time::ZERO;
                    part.coming.push(OnTheWay { from, target: to, arrival, entered, departed, visit: number });
                }
                _ => {}
            }
        }
        part
    }

    /// The tokens between stations of this rank, with the numbers of their departures.
    pub(crate) fn numbered_transits(&self) -> impl Iterator<Item = (u64, &Transit)> {
        self.numbers.iter().copied().zip(&self.state.transits)
    }
}

/// Words of a station, a service, a token that waits, a source, and a token between stations.
const STATION: usize = 2;
const SERVICE: usize = 3;
const WAITING: usize = 2;
const SOURCE: usize = 2;
const TRANSIT: usize = 5;

/// The state of a rank, in words: the number of each kind, then all of them.
fn pack(State { stations, services, queue, sources, .. }: &State, on_the_way: &[OnTheWay]) -> Vec<u64> {
    let lengths = [stations.len(), services.len(), queue.len(), sources.len(), on_the_way.len()];
    let mut words: Vec<u64> = lengths.into_iter().map(|length| length as u64).collect();
    let station = |&(started, serving, queued): &(u64, u32, u32)| -> [u64; STATION] {
        [started, u64::from(serving) | u64::from(queued) << 32]
    };
    let service = |s: &Service| -> [u64; SERVICE] { [s.visit, s.end.ticks(), s.entered.ticks()] };
    let waiting = |w: &Waiting| -> [u64; WAITING] { [w.arrived.ticks(), w.entered.ticks()] };
    let source = |s: &Sending| -> [u64; SOURCE] { [s.sent, s.next.ticks()] };
    let transit = |t: &OnTheWay| -> [u64; TRANSIT] {
        let ends = u64::from(t.from) | u64::from(t.target) << 32;
        [ends, t.arrival.ticks(), t.entered.ticks(), t.departed.ticks(), t.visit]
    };
    words.extend(stations.iter().flat_map(station));
    words.extend(services.iter().flat_map(service));
    words.extend(queue.iter().flat_map(waiting));
    words.extend(sources.iter().flat_map(source));
    words.extend(on_the_way.iter().flat_map(transit));
    words
}

/// The remaining words of a rank, by kind.
struct Rest<'a> {
    stations: &'a [[u64; STATION]],
    services: &'a [[u64; SERVICE]],
    queue: &'a [[u64; WAITING]],
    sources: &'a [[u64; SOURCE]],
    on_the_way: &'a [[u64; TRANSIT]],
}

impl<'a> Rest<'a> {
    fn new(words: &'a [u64]) -> Self {
        let (lengths, mut rest) = words.split_first_chunk::<5>().unwrap_or((&[0; 5], &[]));
        let mut take = |kind: usize, each: usize| rest.split_off(..lengths[kind] as usize * each).unwrap_or_default();
        Self {
            stations: take(0, STATION).as_chunks().0,
            services: take(1, SERVICE).as_chunks().0,
            queue: take(2, WAITING).as_chunks().0,
            sources: take(3, SOURCE).as_chunks().0,
            on_the_way: take(4, TRANSIT).as_chunks().0,
        }
    }
}

/// Puts together the states of all ranks.
fn whole(model: &NetworkModel, cut: &Partition, all: &[Vec<u64>]) -> State {
    let mut ranks: Vec<Rest> = all.iter().map(|words| Rest::new(words)).collect();
    let (mut state, time) = (State::default(), Time::from_ticks);
    for station in 0..model.stations() {
        let own = &mut ranks[cut.rank_of(station) as usize];
        let &[started, counts] = own.stations.split_off_first().unwrap_or(&[0; STATION]);
        let (serving, queued) = (counts as u32, (counts >> 32) as u32);
        state.stations.push((started, serving, queued));
        let services = own.services.split_off(..serving as usize).unwrap_or_default();
        let service =
            |&[visit, end, entered]: &[u64; SERVICE]| Service { visit, end: time(end), entered: time(entered) };
        state.services.extend(services.iter().map(service));
        let queue = own.queue.split_off(..queued as usize).unwrap_or_default();
        let waiting = |&[arrived, entered]: &[u64; WAITING]| Waiting { arrived: time(arrived), entered: time(entered) };
        state.queue.extend(queue.iter().map(waiting));
    }
    for source in 0..model.sources() {
        let own = &mut ranks[cut.rank_of(model.inflow(source).target) as usize];
        let &[sent, next] = own.sources.split_off_first().unwrap_or(&[0; SOURCE]);
        state.sources.push(Sending { sent, next: time(next) });
    }
    let mut on_the_way: Vec<&[u64; TRANSIT]> = ranks.iter().flat_map(|own| own.on_the_way).collect();
    on_the_way.sort_unstable_by_key(|&&[ends, _, _, departed, visit]| {
        let from = ends as u32;
        // The order of visits, which some ranks give without times.
        (from, if model.servers(from) == 1 { 0 } else { departed }, visit)
    });
    let transit = |&&[ends, arrival, entered, ..]: &&[u64; TRANSIT]| {
        let (from, target) = (ends as u32, (ends >> 32) as u32);
        Transit { from, target, arrival: time(arrival), entered: time(entered) }
    };
    state.transits = on_the_way.iter().map(transit).collect();
    state
}

/// Everything on rank 0, `None` on others.
pub(crate) fn gather(
    (model, cut): (&NetworkModel, &Partition),
    own: Result<(State, Vec<OnTheWay>), QueueingError>,
    transport: &mut dyn Transport,
) -> Result<Option<State>, Failure<QueueingError>> {
    let words = own.and_then(|(state, on_the_way)| {
        memory::room_of((state.bytes() + size_of_val(&on_the_way[..])) as u64, "what a rank has in words")?;
        Ok(pack(&state, &on_the_way))
    });
    let words = agree(transport, words)?;
    let all = transport.gather(words)?;
    Ok((transport.rank() == 0).then(|| whole(model, cut, &all)))
}
