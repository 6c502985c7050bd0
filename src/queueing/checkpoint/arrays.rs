//! The arrays of a checkpoint in its file.

use super::{Checkpoint, Sending, Service, State, Transit, Waiting};
use crate::NetworkModel;
use crate::shard::{arrays_of, outcomes_of};
use tickless_core::archive::{ArchiveError, Arrays, rows, wrong};
use tickless_core::time::Time;

/// Columns of the arrays of a station, a service, a waiting token, a transit and a source.
const STATION: usize = 2;
const SERVICE: usize = 3;
const WAITING: usize = 2;
const TRANSIT: usize = 3;
const SOURCE: usize = 2;

impl Checkpoint {
    /// The arrays of a checkpoint file.
    ///
    /// # Errors
    /// Too little memory.
    #[doc(hidden)]
    pub fn arrays(&self) -> Result<Arrays, ArchiveError> {
        let mut arrays = arrays_of(&self.outcomes)?;
        arrays.add_list("clocks", self.clocks.iter().map(|clock| clock.ticks()).collect());
        let lengths = |state: &State| {
            let State { stations, services, queue, transits, sources, .. } = state;
            [stations.len(), services.len(), queue.len(), transits.len(), sources.len()].map(|length| length as u64)
        };
        arrays.add("state_lengths", self.states.len(), self.states.iter().flat_map(lengths).collect());
        let station =
            |&(started, serving, queued): &(u64, u32, u32)| [started, u64::from(serving) | u64::from(queued) << 32];
        let service = |service: &Service| [service.visit, service.end.ticks(), service.entered.ticks()];
        let waiting = |waiting: &Waiting| [waiting.arrived.ticks(), waiting.entered.ticks()];
        let transit = |transit: &Transit| {
            let &Transit { from, target, arrival, entered } = transit;
            [u64::from(from) | u64::from(target) << 32, arrival.ticks(), entered.ticks()]
        };
        let source = |source: &Sending| [source.sent, source.next.ticks()];
        let what = "the arrays of a checkpoint";
        arrays.add_list("state_stations", rows(&self.lists(|state| &state.stations), station, what)?);
        arrays.add_list("state_services", rows(&self.lists(|state| &state.services), service, what)?);
        arrays.add_list("state_queue", rows(&self.lists(|state| &state.queue), waiting, what)?);
        arrays.add_list("state_transits", rows(&self.lists(|state| &state.transits), transit, what)?);
        arrays.add_list("state_sources", rows(&self.lists(|state| &state.sources), source, what)?);
        if self.states.iter().any(|state| !state.whole.is_empty()) {
            arrays.add_list("state_bytes", self.states.iter().map(|state| state.whole.len() as u64).collect());
            arrays.add_list("state_whole", self.states.iter().flat_map(|state| words(&state.whole)).collect());
        }
        Ok(arrays)
    }

    /// A list of every state.
    fn lists<T>(&self, list: impl Fn(&State) -> &Vec<T>) -> Vec<&[T]> {
        self.states.iter().map(|state| &list(state)[..]).collect()
    }

    /// The checkpoint from which [`Checkpoint::arrays`] made these arrays, for this model.
    ///
    /// # Errors
    /// An array that does not fit the model.
    #[doc(hidden)]
    pub fn from_arrays(model: &NetworkModel, most: usize, mut arrays: Arrays) -> Result<Self, ArchiveError> {
        let clocks: Vec<Time> = arrays.take_list("clocks")?.into_iter().map(Time::from_ticks).collect();
        let rows = clocks.len();
        if rows > most {
            return Err(wrong("clocks", format!("has {rows} replications, and there are {most}")));
        }
        let lengths = arrays.take("state_lengths", rows, 5)?;
        let names = ["state_stations", "state_services", "state_queue", "state_transits", "state_sources"];
        let mut lists = names.map(|name| (name, arrays.take_list(name), 0_usize));
        let mut states = vec![];
        for row in lengths.chunks(5) {
            let mut next = |list: usize, columns: usize| -> Result<Vec<u64>, ArchiveError> {
                let (name, words, at) = &mut lists[list];
                let words = words.as_ref().map_err(|error| wrong(name, error.to_string()))?;
                let count = usize::try_from(row[list]).ok().and_then(|count| count.checked_mul(columns));
                let end = count.and_then(|count| at.checked_add(count)).filter(|end| *end <= words.len());
                let end = end.ok_or_else(|| wrong(name, format!("is too short for {} rows", row[list])))?;
                Ok(words[std::mem::replace(at, end)..end].to_vec())
            };
            let time = Time::from_ticks;
            let station = |row: &[u64; STATION]| (row[0], row[1] as u32, (row[1] >> 32) as u32);
            let service =
                |&[visit, end, entered]: &[u64; SERVICE]| Service { visit, end: time(end), entered: time(entered) };
            let waiting =
                |&[arrived, entered]: &[u64; WAITING]| Waiting { arrived: time(arrived), entered: time(entered) };
            let transit = |&[ends, arrival, entered]: &[u64; TRANSIT]| Transit {
                from: ends as u32,
                target: (ends >> 32) as u32,
                arrival: time(arrival),
                entered: time(entered),
            };
            let source = |&[sent, next]: &[u64; SOURCE]| Sending { sent, next: time(next) };
            states.push(State {
                stations: next(0, STATION)?.as_chunks().0.iter().map(station).collect(),
                services: next(1, SERVICE)?.as_chunks().0.iter().map(service).collect(),
                queue: next(2, WAITING)?.as_chunks().0.iter().map(waiting).collect(),
                transits: next(3, TRANSIT)?.as_chunks().0.iter().map(transit).collect(),
                sources: next(4, SOURCE)?.as_chunks().0.iter().map(source).collect(),
                whole: vec![],
            });
        }
        if model.rules_of_classes().is_some() && clocks.iter().any(|clock| *clock < model.until()) {
            take_whole(&mut states, &mut arrays)?;
        }
        let outcomes = outcomes_of(model, rows, arrays)?;
        let checkpoint = Self { outcomes, clocks, states };
        checkpoint.check(model, most).map_err(|error| wrong("clocks", format!("does not fit ({error})")))?;
        Ok(checkpoint)
    }
}

/// Bytes in words, the last one filled with zeros.
fn words(bytes: &[u8]) -> impl Iterator<Item = u64> + '_ {
    bytes.chunks(8).map(|chunk| {
        let mut word = [0; 8];
        word[..chunk.len()].copy_from_slice(chunk);
        u64::from_le_bytes(word)
    })
}

/// Takes out what is kept as bytes.
fn take_whole(states: &mut [State], arrays: &mut Arrays) -> Result<(), ArchiveError> {
    let lengths = arrays.take_list("state_bytes")?;
    if lengths.len() != states.len() {
        return Err(wrong(
            "state_bytes",
            format!("is of {} replications, and there are {}", lengths.len(), states.len()),
        ));
    }
    let words = arrays.take_list("state_whole")?;
    let mut rest = &words[..];
    for (state, length) in states.iter_mut().zip(lengths) {
        let of_state = usize::try_from(length.div_ceil(8)).ok().and_then(|count| rest.split_off(..count));
        let of_state = of_state.ok_or_else(|| wrong("state_whole", format!("is too short for {length} bytes")))?;
        state.whole = of_state.iter().flat_map(|word| word.to_le_bytes()).take(length as usize).collect();
    }
    if !rest.is_empty() {
        return Err(wrong("state_whole", format!("has {} words too many", rest.len())));
    }
    Ok(())
}
