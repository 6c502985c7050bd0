//! A cell model of one's own: a wave that goes out from one cell.
//!
//! Shows a `CellModel` and its two WGSL functions, which docs/cells.md explains. Draws the wave at three times. Asserts that a device ends
//! in the same state of every cell as the heap simulator.

mod model;

use model::{FIRING, Wave};
use tickless::cells::{self, Border, Space};
use tickless::device::Target;
use tickless::device::wgpu::{OpenOptions, Selection, WgpuDevice};
use tickless::{run::unwatched, time::Time};

const COLUMNS: u32 = 60;
const ROWS: u32 = 20;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let device = WgpuDevice::open(&Selection::Auto, OpenOptions::default())?;
    let times = |units| Time::from_units(units).ok_or("a time in range");
    for until in [3.0, 6.0, 9.0] {
        let space = Space::new([COLUMNS, ROWS, 1], Border::Open, Space::moore())?;
        let model = Wave { space, until: times(until)?, delay: times(0.4)?, rest: times(1.2)? };
        let on = |target| cells::run(&model, 0..1, target, Default::default(), &mut unwatched());
        let (expected, run) = (on(Target::Heap)?, on(Target::Device(&device))?);
        if let Some(difference) = expected.outcome.first_difference(&run.outcome) {
            return Err(format!("a defect: {difference}").into());
        }
        println!("time {until}, digest {}", run.outcome.digest());
        // Those that are ready, will fire, and rest.
        let shown = |word: &u32| ['.', '#', '-'][*word as usize];
        for row in run.outcome.state.chunks(COLUMNS as usize) {
            println!("{}", row.iter().map(shown).collect::<String>());
        }
        assert!(run.outcome.state.contains(&FIRING), "the wave has ended");
    }
    Ok(())
}
