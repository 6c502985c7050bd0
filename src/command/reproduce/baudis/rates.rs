//! Figures 7, 8 and 10: PHOLD with each set of pending events.

use super::SETS;
use super::phold::measure;
use crate::CommandError;
use crate::reproduce::exhibit::{Claim, Exhibit, all_say_yes};
use crate::reproduce::lab::Lab;
use tickless_engine::pending::PendingSet;

/// A part of figure 7 or 8.
pub struct Part {
    number: &'static str,
    processes: u32,
    rate: f64,
    each: &'static [u32],
    claims: &'static [Claim],
}

const FEW: &[u32] = &[4, 16, 64, 256, 1024, 4096, 16_384];
const MANY: &[u32] = &[4, 16, 32, 128, 512, 1024];

const fn few(number: &'static str, rate: f64) -> Part {
    Part { number, processes: 1024, rate, each: FEW, claims: FIGURE_7 }
}

const fn many(number: &'static str, rate: f64, claims: &'static [Claim]) -> Part {
    Part { number, processes: 32_768, rate, each: MANY, claims }
}

pub const PARTS: [Part; 6] = [
    few("figure 7 (a)", 1e-1),
    few("figure 7 (b)", 1e-3),
    few("figure 7 (c)", 1e-5),
    many("figure 8 (a)", 1e-1, FIGURE_8A),
    many("figure 8 (b)", 1e-3, FIGURE_8),
    many("figure 8 (c)", 1e-5, FIGURE_8),
];

/// Table I, by [`SETS`]: rates of 32,768 processes of 128 events each at a rate of 0.1.
const TABLE_1: [f64; 5] = [2.61e7, 1.85e7, 2.76e7, 2.04e7, 1.49e7];

/// The names of [`SETS`].
const SEQ: &str = SETS[0].0;
const SINGLE_PASS: &str = SETS[1].0;
const PAR: &str = SETS[2].0;
const HEAPS: &str = SETS[3].0;
const SPLAYS: &str = SETS[4].0;

/// The highest rate of some sets at a place.
fn highest(exhibit: &Exhibit, sets: &[&str], place: usize) -> Option<f64> {
    sets.iter().filter_map(|set| exhibit.at(exhibit.named(set)?, place)).reduce(f64::max)
}

/// The rate of a set at the most events each with which it ran, relative to its highest rate.
fn last_by_highest(exhibit: &Exhibit, set: &str) -> Option<f64> {
    let rates = exhibit.of(exhibit.named(set)?);
    let (last, highest) = (rates.last()?, rates.iter().copied().fold(0.0, f64::max));
    (rates.len() > 2).then(|| last / highest)
}

const HEAPS_LEAD: &str = "here a heap is as fast as a ring where sets are small: an H200's caches hold what missed those of a GTX 1060, which \
                          their table I has as the cost of heaps; that this is the reason is a guess";
const LARGE: Claim = Claim::new(
    "with the most events each heaps or trees are the fastest",
    |e| e.reach(&[HEAPS, SPLAYS], 1.0, |each| each >= 1024),
    "no reason is known",
)
.of_speed()
.of_size();
const LINEAR: Claim = Claim::new(
    "the rates of sequential rings fall to less than a half of their highest",
    |e| Some(last_by_highest(e, SEQ)? < 0.5),
    "they were left out before they fell so far",
)
.of_speed()
.of_size();

const FIGURE_7: &[Claim] = &[
    Claim::new(
        "up to 256 events each the parallel insertion is within a fifth of the fastest",
        |e| e.reach(&[PAR], 0.8, |each| each <= 256),
        "a process has few messages in a round, and a workgroup takes one process after the other here",
    )
    .of_speed(),
    Claim::new(
        "up to 16 events each sequential rings are the fastest of all but the parallel ones",
        |e| {
            let both = (0..e.places.len()).filter(|place| e.places[*place].parse::<u32>().is_ok_and(|each| each <= 16));
            all_say_yes(both.filter_map(|place| {
                Some(highest(e, &[SEQ, SINGLE_PASS], place)? >= highest(e, &[HEAPS, SPLAYS], place)?)
            }))
        },
        HEAPS_LEAD,
    )
    .of_speed(),
    LARGE,
    LINEAR,
    Claim::new(
        "heaps lose little with many events: they keep half of their highest rate",
        |e| Some(last_by_highest(e, HEAPS)? > 0.5),
        "sets of all processes no longer fit the caches of the GPU together",
    )
    .of_speed()
    .of_size(),
];
const FIGURE_8A: &[Claim] = &[
    Claim::new(
        "below 128 events each sequential rings are the fastest",
        |e| e.reach(&[SEQ], 1.0, |each| each < 128),
        HEAPS_LEAD,
    )
    .of_speed(),
    Claim::new(
        "at 128 events each all sets are within a factor of two of each other",
        |e| {
            let place = e.place("128")?;
            let rates: Vec<f64> = (0..e.series.len()).filter_map(|set| e.at(set, place)).collect();
            let least = rates.iter().copied().fold(f64::INFINITY, f64::min);
            let most = rates.iter().copied().fold(0.0, f64::max);
            (rates.len() == SETS.len()).then_some(most < 2.0 * least)
        },
        HEAPS_LEAD,
    )
    .of_speed()
    .of_size(),
    LARGE,
];
const FIGURE_8: &[Claim] = &[LARGE];
const FIGURE_10: &[Claim] = &[Claim::new(
    "one parallel heap for all processes is far slower than a heap for each: less than half as fast",
    |e| {
        let pairs = (0..e.places.len()).filter_map(|place| Some(e.at(0, place)? < 0.5 * e.at(1, place)?));
        all_say_yes(pairs)
    },
    "no reason is known",
)
.of_speed()];

/// The events each from which on rings are not run: a thread that fills one moves 10^8 events.
const TOO_MANY_FOR_RINGS: u32 = 16_384;
/// From so many events each on a set may be left out: after a run of so many seconds, and if its rate was below a share of the highest.
const MANY_EACH: u32 = 128;
const LONG: f64 = 4.0;
const HOPELESS: f64 = 0.05;

/// The rates of sets over the events of each process.
fn rates(
    lab: &Lab<'_>,
    (what, processes, rate): (&str, u32, f64),
    each: &[u32],
    sets: &[PendingSet],
) -> Result<Vec<Vec<Option<f64>>>, CommandError> {
    let mut found = vec![vec![]; sets.len()];
    let mut left_out = vec![false; sets.len()];
    for &each in each {
        let mut measured = vec![];
        for (&set, left_out) in sets.iter().zip(&left_out) {
            measured.push(match *left_out || set.is_ring() && each >= TOO_MANY_FOR_RINGS {
                true => None,
                false => measure(lab, what, [processes, each], rate, (set, 0))?,
            });
        }
        let best = measured.iter().flatten().fold(0.0, |best, one| f64::max(best, one.rate));
        for (place, measured) in measured.into_iter().enumerate() {
            let out = measured.is_none_or(|one| one.took > LONG || one.rate < HOPELESS * best);
            left_out[place] = out && each >= MANY_EACH;
            found[place].push(measured.map(|one| one.rate));
        }
    }
    Ok(found)
}

pub fn figure(lab: &Lab<'_>, part: &Part) -> Result<Exhibit, CommandError> {
    let (processes, each) = lab.by_scale((256, &[4, 16][..]), (part.processes, part.each));
    let sets = lab.by_scale(&[SETS[0], SETS[3]][..], &SETS[..]);
    let kinds: Vec<PendingSet> = sets.iter().map(|(_, set)| *set).collect();
    let found = rates(lab, (part.number, processes, part.rate), each, &kinds)?;
    let has_table = part.processes == 32_768 && part.rate == 1e-1;
    let mut exhibit = Exhibit {
        number: part.number,
        shows: "PHOLD with each set of pending events, by the events of each process",
        ours: format!(
            "{processes} processes, rate {}, lookahead 10; a process executes one event in a round; rings insert from their end. A set is left \
             out behind a run that took {LONG} s or was 20 times slower than the fastest, and rings with 16,384 events",
            part.rate
        ),
        theirs: if has_table {
            "the figure has no numbers in the text; those of 128 events each are from table I. GeForce GTX 1060"
        } else {
            "the figure has no numbers in the text. GeForce GTX 1060"
        },
        axis: "events each",
        places: each.iter().map(ToString::to_string).collect(),
        unit: "events a second",
        logarithmic: true,
        claims: part.claims,
        ..Exhibit::default()
    };
    for ((name, set), rates) in sets.iter().zip(&found) {
        let known = SETS.iter().position(|(_, known)| known == set).filter(|_| has_table).map(|place| TABLE_1[place]);
        let theirs: Vec<_> = each.iter().map(|each| known.filter(|_| *each == 128)).collect();
        exhibit.add(*name, rates, &theirs);
    }
    Ok(exhibit)
}

pub fn parallel_heap(lab: &Lab<'_>) -> Result<Exhibit, CommandError> {
    const WHAT: &str = "figure 10";
    let (processes, each) = lab.by_scale((256, &[4][..]), (32_768, &MANY[..5]));
    let sets = [PendingSet::GlobalHeap, PendingSet::Heap];
    let found = rates(lab, (WHAT, processes, 1e-1), each, &sets)?;
    let mut exhibit = Exhibit {
        number: WHAT,
        shows: "PHOLD with one parallel heap for all processes",
        ours: format!("{processes} processes, rate 0.1, lookahead 10, beside a heap for each process"),
        theirs: "the figure has no numbers in the text. GeForce GTX 1060",
        axis: "events each",
        places: each.iter().map(ToString::to_string).collect(),
        unit: "events a second",
        logarithmic: true,
        claims: FIGURE_10,
        ..Exhibit::default()
    };
    for (name, rates) in ["parallel heap", "a heap each"].into_iter().zip(&found) {
        exhibit.add(name, rates, &[]);
    }
    Ok(exhibit)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reproduce::exhibit::{Circumstances, Verdict};

    fn verdicts(claims: &[Claim], exhibit: &Exhibit, within: Circumstances) -> Vec<Verdict> {
        claims.iter().map(|claim| claim.judge(exhibit, within).0).collect()
    }

    #[test]
    fn a_quick_run_is_judged_by_the_sets_that_it_has() {
        let mut exhibit = Exhibit { places: ["4", "16"].map(str::to_owned).to_vec(), ..Exhibit::default() };
        let within = Circumstances { gpu: true, quick: true };
        let [holds, differs, open] = [Verdict::Holds, Verdict::Differs, Verdict::Open];
        exhibit.add(SEQ, &[5.0, 4.0].map(Some), &[]);
        assert_eq!(verdicts(FIGURE_7, &exhibit, within), [open; 5]);
        assert_eq!(verdicts(FIGURE_8A, &exhibit, within), [open; 3]);
        exhibit.add(HEAPS, &[4.0, 3.0].map(Some), &[]);
        assert_eq!(verdicts(FIGURE_7, &exhibit, within), [open, holds, open, open, open]);
        assert_eq!(verdicts(FIGURE_8A, &exhibit, within), [holds, open, open]);
        exhibit.series[1].values[1].ours = Some(4.5);
        assert_eq!(verdicts(FIGURE_7, &exhibit, within), [open, differs, open, open, open]);
        assert_eq!(verdicts(FIGURE_8A, &exhibit, within), [differs, open, open]);
    }

    /// Rates that agree with the claims on figure 7, until one of them changes.
    #[test]
    fn one_changed_rate_turns_a_verdict() {
        let places = FEW.iter().map(ToString::to_string).collect();
        let mut exhibit = Exhibit { places, ..Exhibit::default() };
        let rates: [[f64; 7]; 5] = [
            [9.0, 9.0, 6.0, 2.0, 0.5, 0.2, 0.1],
            [8.0, 8.0, 6.0, 2.0, 0.5, 0.2, 0.1],
            [9.0, 9.0, 8.0, 8.0, 3.0, 1.0, 0.5],
            [7.0, 8.0, 8.0, 8.0, 7.0, 6.0, 5.0],
            [6.0, 7.0, 7.0, 7.0, 6.0, 5.0, 4.0],
        ];
        rates.iter().zip(SETS).for_each(|(rates, (name, _))| exhibit.add(name, &rates.map(Some), &[]));
        let full = Circumstances { gpu: true, quick: false };
        assert_eq!(verdicts(FIGURE_7, &exhibit, full), [Verdict::Holds; 5]);
        assert_eq!(verdicts(FIGURE_7, &exhibit, Circumstances { gpu: false, ..full }), [Verdict::Open; 5]);
        exhibit.series[3].values[0].ours = Some(9.5);
        let turned = verdicts(FIGURE_7, &exhibit, full);
        assert_eq!((turned[1], turned.iter().filter(|v| **v == Verdict::Differs).count()), (Verdict::Differs, 1));
    }
}
