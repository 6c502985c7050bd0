//! Models for packages of other languages: cases of the command without their types, made of options by name. A run is on a device that
//! is open already, and keeps what the command would print and write until somebody asks for it.

mod fault;
mod options;
mod runs;

use std::path::Path;

use clap::{Arg, Args as _, Command};
use tickless_core::run::Watch;
use tickless_device::Device;
use tickless_queueing::{NetworkModel, NetworkOutcome};

use super::CommandError;
use super::arguments::{DeviceArguments, parsed};
use super::case::{self, Case};
pub use fault::Fault;
use options::matched;
use runs::{Made, Whole};

/// An option by its name, with `_` for `-`, and its values; a flag has none.
pub type Given = (String, Vec<String>);
/// Makes the command of a case, with its words.
pub type Make = fn() -> (Command, String);

/// A model that is checked and ready to run.
pub trait Prepared: Send + Sync {
    /// Whether `auto` prefers a GPU to the heap.
    fn suits_a_gpu(&self) -> bool;

    /// Runs it on a device, or without one on the heap.
    ///
    /// # Errors
    /// As the command, for options that the backend does not have, for too little memory and in the run.
    fn run(
        self: Box<Self>,
        on: (&'static str, Option<&'static dyn Device>),
        watch: &mut dyn Watch,
    ) -> Result<Box<dyn Ran>, CommandError>;
}

/// A run, and what the command would print and write of it.
pub trait Ran: Send + Sync {
    /// The name of the backend, and that of the adapter if there is one.
    fn backend(&self) -> (&'static str, Option<&str>);
    /// How many there were.
    fn events(&self) -> u64;
    /// Seconds from the first event to the last, and seconds before.
    fn seconds(&self) -> [f64; 2];
    /// In hexadecimal.
    fn digest(&self) -> String;
    /// What the command notes.
    fn notes(&self) -> Vec<String>;
    /// The model and the outcomes, of a network.
    fn network(&self) -> Option<(&NetworkModel, &[NetworkOutcome])>;
    /// The result as the command prints it for people, and with `--format json`.
    ///
    /// # Errors
    /// Too little memory.
    fn texts(&self) -> Result<[String; 2], CommandError>;
    /// The beginning of the page of `--report`, in a frame.
    ///
    /// # Errors
    /// Too little memory.
    fn frame(&self) -> Result<String, CommandError>;
    /// Writes the page of `--report`.
    ///
    /// # Errors
    /// A file that cannot be written.
    fn report(&self, path: &Path) -> Result<(), CommandError>;
    /// Writes the file of an option of the command to its path, or returns its contents.
    ///
    /// # Errors
    /// An option that is none of a file; what the run has not kept for it; a file that cannot be written.
    fn file(&self, given: &[Given], is_written: bool) -> Result<Vec<u8>, CommandError>;
    /// The same model once more.
    ///
    /// # Errors
    /// Files that were read and have changed.
    fn again(&self) -> Result<Box<dyn Prepared>, CommandError>;
}

/// The only option of devices that a package does not choose itself.
const THREADS: &str = "threads";

/// A case that other threads may have.
pub trait Held:
    Case<Outcome: Send + Sync + 'static, Details: Send + Sync, Options: Send + Sync> + Send + Sync + 'static
{
}
impl<C: Case<Outcome: Send + Sync + 'static, Details: Send + Sync, Options: Send + Sync> + Send + Sync + 'static> Held
    for C
{
}

/// The model of a case, with options of its command, and with arguments that no option has.
///
/// # Errors
/// As the command.
pub fn prepared<C: Held>(
    make: Make,
    given: &[Given],
    change: impl FnOnce(C::Arguments) -> C::Arguments,
) -> Result<Box<dyn Prepared>, CommandError> {
    let allowed = C::Options::augment_args(C::Arguments::augment_args(Command::new("")));
    let (matches, words) = matched(make(), given, &allowed.arg(Arg::new(THREADS).long(THREADS)))?;
    let (arguments, options) = (change(parsed(&matches)?), parsed(&matches)?);
    let threads = matches.get_one(THREADS).copied();
    case::check_threads::<C>(&DeviceArguments { threads, ..DeviceArguments::default() })?;
    let case = C::prepare(arguments, &options, &C::Files::default())?;
    Ok(Box::new(Whole { case, options, threads, made: Made { make, words }, is_repeated: false }))
}
