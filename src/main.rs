//! The command.
use tickless::device::Device;
use tickless::device::wgpu::{OpenOptions, Selection, WgpuDevice};
use tickless::{
    engine::Options,
    queueing::{Torus, gpu},
    run::unwatched,
};
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let side: u32 = a[1].parse().unwrap();
    let d: f64 = a[2].parse().unwrap();
    let until: f64 = a[3].parse().unwrap();
    let mut options = Options::default();
    let mut open = OpenOptions::default();
    for x in &a[4..] {
        match x.as_str() {
            "words" => open.without_int64 = true,
            "plain" => open.without_subgroups = true,
            "checked" => open.checked = true,
            "timings" => open.timings = true,
            x if x.starts_with("wg=") => options.workgroup = x[3..].parse().unwrap(),
            x if x.starts_with("e=") => options.elements = Some(x[2..].parse().unwrap()),
            _ => panic!(),
        }
    }
    let t = std::time::Instant::now();
    let device = WgpuDevice::open(&Selection::Auto, open).unwrap();
    let opened = t.elapsed();
    let model = Torus::new(side, side).window(d).until(until).check().unwrap();
    let run = gpu::simulate(&model, &device, &options, &mut unwatched()).unwrap();
    for t in &run.timings {
        print!("{} {:.2} us  ", t.kernel, t.time.as_secs_f64() * 1e6 / t.dispatches as f64);
    }
    println!(
        "{} {a:?} events {} rounds {:?} wall {:?} device {:?} {:.1} M/s {:.1} us/round open {:?} setup {:?} total {:?} digest {} util {}",
        device.adapter().name,
        run.events,
        run.rounds,
        run.wall,
        run.device,
        run.completions_per_second() / 1e6,
        run.wall.as_secs_f64() * 1e6 / run.rounds.unwrap() as f64,
        opened,
        run.setup,
        t.elapsed(),
        run.outcome.digest(),
        run.outcome.statistics().utilization
    );
}
