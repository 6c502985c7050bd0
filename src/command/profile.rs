//! `tickless profile`: the time of each kernel of a run, and the rest of the time.

use std::io::Write;
use std::path::PathBuf;

use clap::{ArgMatches, Args};
use schemars::JsonSchema;
use serde::Serialize;

use super::arguments::{Backend, DeviceArguments, Format, parsed};
use super::backend::Ready;
use super::case::{self, Case, Extent, RunOf, Wanted};
use super::figures::result_fields;
use super::files::Outputs;
use super::interrupt::Interrupt;
use super::output::ended;
use super::page::{self, Bar, Drawing, Picture, bars};
use super::progress::Watcher;
use super::report::{Origin, print_as};
use super::text::{Columns, Table, counted, grouped, rate, seconds, significant};
use super::warning::{self, Told, Warning};
use super::{CommandError, Ending};
use tickless_core::number::bytes;
use tickless_core::run::KernelTime;
use tickless_device::AdapterDescription;

/// The arguments of a profile of a model.
#[derive(Debug, Args)]
pub struct ProfileArguments<A: Args> {
    #[command(flatten)]
    pub model: A,
    /// What runs it: wgpu or cuda, or what auto takes
    #[arg(long, value_name = "NAME", default_value = "auto", help_heading = "Device")]
    pub backend: Backend,
    #[command(flatten)]
    pub device: DeviceArguments,
    /// How the result is written to standard output
    #[arg(long, value_name = "FORMAT", default_value = "text", help_heading = "Output")]
    pub format: Format,
    /// Also write the result with a picture to this HTML file, which needs no other one
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub report: Option<PathBuf>,
}

/// The result.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ProfileReport<A> {
    #[serde(flatten)]
    origin: Origin<A>,
    /// What ran: `wgpu` or `cuda`.
    backend: String,
    /// What it ran on, as in `tickless devices`.
    adapter: Option<AdapterDescription>,
    /// Events of the whole run.
    events: u64,
    /// Rounds.
    rounds: Option<u64>,
    /// From the first event to the last.
    wall_seconds: f64,
    /// Before it.
    setup_seconds: f64,
    /// How long the device itself was busy with rounds; `null` where it cannot tell.
    device_seconds: Option<f64>,
    /// How much of the wall time is not the device's; `null` where it does not tell.
    overhead_share: Option<f64>,
    /// The longest first. A device that does not time single kernels gives none, nor do searches.
    kernels: Vec<KernelReport>,
    /// In words, what takes the most time.
    limit: String,
    /// As of a run.
    digest: String,
    /// Whether Ctrl-C ended the run before the horizon.
    interrupted: bool,
    /// Remarks on the run.
    #[serde(serialize_with = "warning::with_messages")]
    #[schemars(with = "Vec<Told<'static>>")]
    warnings: Vec<Warning>,
}

result_fields! {
    /// A kernel, over the dispatches that were timed.
    struct KernelReport((of, all): (&KernelTime, f64)) {
        /// Its name.
        kernel: String = of.kernel.clone();
        /// Those that were timed.
        dispatches: u64 = of.dispatches;
        /// Of these dispatches together.
        seconds: f64 = of.time.as_secs_f64();
        /// Of the time of all kernels.
        share: f64 = if all > 0.0 { of.time.as_secs_f64() / all } else { 0.0 };
        /// Of one dispatch in the mean.
        seconds_each: f64 = of.time.as_secs_f64() / of.dispatches.max(1) as f64;
        /// Bytes of the buffers that it reads and writes.
        bound_bytes: u64 = of.bound_bytes;
        /// Registers of a thread; `null` where the driver does not say, as of the next two: CUDA says it.
        registers: Option<u32> = of.resources.map(|of| of.registers);
        /// Bytes of a thread that lie in memory.
        spilled_bytes: Option<u32> = of.resources.map(|of| of.spilled_bytes);
        /// The threads that can be at work at once, by the most of a multiprocessor.
        resident_share: Option<f64> = of.resources.map(|of| of.resident_share);
    }
}

/// Runs the model on a device that times its kernels, and prints the times.
///
/// # Errors
/// [`CommandError`]; [`CommandError::Usage`] where the heap would run it.
pub fn run<C: Case>(matches: &ArgMatches, interrupt: &Interrupt) -> Result<Ending, CommandError> {
    let ProfileArguments { model, backend, mut device, format, report: page } =
        parsed::<ProfileArguments<C::Arguments>>(matches)?;
    device.timings = true;
    let mut case = C::prepare(model, &C::Options::default(), &C::Files::default())?;
    let (backend, about_backend) = Ready::choose(backend, &device, case.suits())?;
    if backend.is_heap() {
        let why = about_backend.iter().map(|warning| format!(" ({warning})")).collect::<String>();
        let message = format!(
            "a profile is of the kernels of a device, and the heap would run this{why}: name a device by --backend wgpu or --backend cuda"
        );
        return Err(CommandError::Usage { message });
    }
    case.check_options(&backend)?;
    case.check_size(&backend.room(), Wanted::Figures)?;
    let outputs = Outputs::open(&case, vec![], None, page.as_deref(), (&[], ""))?;
    let mut warnings = case.remarks();
    warnings.extend(about_backend);
    warning::tell(format, &warnings);
    let found = case.pilot(&mut Watcher::pilot(interrupt))?;
    warning::tell(format, found.as_slice());
    warnings.extend(found);
    let run = case::execute(&mut case, &backend, Wanted::Figures, None, interrupt)?;
    let report = report_of(&case, &backend, &run, warnings);
    let mut failures = Vec::from_iter(print_as(format, &report, || text(&report, C::EVENTS))?.err());
    interrupt.printed();
    let rounds = || page::events_a_round(&run.moments, C::EVENTS);
    let pictures = || pictures(&report).into_iter().chain(rounds()).collect::<Vec<_>>();
    let page = |out: &mut dyn Write| page::write_profile(&report, &pictures(), out);
    failures.extend(outputs.write(&case, &run, &case.figures(&run, Extent::Summary), &page));
    ended(if run.interrupted { Ending::Interrupted } else { Ending::Done }, failures)
}

fn report_of<C: Case>(
    case: &C,
    backend: &Ready,
    run: &RunOf<C>,
    warnings: Vec<Warning>,
) -> ProfileReport<C::Arguments> {
    let all: f64 = run.timings.iter().map(|kernel| kernel.time.as_secs_f64()).sum();
    let mut kernels: Vec<KernelReport> = run.timings.iter().map(|kernel| KernelReport::new((kernel, all))).collect();
    kernels.sort_by(|a, b| b.seconds.total_cmp(&a.seconds));
    let (wall, device) = (run.wall.as_secs_f64(), run.device.map(|time| time.as_secs_f64()));
    let overhead_share = device.filter(|_| wall > 0.0).map(|device| ((wall - device) / wall).clamp(0.0, 1.0));
    ProfileReport {
        origin: case::origin(case),
        backend: backend.name().into(),
        adapter: backend.adapter().cloned(),
        events: run.events,
        rounds: run.rounds,
        wall_seconds: wall,
        setup_seconds: run.setup.as_secs_f64(),
        device_seconds: device,
        overhead_share,
        limit: limit(overhead_share, &kernels, run.events as f64 / run.rounds.unwrap_or(1).max(1) as f64),
        kernels,
        digest: C::digest(&run.outcome).to_string(),
        interrupted: run.interrupted,
        warnings,
    }
}

/// The time of the device by kernels, if the device gives it.
fn pictures<A>(report: &ProfileReport<A>) -> Vec<Picture> {
    let bar = |kernel: &KernelReport| Bar { name: kernel.kernel.clone(), value: kernel.seconds, half_width: None };
    let all: Vec<Bar> = report.kernels.iter().map(bar).collect();
    let title = "Where the time of the device went, kernel by kernel".to_owned();
    let about = format!("{title}: {}", report.limit);
    let picture = (!all.is_empty()).then(|| Picture { title, about, drawing: Drawing::Svg(bars("seconds", &all)) });
    picture.into_iter().collect()
}

/// The part that takes the most of the time.
fn limit(overhead: Option<f64>, kernels: &[KernelReport], events: f64) -> String {
    match (overhead, kernels.first()) {
        (Some(share), _) if share > 0.5 => {
            let each = significant(events, 3);
            format!(
                "the host: more than half of the time is launches and transfers; a round has {each} events in the mean"
            )
        }
        (_, Some(kernel)) => {
            let percent = significant(100.0 * kernel.share, 3);
            format!("{}: {percent} % of the time of all kernels", kernel.kernel)
        }
        _ => "unknown: this device does not time single kernels".into(),
    }
}

fn text<A>(report: &ProfileReport<A>, events: &str) -> String {
    let mut table = Table::shown();
    table.heading(format!("tickless {}, profile of {}", report.origin.version, report.origin.model)).gap();
    table.row("backend", &report.backend);
    if let Some(adapter) = &report.adapter {
        table.row("adapter", format!("{}: {}", adapter.index, adapter.name));
    }
    table.gap();
    let tells = report.kernels.iter().any(|kernel| kernel.registers.is_some());
    let further = if tells { ["registers", "spilled", "resident"].as_slice() } else { &[] };
    let heads = ["kernel", "dispatches", "time", "share", "each", "buffers"].iter().chain(further);
    let widths = [32, 12, 12, 8, 12, 10, 10, 10, 10];
    let mut columns = Columns::new(&widths[..6 + further.len()]);
    columns.heads(heads.copied());
    for kernel in &report.kernels {
        let share = format!("{:.1} %", 100.0 * kernel.share);
        let times = [kernel.seconds, kernel.seconds_each].map(seconds);
        let own = [kernel.kernel.clone(), grouped(kernel.dispatches), times[0].clone(), share, times[1].clone()];
        let percent = |share: f64| format!("{:.0} %", 100.0 * share);
        let resources = [
            kernel.registers.map(|number| number.to_string()),
            kernel.spilled_bytes.map(|number| bytes(number.into())),
            kernel.resident_share.map(percent),
        ];
        let resources = resources.into_iter().take(further.len()).map(Option::unwrap_or_default);
        columns.row(own.into_iter().chain([bytes(kernel.bound_bytes)]).chain(resources));
    }
    columns.write(&mut table);
    table.gap();
    let per_second = rate(report.events as f64 / report.wall_seconds.max(1e-9));
    table.row(events, format!("{}, {per_second} a second", grouped(report.events)));
    if let Some(rounds) = report.rounds {
        table.row("rounds", counted(rounds, "round"));
    }
    let device =
        report.device_seconds.map(|time| format!(", {} of it on the device", seconds(time))).unwrap_or_default();
    table.row("wall time", format!("{}{device}", seconds(report.wall_seconds)));
    table.row("set-up", seconds(report.setup_seconds));
    if let Some(share) = report.overhead_share {
        table.row("overhead", format!("{:.1} % of the wall time is not the device's", 100.0 * share));
    }
    table.row("limit", &report.limit);
    table.row("digest", &report.digest);
    table.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_limit_is_what_takes_the_most() {
        let kernel = |share: f64| KernelReport {
            kernel: "select".into(),
            dispatches: 1,
            seconds: share,
            share,
            seconds_each: share,
            bound_bytes: 0,
            registers: None,
            spilled_bytes: None,
            resident_share: None,
        };
        assert!(limit(Some(0.7), &[kernel(0.9)], 12.0).starts_with("the host: "));
        assert_eq!(limit(Some(0.2), &[kernel(0.875)], 12.0), "select: 87.5 % of the time of all kernels");
        assert!(limit(None, &[], 12.0).starts_with("unknown"));
    }
}
