//! Cells of a result: their arguments, and the files that they were read from.

use std::path::Path;

use serde_json::Value;

use super::fields::field;
use crate::cli::CommandError;
use crate::cli::cells::{
    FireKind, FireModelArguments, InputFile, Kind, RulesKind, RulesModelArguments, WatershedKind,
    WatershedModelArguments,
};

/// Cells that are to run again.
pub enum Cells {
    Fire(FireKind),
    Rules(RulesKind),
    Watershed(WatershedKind),
}

impl Cells {
    /// The cells of a result. Paths are taken from the working directory, as in the run.
    ///
    /// # Errors
    /// A field that is missing or wrong, a file that is missing or has changed, and what is wrong with the model.
    pub fn read(result: &Path, value: &Value) -> Result<Self, CommandError> {
        let fail = |fault: String| CommandError::NoResult { path: result.to_owned(), fault };
        let kind: String = field(value, "kind").map_err(fail)?;
        let inputs: Vec<InputFile> = field(value, "inputs").map_err(fail)?;
        let cells = match kind.as_str() {
            "fire" => {
                let arguments = fire(value).map_err(fail)?;
                check(result, &inputs)?;
                Self::Fire(arguments.kind()?)
            }
            "rules" => {
                let arguments = rules(value).map_err(fail)?;
                check(result, &inputs)?;
                Self::Rules(arguments.kind()?)
            }
            "watershed" => {
                let arguments = watershed(value).map_err(fail)?;
                check(result, &inputs)?;
                Self::Watershed(arguments.kind()?)
            }
            _ => return Err(fail(format!("its kind is '{kind}', none of fire, rules and watershed"))),
        };
        if cells.inputs() != inputs {
            return Err(fail("its `arguments` and its `inputs` name different files".into()));
        }
        Ok(cells)
    }

    fn inputs(&self) -> &[InputFile] {
        match self {
            Self::Fire(kind) => kind.inputs(),
            Self::Rules(kind) => kind.inputs(),
            Self::Watershed(kind) => kind.inputs(),
        }
    }
}

/// Refuses files that are no longer what the run read.
fn check(result: &Path, inputs: &[InputFile]) -> Result<(), CommandError> {
    for input in inputs {
        let path = Path::new(&input.path);
        let (found, _) = InputFile::read(path).map_err(|source| CommandError::InputFile {
            path: path.to_owned(),
            result: result.to_owned(),
            source,
        })?;
        if found.sha256 != input.sha256 {
            return Err(CommandError::InputChanged {
                path: path.to_owned(),
                result: result.to_owned(),
                expected: input.sha256.clone(),
                found: found.sha256,
            });
        }
    }
    Ok(())
}

fn fire(value: &Value) -> Result<FireModelArguments, String> {
    Ok(FireModelArguments {
        fuel: field(value, "arguments.fuel")?,
        elevation: field(value, "arguments.elevation")?,
        suppressed: field(value, "arguments.suppressed")?,
        side: field(value, "arguments.side")?,
        weather: field(value, "arguments.weather")?,
        random_weather: field(value, "arguments.random_weather")?,
        ignite: field(value, "arguments.ignite")?,
        ignitions: field(value, "arguments.ignitions")?,
        wind_limit: field(value, "arguments.wind_limit")?,
        until: field(value, "arguments.until")?,
        replications: field(value, "arguments.replications")?,
        seed: field(value, "arguments.seed")?,
    })
}

fn rules(value: &Value) -> Result<RulesModelArguments, String> {
    Ok(RulesModelArguments {
        file: field(value, "arguments.file")?,
        until: field(value, "arguments.until")?,
        replications: field(value, "arguments.replications")?,
        seed: field(value, "arguments.seed")?,
        room: Some(field(value, "arguments.room")?),
    })
}

fn watershed(value: &Value) -> Result<WatershedModelArguments, String> {
    Ok(WatershedModelArguments {
        terrain: field(value, "arguments.terrain")?,
        side: field(value, "arguments.side")?,
        seed: field(value, "arguments.seed")?,
        rain: field(value, "arguments.rain")?,
        hours: field(value, "arguments.hours")?,
        soil: field(value, "arguments.soil")?,
        flow: field(value, "arguments.flow")?,
        step: field(value, "arguments.step")?,
        until: field(value, "arguments.until")?,
    })
}
