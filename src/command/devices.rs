//! `tickless devices`

use clap::Args;
use schemars::JsonSchema;
use serde::Serialize;

use super::arguments::Format;
use super::report::print_as;
use super::text::{Table, grouped};
use super::version::{SCHEMA, VERSION};
use super::{CommandError, Ending};
use tickless_device::wgpu::adapters;
use tickless_device::{AdapterDescription, AdapterKind, bytes, driver_advice, preferred};

#[derive(Debug, Args)]
pub struct DevicesArguments {
    /// How the result is written
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: Format,
}

/// The result of `tickless devices`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct DevicesReport {
    /// The version of these fields. A field is renamed, or means something else, only with another one; fields may be added to one.
    #[schemars(extend("const" = SCHEMA))]
    schema: u32,
    /// The version of tickless.
    version: &'static str,
    /// The adapters of `--backend wgpu`.
    adapters: Vec<AdapterDescription>,
    /// Why no adapter can be listed, as where memory is limited; `null` where they are.
    problem: Option<String>,
    /// What `--backend cuda` finds.
    cuda: CudaReport,
    /// What `--backend auto` takes.
    auto: Auto,
}

/// What `--backend cuda` finds.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
struct CudaReport {
    /// Whether this command was built with `--backend cuda`.
    built: bool,
    /// Its adapters.
    adapters: Vec<AdapterDescription>,
    /// Why it cannot be used; `null` where it can, or is not built.
    problem: Option<String>,
    /// The one that opens where none is named.
    #[serde(skip)]
    takes: Option<usize>,
}

/// What `--backend auto` takes.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
struct Auto {
    /// `cuda`, `wgpu` or `heap`.
    backend: &'static str,
    /// The index of the adapter; `null` on the heap.
    adapter: Option<usize>,
}

/// Lists the adapters.
///
/// # Errors
/// Standard output that cannot be written.
pub fn run(arguments: &DevicesArguments) -> Result<Ending, CommandError> {
    let (adapters, problem) = match adapters() {
        Ok(adapters) => (adapters, None),
        Err(problem) => (vec![], Some(problem.to_string())),
    };
    let cuda = cuda();
    let auto = match (cuda.takes, preferred(&adapters)) {
        (Some(index), _) => Auto { backend: "cuda", adapter: Some(index) },
        (None, Some(adapter)) => Auto { backend: "wgpu", adapter: Some(adapter.index) },
        (None, None) => Auto { backend: "heap", adapter: None },
    };
    let report = DevicesReport { schema: SCHEMA, version: VERSION, adapters, problem, cuda, auto };
    print_as(arguments.format, &report, || text(&report))??;
    Ok(Ending::Done)
}

/// The adapters of `--backend cuda`, and whether it opens.
#[cfg(feature = "cuda")]
fn cuda() -> CudaReport {
    use tickless_device::OpenOptions;
    use tickless_device::cuda::{CudaDevice, adapters};
    use tickless_device::{Device as _, Selection};
    let mut report = CudaReport { built: true, ..CudaReport::default() };
    match adapters().and_then(|found| {
        report.adapters = found;
        CudaDevice::open(&Selection::Auto, OpenOptions::default())
    }) {
        Ok(device) => report.takes = Some(device.adapter().index),
        Err(problem) => report.problem = Some(problem.to_string()),
    }
    report
}

#[cfg(not(feature = "cuda"))]
fn cuda() -> CudaReport {
    CudaReport::default()
}

fn text(report: &DevicesReport) -> String {
    let mut table = Table::shown();
    list(&mut table, "wgpu", &report.adapters, &report.auto);
    list(&mut table, "cuda", &report.cuda.adapters, &report.auto);
    if let Some(problem) = &report.problem {
        table.line(format!("wgpu: no adapter can be listed: {problem}"));
    } else if report.adapters.is_empty() && report.cuda.adapters.is_empty() {
        table.line("no adapter: auto takes the heap. For a device").line(driver_advice());
    }
    if let Some(problem) = &report.cuda.problem {
        table.line(format!("cuda: {problem}"));
    }
    table.finish()
}

fn list(table: &mut Table, backend: &str, adapters: &[AdapterDescription], auto: &Auto) {
    for adapter in adapters {
        let taken = auto.backend == backend && auto.adapter == Some(adapter.index);
        let taken = match taken {
            true if adapter.kind == AdapterKind::Software => "   <- auto takes this one where the heap would take long",
            true => "   <- auto takes this one",
            false => "",
        };
        table.heading(format!("{backend} {}: {}{taken}", adapter.index, adapter.name));
        describe(table, adapter);
        table.gap();
    }
}

/// The compiler of kernels, and where a user gets a better one.
fn compiler(adapter: &AdapterDescription) -> &str {
    match &*adapter.compiler {
        "driver" => "the driver's",
        "nvrtc" => "NVRTC",
        "dxc" => "DXC, for shader model 6",
        "fxc" => {
            "FXC, which is slow: dxcompiler.dll beside the program (README.md, Start) is DXC, with integers of 64 bits and subgroups"
        }
        other => other,
    }
}

fn describe(table: &mut Table, adapter: &AdapterDescription) {
    let kind = match adapter.kind {
        AdapterKind::Discrete => "discrete GPU",
        AdapterKind::Integrated => "integrated GPU",
        AdapterKind::Virtual => "virtual GPU",
        AdapterKind::Other => "other",
        AdapterKind::Software => "software (the processor itself)",
    };
    let limits = &adapter.capabilities;
    let subgroups = match limits.subgroup_size {
        0 => "unused".to_owned(),
        size => format!("of {size} threads"),
    };
    table.row("kind", kind);
    table.row("interface", &adapter.backend);
    table.row("driver", &adapter.driver);
    table.row("compiler", compiler(adapter));
    table.row("64-bit integers", if limits.int64 { "native" } else { "as two words" });
    table.row("subgroups", subgroups);
    table.row("device timing", if limits.timestamps { "yes" } else { "no" });
    table.row("largest buffer", format!("{}, {} a binding", bytes(limits.buffer_size), bytes(limits.binding_size)));
    let (groups, memory) = (grouped(limits.workgroups.into()), bytes(limits.workgroup_memory.into()));
    table.row("workgroup", format!("{} threads, {memory}, {groups} a dimension", limits.workgroup_threads));
    table.row("storage buffers", format!("{} a kernel", limits.storage_buffers));
}
