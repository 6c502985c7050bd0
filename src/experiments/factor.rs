//! Factors: the keys of a network file that an experiment varies, and the values that they take.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::error::{ExperimentError, at};
use super::keys::{Place, in_quotes, path_of, place_of, quoted};
use tickless_core::number::Written;

/// The most values of a factor.
const MOST_LEVELS: usize = 10_000;
/// The mark that stands for the number in a text.
pub(super) const HOLE: &str = "{}";

/// A key of a network file that an experiment varies.
///
/// ```
/// # use tickless_experiments::facade as tickless;
/// use tickless::experiments::Experiment;
/// let experiment = Experiment::from_toml("
///     station = [{ name = 'desk', service = 'exponential:2' }]
///     source = [{ name = 'in', interval = 'exponential:1', to = 'desk' }]
///     sink = [{ name = 'out' }]
///     route = [{ from = 'desk', to = 'out' }]
///     experiment = { factors = { station.desk.servers = [3, 4], until = { from = 50, to = 150, levels = 3 } } }
/// ")?;
/// let factors: Vec<_> = experiment.factors().iter().map(|factor| (factor.name(), factor.levels())).collect();
/// assert_eq!(factors, [("station.desk.servers", 2), ("until", 3)]);
/// # Ok::<(), tickless::experiments::ExperimentError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Factor {
    pub(super) name: String,
    pub(super) line: usize,
    pub(super) place: Place,
    values: Values,
}

/// The table of factors, as [`factors_of`] reads it.
pub enum Varied {}

/// A range of a factor, as [`factors_of`] reads it.
enum Range {}

impl JsonSchema for Varied {
    fn schema_name() -> Cow<'static, str> {
        "Varied".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let (range, below) = (generator.subschema_for::<Range>(), generator.subschema_for::<Self>());
        let list = json_schema!({
            "type": "array",
            "minItems": 1,
            "description": "Whatever the key takes, as `[2, 3, 4]`: numbers, laws, whole lists.",
        });
        json_schema!({
            "type": "object",
            "description": "The values of keys by their paths.",
            "additionalProperties": {
                "description": "The values of a key: a list of them, a range, or a table of further keys.",
                "anyOf": [list, range, below],
            },
        })
    }
}

impl JsonSchema for Range {
    fn schema_name() -> Cow<'static, str> {
        "Range".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "object",
            "description": "Numbers from one to another: with `step` so far apart, with `levels` so many, evenly. Without either it is any \
                            number, a whole one where both are whole: for a Latin hypercube, a Sobol sequence, or, of whole numbers, an \
                            optimization.",
            "properties": {
                "from": { "type": "number", "description": "The first.", "examples": [0.5] },
                "to": { "type": "number", "description": "The last.", "examples": [2] },
                "step": { "type": "number", "description": "How far apart they are.", "examples": [0.5] },
                "levels": { "type": "integer", "minimum": 2, "description": "How many there are.", "examples": [4] },
                "law": {
                    "type": "string",
                    "description": "A text in which the number takes the place of `{}`.",
                    "examples": ["exponential:{}"],
                },
            },
            "required": ["from", "to"],
            "additionalProperties": false,
        })
    }
}

/// The values of a factor.
#[derive(Clone, Debug, PartialEq)]
enum Values {
    /// A list of values.
    Levels(Vec<Level>),
    /// Any number between two, within a text or not.
    Span { from: f64, to: f64, whole: bool, law: Option<String> },
}

/// A value of a factor.
///
/// ```
/// # use tickless_experiments::facade as tickless;
/// use tickless::experiments::Level;
/// let level = Level { shown: "exponential:2".into(), number: None, written: "'exponential:2'".into() };
/// assert_eq!(level, level.clone());
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Level {
    /// The text in tables.
    pub shown: String,
    /// Its number, if it is a number, or a text with a number from a range of the file.
    pub number: Option<f64>,
    /// The text in the file.
    pub written: String,
}

impl Factor {
    /// A key whose values a program gives.
    pub(super) fn given(name: &str, place: Place) -> Self {
        Self { name: name.to_owned(), line: 0, place, values: Values::Levels(vec![]) }
    }

    /// The path of the key, as the file has it.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The number of its values; 0 for any number of a range.
    pub fn levels(&self) -> usize {
        match &self.values {
            Values::Levels(levels) => levels.len(),
            Values::Span { .. } => 0,
        }
    }

    /// Its values, in order; none for any number of a range.
    pub fn values(&self) -> impl Iterator<Item = Level> + '_ {
        (0..self.levels()).map(|number| self.value(number))
    }

    /// Its value at a place, from 0 on.
    ///
    /// # Panics
    /// Where it has fewer values.
    pub fn value(&self, number: usize) -> Level {
        match &self.values {
            Values::Levels(levels) => levels[number].clone(),
            Values::Span { .. } => self.at(0),
        }
    }

    /// With every whole number of a range as a value of its own.
    ///
    /// # Errors
    /// A range of any numbers, or of too many.
    pub(super) fn with_levels(self) -> Result<Self, String> {
        let Values::Span { from, to, whole, law } = &self.values else { return Ok(self) };
        if !whole {
            return Err(
                "it takes any number of a range: add `levels` or `step`, or write `from` and `to` without a point"
                    .into(),
            );
        }
        let count = to - from + 1.0;
        if count > MOST_LEVELS as f64 {
            return Err(format!("it has {count} values; {MOST_LEVELS} are the most: add `step`"));
        }
        let levels = (0..count as usize).map(|place| of_number(from + place as f64, law.as_deref())).collect();
        Ok(Self { values: Values::Levels(levels), ..self })
    }

    /// The place of the value in the text, if the key stands there with one of the values.
    pub(super) fn place_in(&self, text: &str) -> Option<usize> {
        let value = |written: &str| -> Option<toml::Value> {
            toml::from_str::<toml::Table>(&format!("v = {written}")).ok()?.remove("v")
        };
        let found = value(self.place.value(text))?;
        let number = |value: &toml::Value| value.as_float().or(value.as_integer().map(|number| number as f64));
        self.values().position(|level| {
            let known = value(&level.written);
            known.as_ref() == Some(&found)
                || known.as_ref().and_then(number).is_some_and(|known| Some(known) == number(&found))
        })
    }

    /// Its value at a fraction of its range, in parts of 2^-32.
    pub(super) fn at(&self, part: u32) -> Level {
        match &self.values {
            Values::Levels(levels) => levels[((u64::from(part) * levels.len() as u64) >> 32) as usize].clone(),
            Values::Span { from, to, whole, law } => {
                let share = f64::from(part) / 4_294_967_296.0;
                let number = if *whole {
                    from + (share * (to - from + 1.0)).floor()
                } else {
                    short(from + share * (to - from), 8)
                };
                of_number(number, law.as_deref())
            }
        }
    }
}

/// A number, in a text or not.
pub(super) fn of_number(number: f64, law: Option<&str>) -> Level {
    let shown = Written(number).to_string();
    match law {
        None => Level { written: shown.clone(), shown, number: Some(number) },
        Some(law) => {
            let text = law.replace(HOLE, &shown);
            Level { written: in_quotes(&text), shown: text, number: Some(number) }
        }
    }
}

/// A number with some digits behind the first.
fn short(number: f64, digits: usize) -> f64 {
    format!("{number:.digits$e}").parse().unwrap_or(number)
}

type Value<'a, 'i> = &'a Spanned<DeValue<'i>>;

/// The factors of a table, in the order of the file.
pub(super) fn factors_of(
    (text, file): (&str, &DeTable<'_>),
    table: Value<'_, '_>,
) -> Result<Vec<Factor>, ExperimentError> {
    let mut found = vec![];
    collect(text, table, &mut vec![], &mut found)?;
    found.sort_by_key(|(_, value)| value.span().start);
    let mut factors: Vec<Factor> = Vec::with_capacity(found.len());
    for (path, value) in found {
        let name = path.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(".");
        let fault = |fault: String| at(text, value.span(), format!("the factor {name}: {fault}"));
        let place = place_of(text, file, &path).map_err(fault)?;
        if path == ["seed"] {
            return Err(fault("every point has the same seeds: leave it out, and set `common_random_numbers`".into()));
        }
        let values = values_of(text, value).map_err(fault)?;
        let line = 1 + text[..value.span().start].matches('\n').count();
        factors.push(Factor { name, line, place, values });
    }
    Ok(factors)
}

/// The lists and ranges below a table, with their paths.
fn collect<'a, 'i>(
    text: &str,
    value: Value<'a, 'i>,
    path: &mut Vec<String>,
    found: &mut Vec<(Vec<String>, Value<'a, 'i>)>,
) -> Result<(), ExperimentError> {
    match value.get_ref() {
        DeValue::Table(table) if !is_range(table) => {
            for (key, inner) in table.iter() {
                // A key that is a path in quotes stands for that path.
                let words = if path.is_empty() && key.get_ref().contains('.') {
                    path_of(key.get_ref()).map_err(|fault| at(text, key.span(), fault))?
                } else {
                    vec![key.get_ref().to_string()]
                };
                let length = path.len();
                path.extend(words);
                collect(text, inner, path, found)?;
                path.truncate(length);
            }
            Ok(())
        }
        DeValue::Table(_) | DeValue::Array(_) => {
            found.push((path.clone(), value));
            Ok(())
        }
        _ => {
            let said = &text[value.span()];
            let name = path.join(".");
            let fault = format!(
                "the factor {name} is {said}; it must be a list of values, as [2, 3, 4], or a range, as {{ from = 2, to = 4, levels = 3 }}"
            );
            Err(at(text, value.span(), fault))
        }
    }
}

/// Whether a table is a range, and not a station or route of that name.
fn is_range(table: &DeTable<'_>) -> bool {
    table.get("from").is_some_and(|from| !from.get_ref().is_table())
}

fn values_of(text: &str, value: Value<'_, '_>) -> Result<Values, String> {
    match value.get_ref() {
        // Tables with headings have no text of a value.
        DeValue::Array(array)
            if array.iter().any(|value| value.get_ref().is_table() && text[value.span()].starts_with('[')) =>
        {
            Err("it is a list of tables with headings of their own: write its values behind the key, as [2, 3, 4]"
                .into())
        }
        DeValue::Array(array) => {
            let levels: Vec<Level> = array.iter().map(|value| level_of(text, value)).collect();
            match levels.len() {
                0 => Err("it has no value: give it some, as [2, 3, 4]".into()),
                count if count > MOST_LEVELS => Err(format!("it has {count} values; {MOST_LEVELS} are the most")),
                _ => match (1..levels.len()).find(|place| levels[..*place].contains(&levels[*place])) {
                    Some(place) => Err(format!("it has the value {} twice: leave one out", levels[place].shown)),
                    None => Ok(Values::Levels(levels)),
                },
            }
        }
        DeValue::Table(table) => range_of(table),
        _ => Err("it is no list".into()),
    }
}

fn level_of(text: &str, value: Value<'_, '_>) -> Level {
    let written = text[value.span()].to_owned();
    let shown = match value.get_ref() {
        DeValue::String(text) => text.to_string(),
        _ => written.split_whitespace().collect::<Vec<_>>().join(" "),
    };
    Level { shown, number: number_of(value.get_ref()), written }
}

fn number_of(value: &DeValue<'_>) -> Option<f64> {
    match value {
        DeValue::Integer(number) if number.radix() == 10 => number.as_str().parse().ok(),
        DeValue::Float(number) => number.as_str().parse().ok(),
        _ => None,
    }
    .filter(|number: &f64| number.is_finite())
}

fn range_of(table: &DeTable<'_>) -> Result<Values, String> {
    const KEYS: [&str; 5] = ["from", "to", "step", "levels", "law"];
    if let Some((key, _)) = table.iter().find(|(key, _)| !KEYS.contains(&key.get_ref().as_ref())) {
        return Err(format!("there is no key `{}` in a range; it may be one of {}", key.get_ref(), KEYS.join(", ")));
    }
    let get = |key| table.get(key).map(Spanned::get_ref);
    let number = |key: &str| match table.get(key).map(Spanned::get_ref) {
        None => Ok(None),
        Some(value) => number_of(value).map(Some).ok_or_else(|| format!("`{key}` must be a number")),
    };
    let (from, to, step, count) = (number("from")?, number("to")?, number("step")?, number("levels")?);
    let (Some(from), Some(to)) = (from, to) else { return Err("a range has both `from` and `to`".into()) };
    if from >= to {
        return Err(format!("it goes from {from} to {to}; `to` must be above `from`"));
    }
    let law = match get("law") {
        None => None,
        Some(DeValue::String(law)) if law.contains(HOLE) => Some(law.to_string()),
        Some(_) => {
            return Err(format!("`law` must be a text with {HOLE} where the number goes, as \"exponential:{HOLE}\""));
        }
    };
    let whole = ["from", "to"].iter().all(|key| get(key).is_some_and(DeValue::is_integer));
    let all = |count: usize, each: &dyn Fn(usize) -> f64| {
        // Three steps of 0.1 are 0.3, and not 0.30000000000000004.
        Values::Levels((0..count).map(|place| of_number(short(each(place), 12), law.as_deref())).collect())
    };
    match (step, count) {
        (Some(_), Some(_)) => Err("it has both `step` and `levels`: leave one out".into()),
        (Some(step), None) => {
            let steps = (to - from) / step;
            let is_few = step > 0.0 && steps < MOST_LEVELS as f64;
            if !is_few {
                return Err(format!("`step` is {step}; it must be above 0 and give {MOST_LEVELS} values at the most"));
            }
            // A step of 0.1 ends at 1 although ten such steps are not quite 1.
            let count = (steps + 1e-9).floor() as usize + 1;
            Ok(all(count, &|place| from + step * place as f64))
        }
        (None, Some(count)) => {
            if count.fract() != 0.0 || !(2.0..=MOST_LEVELS as f64).contains(&count) {
                return Err(format!("`levels` is {count}; it must be a whole number from 2 to {MOST_LEVELS}"));
            }
            let steps = count - 1.0;
            if whole && ((to - from) / steps).fract() != 0.0 {
                return Err(format!(
                    "{count} values from {from} to {to} are not all whole: write one of the two with a point, as {from}.0, or change `levels`"
                ));
            }
            Ok(all(count as usize, &|place| from + (to - from) * (place as f64 / steps)))
        }
        (None, None) => Ok(Values::Span { from, to, whole, law }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_numbers_as_people_write_them() {
        for (range, expected) in [
            ("{ from = 0.1, to = 0.5, step = 0.1 }", "0.1 0.2 0.3 0.4 0.5"),
            ("{ from = 0.0, to = 1.0, levels = 4 }", "0 0.3333333333333 0.6666666666667 1"),
            ("{ from = 2, to = 8, step = 3 }", "2 5 8"),
        ] {
            let text = format!("range = {range}");
            let table = DeTable::parse(&text).unwrap();
            let Values::Levels(levels) = range_of(table.get_ref()["range"].get_ref().as_table().unwrap()).unwrap()
            else {
                panic!("{range} has no levels")
            };
            let shown: Vec<&str> = levels.iter().map(|level| level.shown.as_str()).collect();
            assert_eq!(shown.join(" "), expected, "{range}");
        }
    }

    #[test]
    fn tables_with_headings_are_no_values() {
        let text = "until = 9\n[[station]]\nname = 'a'\nservice = 'constant:1'\ntokens = 1\n[[route]]\nfrom = 'a'\nto = 'a'\n\
                    [experiment.factors]\nstation.a.servers = [1, 2]\n[[experiment.factors.station.a.cost]]\nserver = 1\n";
        let error = crate::Experiment::from_toml(text).map(|_| ()).unwrap_err().to_string();
        let said = "line 11: the factor station.a.cost: it is a list of tables with headings of their own: ";
        assert!(error.starts_with(said), "{error}");
        let inline =
            text.replace("[[experiment.factors.station.a.cost]]\nserver = 1", "station.a.cost = [{ server = 1 }]");
        assert!(crate::Experiment::from_toml(&inline).is_ok_and(|one| one.factors()[1].levels() == 1));
    }
}
