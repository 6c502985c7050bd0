//! `--report`: one HTML file of a result or a profile, with all that it needs. It is readable without its scripts, which sort tables, show
//! texts for the pointer and play a network.
//!
//! At the top stand the model, the backend, and how to repeat the run; then the pictures of the model
//! ([`Case::pictures`](super::case::Case::pictures)); then every field of the result, as [`tables`] lists them.

mod against;
mod charts;
mod graph;
mod layout;
mod player;
mod points;
mod rounds;
mod sheet;
mod tables;

use std::ffi::OsString;
use std::io::Write;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use maud::{DOCTYPE, Markup, PreEscaped, html};
use serde::Serialize;
use serde_json::Value;

use super::CommandError;
use super::report::Report;
use super::text::{counted, grouped, rate, seconds, short};
pub use against::{Against, against};
pub use charts::{Bar, Line, bars, dots, histogram, lines, lines_beside};
pub use graph::{Edge, Kind, MOST as MOST_DRAWN, Node, graph};
pub use player::{Move, Player, Stay};
pub use rounds::events_a_round;

/// The style of the page, in light and dark.
const STYLE: &str = include_str!("page.css");
/// Sorts a table by the chosen column, and shows texts for the pointer.
const SCRIPT: &str = include_str!("page.js");

/// The kinds of remarks on what runs the model: nothing is wrong with it.
const NOTES: [&str; 6] =
    ["heap_fallback", "cuda_unused", "adapter_unused", "software_adapter", "shifted_law", "same_kernels"];

/// A picture of a report.
pub struct Picture {
    /// The title above it.
    pub title: String,
    /// Its contents in words, for people who do not see it.
    pub about: String,
    pub drawing: Drawing,
}

/// The kind of a picture.
pub enum Drawing {
    Svg(String),
    /// An SVG in which tokens move, once a person starts the player below it.
    Played(String, Player),
    Png(Vec<u8>),
    /// A PNG that is enlarged, its pixels as squares.
    Pixels(Vec<u8>),
    /// A list of objects, with a row for each.
    Table(Value),
}

/// The drawing of a function that writes a PNG; `None` if it fails.
pub fn picture_of(write: impl FnOnce(&mut dyn Write) -> Result<(), CommandError>) -> Option<Drawing> {
    let mut png = vec![];
    write(&mut png).ok()?;
    Some(Drawing::Png(png))
}

/// The name of a model, and of its events, and what repeats the run.
#[derive(Clone, Copy)]
pub struct Subject<'a> {
    pub about: &'static str,
    pub events: &'static str,
    pub command: &'a str,
}

/// Writes the page of a result, with its answers at the top.
///
/// # Errors
/// A full disk, and the like.
pub fn write<A: Serialize, P: Serialize, F: Serialize>(
    subject: Subject<'_>,
    report: &Report<A, P, F>,
    answer: &[(&str, String)],
    pictures: &[Picture],
    out: &mut dyn Write,
) -> Result<(), CommandError> {
    let fields = serde_json::to_value(report).map_err(|error| CommandError::Output(error.into()))?;
    let body = html! {
        (answered(answer))
        @if report.run.interrupted { p.warning { "Interrupted: the figures cover what happened before." } }
        (warnings(&fields))
        @for picture in pictures { (figure(picture)) }
        (tables::all(&points::in_words(&fields)))
        (how_it_ran(subject, report, &fields))
    };
    let page = whole(&format!("tickless {}", report.origin.model), &body);
    out.write_all(page.into_string().as_bytes()).map_err(CommandError::Output)
}

/// What a page says first, in a frame for a place within another page: the answers, or where there are none the figures, and the first picture.
///
/// # Errors
/// Figures that cannot be written.
pub fn frame(
    title: &str,
    figures: &impl Serialize,
    answer: &[(&str, String)],
    picture: Option<&Picture>,
) -> Result<String, CommandError> {
    let fields = serde_json::to_value(figures).map_err(|error| CommandError::Output(error.into()))?;
    let statistics = fields["statistics"].as_object().filter(|_| answer.is_empty());
    let body = html! {
        (answered(answer))
        @if let Some(statistics) = statistics { (tables::pairs(statistics)) }
        @if let Some(picture) = picture { (figure(picture)) }
    };
    let page = whole(title, &body).into_string();
    Ok(html! { iframe srcdoc=(page) style="width:100%;height:30rem;border:0" {} }.into_string())
}

/// Writes the page of a profile.
///
/// # Errors
/// A full disk, and the like.
pub fn write_profile(report: &impl Serialize, pictures: &[Picture], out: &mut dyn Write) -> Result<(), CommandError> {
    let fields = serde_json::to_value(report).map_err(|error| CommandError::Output(error.into()))?;
    let said = |name: &str| fields[name].as_str().unwrap_or_default();
    let body = html! {
        dl.head {
            dt { "ran" } dd { (said("backend")) " on " (fields["adapter"]["name"].as_str().unwrap_or_default()) }
            dt { "took" } dd { (seconds(fields["wall_seconds"].as_f64().unwrap_or_default())) }
            dt { "limit" } dd { (said("limit")) }
            dt { "command" } dd { code { (command_line(std::env::args_os())) } }
            dt { "digest" } dd { code { (said("digest")) } }
        }
        (warnings(&fields))
        @for picture in pictures { (figure(picture)) }
        (tables::all(&points::in_words(&fields)))
    };
    let page = whole(&format!("tickless profile {}", said("model")), &body);
    out.write_all(page.into_string().as_bytes()).map_err(CommandError::Output)
}

/// A page with its style and script.
pub fn whole(title: &str, body: &Markup) -> Markup {
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { (title) }
                style { (PreEscaped(STYLE)) }
            }
            body {
                main {
                    h1 { (title) }
                    (body)
                }
                script { (PreEscaped(SCRIPT)) }
            }
        }
    }
}

fn warnings(fields: &Value) -> Markup {
    html! {
        @for warning in fields["warnings"].as_array().into_iter().flatten() {
            @let is_note = warning["kind"].as_str().is_some_and(|kind| NOTES.contains(&kind));
            p class=(if is_note { "note" } else { "warning" }) { (warning["message"].as_str().unwrap_or_default()) }
        }
    }
}

/// The findings of a run.
fn answered(lines: &[(&str, String)]) -> Markup {
    html! {
        @if !lines.is_empty() {
            dl.head.answer {
                @for (label, text) in lines {
                    @if !label.is_empty() { dt { (label) } }
                    dd { (text) }
                }
            }
        }
    }
}

/// The model, the backend, the times and the command line that repeats the run.
fn how_it_ran<A, P, F>(subject: Subject<'_>, report: &Report<A, P, F>, fields: &Value) -> Markup {
    let Subject { about, events: name, command } = subject;
    let run = &report.run;
    let adapter = run.adapter.as_ref().map(|adapter| format!(" on {}", adapter.name)).unwrap_or_default();
    let threads = run.threads.map(|threads| format!(", {}", counted(threads, "thread"))).unwrap_or_default();
    let events =
        format!("{}, {} a second", counted(run.events, name.trim_end_matches('s')), rate(run.events_per_second));
    html! {
        h2 { "how it ran" }
        dl.head {
            dt { "model" } dd { (about) }
            @if let Some(file) = fields["arguments"]["file"].as_str() { dt { "file" } dd { (file) } }
            @if let Some(seed) = report.origin.seed { dt { "seed" } dd { (seed) } }
            dt { "ran" } dd { (run.backend) (adapter) (threads) ", tickless " (report.origin.version) }
            dt { "took" } dd {
                (seconds(run.wall_seconds))
                @if run.setup_seconds > 0.0 { ", after " (seconds(run.setup_seconds)) " of set-up" }
                "; " (events)
            }
            @if let Some(rounds) = run.rounds {
                @let each = short(run.events as f64 / rounds.max(1) as f64);
                dt { "rounds" } dd { (grouped(rounds)) ", " (each) " " (name) " each" }
            }
            @if let Some(device) = run.device_seconds {
                @let share = short(100.0 * device / run.wall_seconds.max(1e-9));
                dt { "device" } dd { (seconds(device)) ", " (share) " % of the time; tickless profile says which kernels took it" }
            }
            dt { "command" } dd { code { (command) } }
            dt { "digest" } dd { code { (run.digest) } }
        }
    }
}

/// The typed words, as a shell reads them.
pub fn command_line(words: impl Iterator<Item = OsString>) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "-_./=,:+@%".contains(c);
    let quoted = |word: &str| {
        let plain = !word.is_empty() && word.chars().all(is_plain);
        if plain { word.to_owned() } else { format!("'{}'", word.replace('\'', r"'\''")) }
    };
    let words = words.skip(1).map(|word| quoted(&word.to_string_lossy()));
    ["tickless".to_owned()].into_iter().chain(words).collect::<Vec<_>>().join(" ")
}

/// A title of a word, or of several.
pub fn capital(words: &str) -> String {
    let mut letters = words.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

/// A PNG within the page.
fn data(png: &[u8]) -> String {
    format!("data:image/png;base64,{}", BASE64_STANDARD.encode(png))
}

pub fn figure(picture: &Picture) -> Markup {
    html! {
        figure {
            figcaption { (picture.title) }
            @match &picture.drawing {
                Drawing::Svg(svg) => div role="img" aria-label=(picture.about) { (PreEscaped(svg)) },
                Drawing::Played(svg, player) => {
                    div role="img" aria-label=(picture.about) { (PreEscaped(svg)) }
                    (player::controls(player))
                }
                Drawing::Png(bytes) => { img alt=(picture.about) src=(data(bytes)); }
                Drawing::Pixels(bytes) => { img.pixels alt=(picture.about) src=(data(bytes)); }
                Drawing::Table(rows) => (tables::rows(rows)),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_can_be_typed_again() {
        let words = ["/usr/bin/tickless", "network", "a b.toml", "--seed=3", "it's", ""].map(OsString::from);
        assert_eq!(command_line(words.into_iter()), r"tickless network 'a b.toml' --seed=3 'it'\''s' ''");
    }

    #[test]
    fn a_warning_is_of_what_is_wrong() {
        let page = |kind: &str| {
            let fields = serde_json::json!({ "warnings": [{ "kind": kind, "message": "said" }] });
            warnings(&fields).into_string()
        };
        assert_eq!(page("heap_fallback"), "<p class=\"note\">said</p>");
        assert_eq!(page("model"), "<p class=\"warning\">said</p>");
    }

    #[test]
    fn what_is_shown_is_escaped() {
        let picture = Picture { title: "<b>".into(), about: "\"quoted\"".into(), drawing: Drawing::Png(vec![1, 2, 3]) };
        let shown = figure(&picture).into_string();
        assert!(
            shown.contains("&lt;b&gt;") && shown.contains("&quot;quoted&quot;") && shown.contains("base64,AQID"),
            "{shown}"
        );
    }
}
