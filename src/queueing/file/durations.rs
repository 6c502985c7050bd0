//! Durations with units, as in `until = "4 h"` and `service = "exponential:20 min"`: in the text they become numbers of the file's time units.

use std::borrow::Cow;
use std::ops::Range;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::{FileError, line};
use crate::describe::words::microseconds;
use tickless_core::number::Written;
use tickless_core::random::ServiceLaw;

/// Numbers with units behind them.
const PATTERN: &str =
    "^ *([0-9.]+([eE][-+]?[0-9]+)? *(us|µs|ms|s|sec|seconds?|min|minutes?|h|hr|hours?|d|days?|weeks?) *)+$";
/// What a message says of them.
const ALLOWED: &str = "us, ms, s, min, h, day or week";

/// The keys of times, of laws of times, and of lists of pairs whose first is a time.
const TIMES: [&str; 14] = [
    "until",
    "warmup",
    "window",
    "approximate",
    "series_step",
    "fold",
    "fold_step",
    "period",
    "time_factors_period",
    "delay",
    "start",
    "targets",
    "batch_wait",
    "up_to",
];
const LAWS: [&str; 13] = [
    "law",
    "switching",
    "walking",
    "service",
    "interval",
    "patience",
    "setup",
    "off_after",
    "vacation",
    "starts_in",
    "up",
    "use",
    "down",
];
const STEPS: [&str; 3] = ["shifts", "rates", "time_factors"];

/// The text of a network file with numbers in place of durations that have units. Lines stay lines.
///
/// # Errors
/// A duration with a unit in a file that does not say how long its own is, or at a parameter of a law that is no time.
pub(super) fn in_time_units(text: &str) -> Result<Cow<'_, str>, FileError> {
    if !may_have_units(text) {
        return Ok(text.into());
    }
    // What is no TOML is refused by those who read it.
    let Ok(table) = DeTable::parse(text) else { return Ok(text.into()) };
    let table = table.get_ref();
    let unit = table.get("unit").and_then(|unit| unit.get_ref().as_str());
    let mut changes = Changes { text, unit, all: vec![] };
    for (key, value) in table {
        changes.walk(key.get_ref(), value)?;
    }
    changes.all.sort_by_key(|(place, _)| place.start);
    let mut changed = String::with_capacity(text.len());
    let mut end = 0;
    for (place, number) in &changes.all {
        changed.push_str(&text[end..place.start]);
        changed.push_str(number);
        end = place.end;
    }
    changed.push_str(&text[end..]);
    Ok(changed.into())
}

/// Whether a letter stands behind a number anywhere: most files have no units, and need no second look.
fn may_have_units(text: &str) -> bool {
    let mut is_behind = false;
    text.chars().any(|c| {
        // An escape may be either.
        let found = is_behind && (c.is_alphabetic() || c == '\\');
        is_behind = c.is_ascii_digit() || c == '.' || is_behind && c.is_whitespace();
        found
    })
}

/// What becomes of the text.
struct Changes<'a> {
    text: &'a str,
    unit: Option<&'a str>,
    all: Vec<(Range<usize>, String)>,
}

impl Changes<'_> {
    fn walk(&mut self, key: &str, value: &Spanned<DeValue<'_>>) -> Result<(), FileError> {
        // Experiments name keys by their paths.
        let key = key.rsplit('.').next().unwrap_or(key);
        match value.get_ref() {
            DeValue::Table(table) => table.iter().try_for_each(|(key, value)| self.walk(key.get_ref(), value)),
            DeValue::Array(pairs) if STEPS.contains(&key) => {
                // The first of each pair is a time, as `until` is.
                let firsts = pairs.iter().filter_map(|pair| pair.get_ref().as_array()?.first());
                firsts.into_iter().try_for_each(|first| self.walk(TIMES[0], first))
            }
            DeValue::Array(values) => values.iter().try_for_each(|value| self.walk(key, value)),
            DeValue::String(said) => {
                let place = value.span();
                // Of one line, so that faults behind it have their lines.
                if self.text[place.clone()].contains('\n') {
                    return Ok(());
                }
                let number = if TIMES.contains(&key) {
                    self.time(said)
                } else if LAWS.contains(&key) {
                    self.law(said)
                } else {
                    return Ok(());
                };
                let number = number.map_err(|fault| {
                    let line = line(self.text, place.clone());
                    FileError { line, fault: format!("{said:?} {fault}"), mark: None }
                })?;
                self.all.extend(number.map(|number| (place, number)));
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// A time in the file's units; `None` where a text is no number with anything behind it.
    fn time(&self, said: &str) -> Result<Option<String>, String> {
        if !said.trim_start().starts_with(|c: char| c.is_ascii_digit() || "+-.".contains(c)) {
            return Ok(None);
        }
        let wrong = || format!("is no time; write a number, or numbers with units as in \"1 h 30 min\", of {ALLOWED}");
        if !has_unit(said) {
            return Err(wrong());
        }
        self.in_units(said).map(Some)
    }

    /// A law with times in the file's units; `None` where none of them has a unit, and of what is no law of numbers.
    fn law(&self, said: &str) -> Result<Option<String>, String> {
        let Some((name, rest)) = said.split_once(':') else { return Ok(None) };
        let parts = || rest.split_inclusive([',', ';', '*']).map(|part| (part, part.trim_end_matches([',', ';', '*'])));
        let is_number = |part: &str| part.trim().parse::<f64>().is_ok();
        let all = parts().all(|(_, part)| has_unit(part) || is_number(part)) && ServiceLaw::is_name(name.trim());
        if !all || parts().all(|(_, part)| is_number(part)) {
            return Ok(None);
        }
        let (mut law, mut place, mut is_weight) = (format!("{}:", name.trim()), 0, false);
        for (part, number) in parts() {
            let is_time = !is_weight && ServiceLaw::takes_time(name.trim(), place);
            match has_unit(number) {
                true if is_time => law.push_str(&self.in_units(number)?),
                true => return Err(format!("has the unit of a time at '{}', which is none", number.trim())),
                false => law.push_str(number.trim()),
            }
            law.push_str(&part[number.len()..]);
            is_weight = part.ends_with('*');
            place += usize::from(!is_weight);
        }
        Ok(Some(format!("\"{law}\"")))
    }

    /// Numbers with units as one number of the file's units.
    fn in_units(&self, said: &str) -> Result<String, String> {
        let Some(unit) = self.unit else {
            return Err(
                "has a unit: say what a time unit is, as in `unit = \"min\"` at the top, or write a number".into()
            );
        };
        let sum = length(unit).and_then(|own| sum_of(said, own)).map(|sum| Written(sum).to_string());
        sum.ok_or_else(|| {
            format!(
                "has a unit, and `unit` is '{unit}', which is no known unit of time: let `unit` be {ALLOWED}, or write a number"
            )
        })
    }
}

fn length(unit: &str) -> Option<f64> {
    microseconds(unit).map(|length| length as f64)
}

fn has_unit(said: &str) -> bool {
    sum_of(said, 1.0).is_some()
}

/// Numbers with units behind them, added up, in units of this length; `None` of anything else.
fn sum_of(said: &str, own: f64) -> Option<f64> {
    let mut rest = said.trim();
    let mut sum = None;
    while !rest.is_empty() {
        let (number, behind) = rest.split_at(end_of_number(rest));
        let number: f64 = number.parse().ok()?;
        let behind = behind.trim_start();
        let (unit, behind) = behind.split_at(behind.find(|c: char| !c.is_alphabetic()).unwrap_or(behind.len()));
        let unit = length(unit)?;
        // The longer of two units is a whole number of the other: so 1.1 min are 66 s.
        let time = if unit >= own { number * (unit / own) } else { number / (own / unit) };
        sum = Some(sum.unwrap_or(0.0) + time);
        rest = behind.trim_start();
    }
    sum
}

/// Where a number of digits ends, with its exponent.
fn end_of_number(text: &str) -> usize {
    let digits =
        |from: usize| text[from..].find(|c: char| !c.is_ascii_digit() && c != '.').map_or(text.len(), |end| from + end);
    let end = digits(0);
    let exponent = text[end..].strip_prefix(['e', 'E']).map(|rest| rest.strip_prefix(['+', '-']).unwrap_or(rest));
    match exponent {
        Some(rest) if rest.starts_with(|c: char| c.is_ascii_digit()) => digits(text.len() - rest.len()),
        _ => end,
    }
}

/// The type of a time, for those who read the schema of a file.
pub(super) struct Duration;

impl JsonSchema for Duration {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Duration".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "anyOf": [{ "type": "number" }, { "type": "string", "pattern": PATTERN }] })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(line: &str, unit: &str) -> Result<String, String> {
        let text = format!("unit = '{unit}'\n{line}\n");
        let all = in_time_units(&text).map_err(|error| error.to_string())?;
        Ok(all.lines().nth(1).unwrap_or("").to_owned())
    }

    #[test]
    fn times_become_numbers_of_the_unit() {
        for (line, unit, expected) in [
            ("until = \"4 h\"", "min", "until = 240"),
            ("until = '1 h 30 min'  # a shift", "min", "until = 90  # a shift"),
            ("until = \"2weeks\"", "day", "until = 14"),
            ("until = \"1.5 s\"", "ms", "until = 1500"),
            ("until = \"20 min\"", "h", "until = 0.3333333333333333"),
            ("a = { delay = '10 µs', name = '4 h' }", "us", "a = { delay = 10, name = '4 h' }"),
            ("shifts = [[0, 2], ['8 h', 1]]", "min", "shifts = [[0, 2], [480, 1]]"),
            ("time_factors = [[0, 2], ['8 h', 1]]", "min", "time_factors = [[0, 2], [480, 1]]"),
            ("time_factors_period = '1 day'", "min", "time_factors_period = 1440"),
            ("service = 'exponential:20 min'", "h", "service = \"exponential:0.3333333333333333\""),
            ("service = 'uniform: 5 s, 1 min'", "s", "service = \"uniform:5,60\""),
            ("service = 'discrete:5 min*3,1 h'", "min", "service = \"discrete:5*3,60\""),
            ("service = 'erlang:3,1 h'", "min", "service = \"erlang:3,60\""),
            (
                "'source.in.interval' = ['exponential:1 h', 'constant:4']",
                "min",
                "'source.in.interval' = [\"exponential:60\", 'constant:4']",
            ),
            ("until = '1.1 min'", "s", "until = 66"),
            ("until = '1e3 s 2e-1s'", "s", "until = 1000.2"),
            ("until = '5\u{a0}h'", "min", "until = 300"),
            ("until = \"5\\th\"", "min", "until = 300"),
            ("service = 'uniform:5 min,6\" #'", "min", "service = 'uniform:5 min,6\" #'"),
            ("service = 'exponentail:5 min'", "min", "service = 'exponentail:5 min'"),
            ("until = 'late'", "min", "until = 'late'"),
            ("service = 'exponential:x'", "min", "service = 'exponential:x'"),
            ("name = '4 h'", "min", "name = '4 h'"),
        ] {
            assert_eq!(of(line, unit), Ok(expected.to_owned()));
        }
    }

    #[test]
    fn the_pattern_has_all_units() {
        let all = PATTERN.replace("seconds?", "second|seconds").replace("minutes?", "minute|minutes");
        let all = all.replace("hours?", "hour|hours").replace("days?", "day|days").replace("weeks?", "week|weeks");
        let (_, names) = all.split_once(" *(us").expect("names");
        let (names, _) = names.split_once(')').expect("names");
        let names = format!("us{names}");
        assert_eq!(
            names.split('|').collect::<Vec<_>>(),
            crate::describe::words::UNITS.map(|(names, _)| names).concat()
        );
    }

    #[test]
    fn units_need_the_length_of_the_own_one() {
        let error = in_time_units("\nuntil = \"4 h\"\n").expect_err("no unit").to_string();
        assert!(error.starts_with("line 2: \"4 h\" has a unit: say what a time unit is"), "{error}");
        for (line, unit, said) in [
            ("until = \"4 h\"", "tick", "`unit` is 'tick', which is no known unit of time"),
            ("until = \"4 months\"", "min", "\"4 months\" is no time"),
            ("until = \"4 h 3\"", "min", "is no time"),
            ("until = \"-4 h\"", "min", "is no time"),
            ("until = \"4 H\"", "min", "of us, ms, s, min, h, day or week"),
            ("service = \"exponential:3,5 s\"", "min", "at '5 s'"),
            ("service = \"erlang:3 min,5\"", "min", "has the unit of a time at '3 min', which is none"),
            ("service = \"discrete:5*3 h\"", "min", "at '3 h'"),
            ("service = \"phase-type:1;2 s\"", "min", "at '2 s'"),
        ] {
            let error = of(line, unit).expect_err(line);
            assert!(error.contains(said), "{error}");
        }
    }
}
