//! Figures 23 and 26: the gain from more processing elements. Ours are cores, each with a band of the space.

use super::times::Workload;
use crate::CommandError;
use crate::reproduce::exhibit::{Claim, Exhibit, tends_up};
use crate::reproduce::lab::Lab;
use crate::reproduce::torus::label;
use tickless_cells as cells;
use tickless_cells::gpu::DeviceCells;
use tickless_core::ranks::Ranks;
use tickless_core::run::Watch;
use tickless_device::Target;

const CLAIMS: &[Claim] = &[Claim::new(
    "more processing elements are faster",
    |e| e.all(tends_up),
    "cores meet after each step or each event near a border, which costs more than what a band of few cells has to do; theirs share one \
     memory with hardware for messages",
)
.of_size()];

pub fn figure<M: DeviceCells>(
    lab: &Lab<'_>,
    workload: &Workload,
    sides: &[u32],
    model: impl Fn(u32) -> Result<M, CommandError>,
) -> Result<Exhibit, CommandError> {
    let what = workload.figures[2];
    let (ranks, side) = (lab.ranks(), sides.last().copied().unwrap_or_default());
    let model = model(side)?;
    let mut seconds = vec![];
    for &count in &ranks {
        let over = |_: Target<'_>, watch: &mut dyn Watch| {
            cells::run(&model, 0..1, Ranks::Threads(count), Default::default(), watch)
        };
        let run = lab.on_heap(what, over)?;
        seconds.push(run.wall.as_secs_f64());
    }
    let mut exhibit = Exhibit {
        number: what,
        shows: "how many times as fast as on one processing element it is on several",
        ours: format!(
            "bands of {} cells on so many cores of this machine, each with a heap; what is faster than that is the device of the figures \
             above",
            label(side)
        ),
        theirs: "the figure has no numbers in the text; that of 16 SPEs is the ratio of two factors of the text",
        axis: "processing elements",
        places: ranks.iter().map(ToString::to_string).collect(),
        unit: "times as fast",
        claims: CLAIMS,
        ..Exhibit::default()
    };
    let ours: Vec<_> = seconds.iter().map(|time| Some(seconds.first()? / time)).collect();
    let theirs: Vec<_> = ranks.iter().map(|count| (count.get() == 16).then(|| workload.scale_up())).collect();
    exhibit.add(workload.name, &ours, &theirs);
    Ok(exhibit)
}
