//! `tickless kernels`: the modules of every kernel, and its whole WGSL.

mod samples;

use std::collections::BTreeMap;
use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::output::{print, write_into};
use super::{CommandError, Ending};
use tickless_device::{AdapterDescription, Kernel};
use tickless_engine::round_program;
use tickless_error::RunError;

/// The arguments of `tickless kernels`.
#[derive(Debug, Args)]
pub struct KernelsArguments {
    /// Print the whole WGSL of this kernel, as the list names it
    #[arg(value_name = "NAME", conflicts_with = "write")]
    name: Option<String>,
    /// How 64-bit words are made: by the adapter, or of two of 32 bits
    #[arg(long, value_name = "FORM", default_value = "native")]
    form: Form,
    /// Reduce over workgroups by subgroups of 32 threads
    #[arg(long)]
    subgroups: bool,
    /// Write the WGSL of every kernel into this folder, each text once
    #[arg(long, value_name = "FOLDER")]
    write: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Form {
    Native,
    Words,
}

/// A kernel of the list: one text, which several models may share.
struct Entry {
    /// Its label; if others have the same label, with the first of its models, and a number if that is not enough.
    name: String,
    kernel: Kernel,
    models: Vec<String>,
}

/// Lists kernels, prints one or writes all.
///
/// # Errors
/// An unknown name, or a file that cannot be written.
pub fn run(arguments: &KernelsArguments) -> Result<Ending, CommandError> {
    let entries = entries(matches!(arguments.form, Form::Native), if arguments.subgroups { 32 } else { 0 })?;
    match (&arguments.name, &arguments.write) {
        (Some(name), _) => print(&find(name, &entries)?.kernel.source)?,
        (None, Some(folder)) => {
            let file = |entry: &Entry| (format!("{}.wgsl", entry.name.replace('/', ".")), entry.kernel.source.clone());
            return write_into(folder, entries.iter().map(file).collect());
        }
        (None, None) => print(&list(&entries))?,
    }
    Ok(Ending::Done)
}

/// Every kernel of every model for an adapter, by label; kernels of one text are one entry.
fn entries(int64: bool, subgroup_size: u32) -> Result<Vec<Entry>, CommandError> {
    let adapter = AdapterDescription::imagined(int64, subgroup_size);
    let mut entries: Vec<Entry> = vec![];
    let samples = samples::samples(&adapter).map_err(|problem| usage(problem.to_string()))?;
    for (model, parts) in samples {
        let program = round_program(parts, &adapter).map_err(RunError::from)?;
        for kernel in program.kernels {
            let same = |entry: &&mut Entry| entry.kernel.label == kernel.label && entry.kernel.source == kernel.source;
            match entries.iter_mut().find(same) {
                Some(entry) if entry.models.contains(&model) => {}
                Some(entry) => entry.models.push(model.clone()),
                None => entries.push(Entry { name: String::new(), kernel, models: vec![model.clone()] }),
            }
        }
    }
    entries.sort_by(|a, b| (&a.kernel.label, &a.models).cmp(&(&b.kernel.label, &b.models)));
    let mut numbers = BTreeMap::new();
    for place in 0..entries.len() {
        let Entry { kernel, models, .. } = &entries[place];
        let alone = entries.iter().filter(|other| other.kernel.label == kernel.label).count() == 1;
        let name = if alone { kernel.label.clone() } else { format!("{}@{}", kernel.label, models[0]) };
        let number = numbers.entry(name.clone()).and_modify(|number| *number += 1).or_insert(1);
        entries[place].name = if *number == 1 { name } else { format!("{name}#{number}") };
    }
    Ok(entries)
}

fn usage(message: String) -> CommandError {
    CommandError::Usage { message }
}

/// The kernel of a name in the list, of a label that only one kernel has, or of a label and any of its models.
fn find<'a>(name: &str, entries: &'a [Entry]) -> Result<&'a Entry, CommandError> {
    let (label, model) = name.split_once('@').unwrap_or((name, ""));
    let asked = |entry: &&Entry| {
        entry.kernel.label == label && (model.is_empty() || entry.models.iter().any(|other| other == model))
    };
    if let Some(entry) = entries.iter().find(|entry| entry.name == name) {
        return Ok(entry);
    }
    let found: Vec<_> = entries.iter().filter(asked).collect();
    match found[..] {
        [entry] => Ok(entry),
        [] => Err(usage(format!("there is no kernel '{name}': tickless kernels lists those that there are"))),
        _ => {
            let names = found.iter().map(|entry| entry.name.as_str()).collect::<Vec<_>>().join(", ");
            Err(usage(format!("'{name}' is made in several ways: name one of {names}")))
        }
    }
}

fn list(entries: &[Entry]) -> String {
    let mut text = String::new();
    for Entry { name, kernel, models } in entries {
        text += &format!("{name}\n  bytes    {}\n", kernel.source.len());
        let bindings: Vec<_> = kernel.bindings.iter().map(|binding| binding.name.as_str()).collect();
        for (title, words) in [
            ("buffers", bindings),
            ("models", models.iter().map(String::as_str).collect()),
            ("modules", kernel.modules.iter().map(String::as_str).collect()),
        ] {
            text += &wrapped(title, &words);
        }
    }
    text
}

/// A title with words after it, in lines of 100 characters.
fn wrapped(title: &str, words: &[&str]) -> String {
    let mut text = format!("  {title:<9}");
    let mut length = text.len();
    for (place, word) in words.iter().enumerate() {
        if length + word.len() > 100 {
            text.truncate(text.trim_end().len());
            text += "\n           ";
            length = 11;
        }
        text += word;
        text += if place + 1 < words.len() { " " } else { "" };
        length += word.len() + 1;
    }
    text + "\n"
}
