//! The arguments of `tickless experiment phold` and the like.

use std::collections::HashSet;

use clap::builder::{NonEmptyStringValueParser, Styles};
use clap::{Arg, Args, Command};
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::CommandError;
use crate::arguments::{allowed, within};
use crate::cases::study::points::GridFactor;
use crate::stored::in_words;
use tickless_core::reading::names;
use tickless_experiments::Level;

/// The most runs.
const MOST_RUNS: usize = 100_000;
/// The default number of runs of each point.
const SEEDS: u32 = 5;
/// The most runs of a point.
const MOST_SEEDS: u32 = 10_000;
/// The option that a pilot may find, and the word for it.
const WARMUP: &str = "warmup";
const AUTO: &str = "auto";
/// The option that tells replications apart.
const SEED: &str = "seed";

/// The options of a model, and which of them are varied.
#[derive(Clone, Debug, Args, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[serde(bound(serialize = "A: Serialize", deserialize = "A: DeserializeOwned"))]
pub struct SweepArguments<A: Args> {
    /// The options of the model, as in its own results.
    #[command(flatten)]
    #[schemars(with = "Map<String, Value>")]
    pub model: A,
    /// An option of the model and its values, as in lookahead=0.1,0.5, or with semicolons where values have commas; several of
    /// these make every combination
    #[arg(long, value_name = "OPTION=VALUES", required = true, help_heading = "Experiment")]
    #[arg(value_parser = NonEmptyStringValueParser::new())]
    pub vary: Vec<String>,
    /// Runs of each point, with seeds one after the other from --seed on [default: 5, or 1 where nothing is drawn]
    #[arg(long, value_name = "N", value_parser = within(1..=MOST_SEEDS), help_heading = "Experiment")]
    pub seeds: Option<u32>,
    /// What is measured, by the names of numbers of the model's JSON result, as in events,pending
    /// [default: events, and the numbers of its statistics]
    #[arg(long, value_name = "FIELDS", value_delimiter = ',', help_heading = "Experiment")]
    pub measures: Vec<String>,
}

fn usage(message: String) -> CommandError {
    CommandError::Usage { message }
}

/// Reads `lookahead=0.1,0.5`: an option as typed, without dashes in front, and its values.
fn parse(text: &str) -> Result<GridFactor, CommandError> {
    let Some((name, values)) = text.split_once('=').filter(|(name, _)| !name.trim().is_empty()) else {
        return Err(usage(format!("--vary is '{text}'; it must be an option and its values, as lookahead=0.1,0.5")));
    };
    let name = name.trim().trim_start_matches('-').to_owned();
    let level = |value: &str| {
        let shown = value.trim().to_owned();
        let number = shown.parse().ok().filter(|number: &f64| number.is_finite());
        Level { number, written: shown.clone(), shown }
    };
    // Semicolons separate values that have commas themselves.
    let between = if values.contains(';') { ';' } else { ',' };
    let levels: Vec<Level> = values.split(between).map(level).collect();
    let mut known = HashSet::new();
    if let Some(level) = levels.iter().find(|level| level.shown.is_empty() || !known.insert(&level.shown)) {
        let what = if level.shown.is_empty() { "an empty value".into() } else { format!("{} twice", level.shown) };
        return Err(usage(format!("--vary {name} has {what}: give each value a single time, with commas between")));
    }
    Ok(GridFactor { name, levels })
}

/// An option as the arguments of a result name it.
fn key(option: &GridFactor) -> String {
    option.name.replace('-', "_")
}

impl<A: Args + Serialize + DeserializeOwned> SweepArguments<A> {
    /// The varied options.
    ///
    /// # Errors
    /// [`CommandError::Usage`]: an option that the model does not have, and the like.
    pub fn options(&self) -> Result<Vec<GridFactor>, CommandError> {
        self.seeds.map_or(Ok(()), |given| allowed("--seeds", given, within(1..=MOST_SEEDS)))?;
        let twice = (1..self.measures.len()).find(|place| self.measures[..*place].contains(&self.measures[*place]));
        if let Some(place) = twice {
            return Err(usage(format!("--measures has {} twice: leave one out", self.measures[place])));
        }
        if self.vary.is_empty() {
            return Err(usage("--vary is missing: name an option and its values, as lookahead=0.1,0.5".into()));
        }
        let options = self.vary.iter().map(|text| parse(text)).collect::<Result<Vec<_>, _>>()?;
        let model = self.value();
        let known = keys(&model);
        for (place, option) in options.iter().enumerate() {
            let key = key(option);
            if key == SEED {
                return Err(usage("--vary has seed: every point has the same seeds, as many as --seeds says".into()));
            }
            if options[..place].iter().any(|other| self::key(other) == key) {
                return Err(usage(format!("--vary has {} twice: give all its values together", option.name)));
            }
            if !known.contains(&key) {
                let names: Vec<String> = known.iter().map(|key| key.replace('_', "-")).collect();
                let all = names.iter().map(String::as_str).filter(|name| *name != SEED);
                let meant = names::meant(&option.name, all.clone());
                let meant = meant.map(|meant| format!("; '{meant}' is probably meant")).unwrap_or_default();
                let all = all.collect::<Vec<_>>().join(", ");
                return Err(usage(format!("--vary has '{}', which is none of {all}{meant}", option.name)));
            }
        }
        self.check_conflicts(&options)?;
        let is_auto = |level: &Level| level.written == AUTO;
        let is_swept = options.iter().any(|option| key(option) == WARMUP && option.levels.iter().any(is_auto));
        if is_swept || find(&model, WARMUP).and_then(Value::as_str) == Some(AUTO) {
            return Err(usage("--warmup auto is found by a pilot of one run: give a number here".into()));
        }
        let points = options.iter().fold(1_usize, |all, option| all.saturating_mul(option.levels.len()));
        let each = self.seeds.unwrap_or(SEEDS);
        let runs = points.saturating_mul(each as usize);
        if runs > MOST_RUNS {
            return Err(usage(format!(
                "{points} points with {each} seeds each are {runs} runs; {MOST_RUNS} are the most"
            )));
        }
        Ok(options)
    }

    /// Refuses an option that the command line refuses beside another given option.
    fn check_conflicts(&self, options: &[GridFactor]) -> Result<(), CommandError> {
        let command = A::augment_args(Command::new("model").no_binary_name(true));
        let defaults = command.clone().try_get_matches_from([""; 0]).ok();
        let defaults = defaults.and_then(|matches| serde_json::to_value(A::from_arg_matches(&matches).ok()?).ok());
        let (defaults, model) = (defaults.unwrap_or_default(), self.value());
        let key_of = |arg: &Arg| arg.get_id().as_str().replace('-', "_");
        let is_given = |other: &&Arg| {
            let other = key_of(other);
            let value = find(&model, &other).filter(|value| !value.is_null());
            value.is_some() && value != find(&defaults, &other) || options.iter().any(|option| key(option) == other)
        };
        for option in options {
            let Some(arg) = command.get_arguments().find(|arg| key_of(arg) == key(option)) else { continue };
            let conflicts = |one: &Arg, other: &Arg| {
                command.get_arg_conflicts_with(one).iter().any(|known| known.get_id() == other.get_id())
            };
            let mut others = command.get_arguments().filter(|other| conflicts(arg, other) || conflicts(other, arg));
            if let Some(other) = others.find(is_given) {
                let (name, other) = (&option.name, other.get_id().as_str().replace('_', "-"));
                return Err(usage(format!("--vary {name} cannot be used with --{other}: leave one of them out")));
            }
        }
        Ok(())
    }

    fn value(&self) -> Value {
        serde_json::to_value(&self.model).unwrap_or_default()
    }

    /// Takes the default of seeds, and refuses several where nothing is drawn.
    pub fn settle_seeds(&mut self, is_drawn: bool) -> Result<u32, CommandError> {
        let seeds = *self.seeds.get_or_insert(if is_drawn { SEEDS } else { 1 });
        if is_drawn || seeds == 1 {
            return Ok(seeds);
        }
        Err(usage("nothing is drawn in this model, so all seeds are the same: leave --seeds out".into()))
    }

    /// The arguments of the model with these values, and the seed of this number. `command` is named where its help has more.
    ///
    /// # Errors
    /// A value that the option does not accept.
    pub fn with(
        &self,
        options: &[GridFactor],
        settings: &[Level],
        seed: u32,
        command: &str,
    ) -> Result<A, CommandError> {
        let mut model = self.value();
        for (option, level) in options.iter().zip(settings) {
            set(&mut model, &key(option), self.value_of(option, level, command)?);
        }
        if seed > 0 {
            let first = find(&model, SEED).and_then(Value::as_u64).unwrap_or(1);
            set(&mut model, SEED, first.wrapping_add(seed.into()).into());
        }
        A::deserialize(&model).map_err(|error| usage(error.to_string()))
    }

    /// A value as the arguments of a result have it: unchanged, or as a text, or as the command line reads it.
    fn value_of(&self, option: &GridFactor, level: &Level, command: &str) -> Result<Value, CommandError> {
        let (key, text) = (key(option), Value::from(level.written.clone()));
        let plain = serde_json::from_str(&level.written).ok().filter(|value: &Value| !value.is_object());
        let mut said = None;
        for value in plain.into_iter().chain([text]) {
            let mut model = self.value();
            set(&mut model, &key, value.clone());
            match A::deserialize(&model) {
                Ok(_) => return Ok(value),
                Err(error) => said = said.or(Some(in_words(&error))),
            }
        }
        let model = A::augment_args(Command::new("model").no_binary_name(true));
        let alone = model.styles(Styles::plain()).mut_args(|arg| arg.required(false));
        let words = [format!("--{}={}", key.replace('_', "-"), level.written)];
        let matches =
            alone.try_get_matches_from(words).map_err(|error| CommandError::usage(&error, &[command.into()], &[]))?;
        let read = A::from_arg_matches(&matches).ok().and_then(|model| serde_json::to_value(model).ok());
        read.and_then(|model| find(&model, &key).cloned())
            .ok_or_else(|| usage(format!("--vary {} has {}{}", option.name, level.shown, said.unwrap_or_default())))
    }
}

/// The names of all values of an object and of nested objects.
fn keys(value: &Value) -> Vec<String> {
    let of_field = |(key, value): (&String, &Value)| if value.is_object() { keys(value) } else { vec![key.clone()] };
    value.as_object().into_iter().flatten().flat_map(of_field).collect()
}

fn find<'a>(value: &'a Value, key: &str) -> Option<&'a Value> {
    let fields = value.as_object()?;
    fields.get(key).or_else(|| fields.values().find_map(|value| find(value, key)))
}

fn set(value: &mut Value, key: &str, to: Value) {
    let Some(fields) = value.as_object_mut() else { return };
    match fields.get_mut(key) {
        Some(found) => *found = to,
        None => fields.values_mut().for_each(|value| set(value, key, to.clone())),
    }
}
