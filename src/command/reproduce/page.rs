//! The page of a reproduction: a figure, a table and the claims of each exhibit.

use std::io::Write;

use maud::{Markup, html};

use super::{ClaimReport, ExhibitReport, Reproduction};
use crate::CommandError;
use crate::page::{Against, Drawing, Picture, against, command_line, figure, whole};
use crate::text::{seconds, significant};
use crate::warning::Warning;

/// Writes the page.
///
/// # Errors
/// A full disk, and the like.
pub fn write(report: &Reproduction, out: &mut dyn Write) -> Result<(), CommandError> {
    let body = html! {
        (head(report))
        @for exhibit in &report.exhibits { (section(exhibit)) }
    };
    let page = whole(&format!("tickless reproduce {}", report.paper), &body);
    out.write_all(page.into_string().as_bytes()).map_err(CommandError::Output)
}

fn head(report: &Reproduction) -> Markup {
    let adapter = report.adapter.as_ref().map(|adapter| format!(" on {}", adapter.name)).unwrap_or_default();
    let sizes = if report.quick { "small: this was a quick run" } else { "those of a full run" };
    html! {
        @if let Some(said) = report.ends.said() { p.warning { "Ended early: " (said) "." } }
        dl.head {
            dt { "paper" } dd { (report.title) ". " (report.citation) }
            dt { "ran" } dd { (report.backend) (adapter) ", tickless " (report.version) }
            dt { "sizes" } dd { (sizes) }
            dt { "took" } dd { (seconds(report.wall_seconds)) }
            dt { "command" } dd { code { (command_line(std::env::args_os())) } }
            dt { "claims" } dd { (report.holds) " hold, " (report.differs) " differ, " (report.open) " open" }
        }
        @for warning in &report.warnings { (remark(warning)) }
    }
}

fn remark(warning: &Warning) -> Markup {
    html! { p.warning { (warning) } }
}

fn section(exhibit: &ExhibitReport) -> Markup {
    html! {
        h2 { (exhibit.title()) }
        @if let Some(reason) = exhibit.left_out {
            p { "Left out: " (reason) "." }
        } @else {
            dl.head {
                dt { "ours" } dd { (exhibit.ours) }
                dt { "theirs" } dd { (exhibit.theirs) }
            }
            (figure(&picture(exhibit)))
            (table(exhibit))
            dl.claims { @for claim in &exhibit.claims { (judged(claim)) } }
        }
    }
}

fn picture(exhibit: &ExhibitReport) -> Picture {
    let series = exhibit.series.iter().map(|series| Against {
        name: series.name.clone(),
        ours: series.values.iter().map(|value| value.ours).collect(),
        half_widths: series.values.iter().map(|value| value.half_width).collect(),
        theirs: series.values.iter().map(|value| value.theirs).collect(),
    });
    let axes = [exhibit.axis, exhibit.unit];
    let svg = against(axes, &exhibit.places(), &series.collect::<Vec<_>>(), exhibit.logarithmic);
    let has_theirs = exhibit.heads().len() > exhibit.series.len();
    let marks = if has_theirs { "Lines and dots: ours. Circles: the paper's." } else { "Ours." };
    Picture {
        title: format!("{}, over {}. {marks}", exhibit.unit, exhibit.axis),
        about: format!("A chart. {}. The table below it has the values.", exhibit.title()),
        drawing: Drawing::Svg(svg),
    }
}

fn table(exhibit: &ExhibitReport) -> Markup {
    html! {
        div.scroll tabindex="0" {
            table {
                thead {
                    tr {
                        th scope="col" { (exhibit.axis) }
                        @for head in exhibit.heads() { th scope="col" { (head) } }
                    }
                }
                tbody {
                    @for (place, name) in exhibit.places().into_iter().enumerate() {
                        tr {
                            th scope="row" { (name) }
                            @for (value, half_width) in exhibit.row(place) { (cell(value, half_width)) }
                        }
                    }
                }
            }
        }
    }
}

fn cell(value: Option<f64>, half_width: Option<f64>) -> Markup {
    html! {
        td.number {
            @if let Some(value) = value { (significant(value, 4)) }
            @if let Some(half) = half_width { " ± " (significant(half, 2)) }
        }
    }
}

fn judged(claim: &ClaimReport) -> Markup {
    html! {
        dt class=(claim.verdict.name()) { (claim.verdict.name()) }
        dd {
            (claim.claim) "."
            @if let Some(why) = claim.why { " (" (why) ")" }
        }
    }
}
