//! The models that packages of other languages have.

use clap::Command;

use super::fire::FireCase;
use super::network::{FileArguments, FileCase};
use super::phold::PholdCase;
use super::rules::RulesCase;
use super::search::SearchCase;
use super::torus::TorusCase;
use super::watershed::WatershedCase;
use crate::CommandError;
use crate::case::Case;
use crate::embedded::{Given, Held, Prepared, prepared};

/// Makes a model of options.
type Prepare = fn(&[Given]) -> Result<Box<dyn Prepared>, CommandError>;

/// By their names.
static FAMILIES: [(&str, Prepare); 6] = [
    (TorusCase::NAME, of::<TorusCase>),
    (PholdCase::NAME, of::<PholdCase>),
    (SearchCase::NAME, of::<SearchCase>),
    (FireCase::NAME, of::<FireCase>),
    (WatershedCase::NAME, of::<WatershedCase>),
    (RulesCase::NAME, of::<RulesCase>),
];

/// The model of a family, with options of its command.
///
/// # Errors
/// An option that the family has not, its values and files, as the command refuses them.
pub fn prepare_family(family: &str, given: &[Given]) -> Result<Box<dyn Prepared>, CommandError> {
    let Some((_, prepare)) = FAMILIES.iter().find(|(name, _)| *name == family) else {
        let names = FAMILIES.map(|(name, _)| name).join(", ");
        return Err(CommandError::Usage { message: format!("'{family}' is none of {names}") });
    };
    prepare(given)
}

/// The model of a network file with this text, which is not read, with options of its command.
///
/// # Errors
/// As the command.
pub fn prepare_network(file: &str, text: String, given: &[Given]) -> Result<Box<dyn Prepared>, CommandError> {
    let file = ("file".to_owned(), vec![file.to_owned()]);
    let all: Vec<Given> = [file].into_iter().chain(given.iter().cloned()).collect();
    prepared::<FileCase>(command::<FileCase>, &all, |arguments: FileArguments| arguments.with_text(text))
}

fn of<C: Held>(given: &[Given]) -> Result<Box<dyn Prepared>, CommandError> {
    prepared::<C>(command::<C>, given, |arguments| arguments)
}

/// The command of a case, and its words.
fn command<C: Case>() -> (Command, String) {
    let commands = super::named(C::NAME);
    let of = |commands: &super::Commands| (commands.run_command(), commands.words());
    commands.map_or_else(|| (Command::new(C::NAME), C::NAME.into()), of)
}
