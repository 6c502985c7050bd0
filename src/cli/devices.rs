//! `tickless devices`

use super::arguments::{DevicesArguments, Format};
use super::json::{self, Auto, DevicesReport, VERSION};
use super::text::{Table, grouped};
use super::{CommandError, Ending};
use crate::device::wgpu::adapters;
use crate::device::{AdapterDescription, AdapterKind, bytes, preferred};

/// Lists the adapters.
///
/// # Errors
/// Standard output that cannot be written.
pub fn run(arguments: &DevicesArguments) -> Result<Ending, CommandError> {
    let adapters = adapters();
    let auto = match preferred(&adapters) {
        Some(adapter) => Auto { backend: "wgpu", adapter: Some(adapter.index) },
        None => Auto { backend: "heap", adapter: None },
    };
    let report = DevicesReport { version: VERSION, adapters, auto };
    super::print(&match arguments.format {
        Format::Text => text(&report),
        Format::Json => json::text(&report)?,
    })?;
    Ok(Ending::Done)
}

fn text(report: &DevicesReport) -> String {
    let mut table = Table::default();
    for adapter in &report.adapters {
        let taken = if report.auto.adapter == Some(adapter.index) { "   <- auto takes this one" } else { "" };
        table.line(format!("{}: {}{taken}", adapter.index, adapter.name));
        describe(&mut table, adapter);
        table.gap();
    }
    if report.adapters.is_empty() {
        table
            .line("no adapter: auto takes the heap. For a software adapter install a Vulkan driver")
            .line("(Debian, Ubuntu: mesa-vulkan-drivers); for a GPU install its own driver.");
    }
    table.finish()
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
        0 => "none of one size".to_owned(),
        size => format!("of {size} threads"),
    };
    table.row("kind", kind);
    table.row("interface", &adapter.backend);
    table.row("driver", &adapter.driver);
    table.row("64-bit integers", if limits.int64 { "native" } else { "as two words" });
    table.row("subgroups", subgroups);
    table.row("device timing", if limits.timestamps { "yes" } else { "no" });
    table.row("largest buffer", format!("{}, {} a binding", bytes(limits.buffer_size), bytes(limits.binding_size)));
    let groups = grouped(limits.workgroups.into());
    table.row("workgroup", format!("{} threads, {groups} a dimension", limits.workgroup_threads));
    table.row("storage buffers", format!("{} a kernel", limits.storage_buffers));
}
