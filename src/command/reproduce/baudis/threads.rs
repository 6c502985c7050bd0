//! Figure 6: the number of threads that insert into a ring.

use super::phold::measure;
use crate::CommandError;
use crate::reproduce::exhibit::{Claim, Exhibit, all_say_yes};
use crate::reproduce::lab::Lab;
use tickless_engine::pending::PendingSet;

const THREADS: [u32; 4] = [32, 64, 128, 256];
const EACH: [u32; 5] = [4, 16, 64, 256, 1024];
const PROCESSES: u32 = 1024;
const RATE: f64 = 1e-3;

const OTHER_KERNELS: &str =
    "here the size of workgroups is that of every kernel of a round, and the others have a process for each thread";
const CLAIMS: &[Claim] = &[
    Claim::new(
        "up to 256 events each 32 threads are the fastest",
        |e| e.reach(&["32 threads"], 1.0, |each| each <= 256),
        OTHER_KERNELS,
    )
    .of_speed(),
    Claim::new(
        "with more events each 64 threads are the fastest",
        |e| e.reach(&["64 threads"], 1.0, |each| each > 256),
        OTHER_KERNELS,
    )
    .of_speed()
    .of_size(),
    Claim::new(
        "32 and 64 threads differ by little: a fifth at most",
        |e| {
            let both = [e.named("32 threads")?, e.named("64 threads")?];
            all_say_yes(e.quotients(both).into_iter().map(|quotient| (quotient - 1.0).abs() < 0.2))
        },
        "no reason is known",
    )
    .of_speed(),
];

pub fn figure(lab: &Lab<'_>) -> Result<Exhibit, CommandError> {
    const WHAT: &str = "figure 6";
    let each: &[u32] = lab.by_scale(&EACH[..1], &EACH);
    let threads: &[u32] = lab.by_scale(&THREADS[..1], &THREADS);
    let mut exhibit = Exhibit {
        number: WHAT,
        shows: "PHOLD with rings into which several threads insert, by the events of each process",
        ours: format!(
            "{PROCESSES} processes, rate {RATE}, lookahead 10; workgroups of so many threads in all kernels of a round"
        ),
        theirs: "the figure has no numbers in the text. GeForce GTX 1060",
        axis: "events each",
        places: each.iter().map(ToString::to_string).collect(),
        unit: "events a second",
        logarithmic: true,
        claims: CLAIMS,
        ..Exhibit::default()
    };
    for &threads in threads {
        let mut rates = vec![];
        for &each in each {
            let set = (PendingSet::CircularParallel, threads);
            rates.push(measure(lab, WHAT, [PROCESSES, each], RATE, set)?.map(|measured| measured.rate));
        }
        exhibit.add(format!("{threads} threads"), &rates, &[]);
    }
    Ok(exhibit)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reproduce::exhibit::{Circumstances, Verdict};

    fn verdicts(exhibit: &Exhibit) -> [Verdict; 3] {
        let within = Circumstances { gpu: true, quick: false };
        [0, 1, 2].map(|claim| CLAIMS[claim].judge(exhibit, within).0)
    }

    #[test]
    fn one_number_of_threads_is_not_the_fastest() {
        let mut exhibit = Exhibit { places: EACH.map(|each| each.to_string()).to_vec(), ..Exhibit::default() };
        exhibit.add("32 threads", &[5.0, 5.0, 5.0, 5.0, 4.0].map(Some), &[]);
        let [holds, differs, open] = [Verdict::Holds, Verdict::Differs, Verdict::Open];
        assert_eq!(verdicts(&exhibit), [open; 3]);
        exhibit.add("64 threads", &[4.5, 4.5, 4.5, 4.5, 4.5].map(Some), &[]);
        assert_eq!(verdicts(&exhibit), [holds; 3]);
        // A gap shifts no other value.
        exhibit.series[0].values[0].ours = None;
        exhibit.series[1].values[4].ours = Some(4.6);
        assert_eq!(verdicts(&exhibit), [holds; 3]);
        exhibit.series[0].values[0].ours = Some(5.0);
        exhibit.series[1].values[0].ours = Some(7.0);
        assert_eq!(verdicts(&exhibit), [differs, holds, differs]);
    }
}
