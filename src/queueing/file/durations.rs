//! Durations with units, as in `until = "4 h"` and `service = "exponential:20 min"`: in the text they become numbers of the file's time units.

use std::borrow::Cow;
use std::ops::Range;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::{FileError, line};
use tickless_core::number::Written;
use tickless_core::random::ServiceLaw;

/// Units of time with their lengths in microseconds.
const UNITS: [(&[&str], f64); 7] = [
    (&["us", "µs"], 1.0),
    (&["ms"], 1e3),
    (&["s", "sec", "second", "seconds"], 1e6),
    (&["min", "minute", "minutes"], 6e7),
    (&["h", "hr", "hour", "hours"], 3.6e9),
    (&["d", "day", "days"], 8.64e10),
    (&["week", "weeks"], 6.048e11),
];
/// Numbers with units behind them.
const PATTERN: &str = "^ *([0-9.]+ *(us|µs|ms|s|sec|seconds?|min|minutes?|h|hr|hours?|d|days?|weeks?) *)+$";
/// What a message says of them.
const ALLOWED: &str = "us, ms, s, min, h, day or week";

/// The keys of times, of laws of times, and of lists of pairs whose first is a time.
const TIMES: [&str; 8] = ["until", "warmup", "window", "approximate", "series_step", "period", "delay", "start"];
const LAWS: [&str; 8] = ["service", "interval", "patience", "setup", "vacation", "up", "use", "down"];
const STEPS: [&str; 2] = ["shifts", "rates"];

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

/// Whether a digit stands before the first letter of a unit anywhere: most files have no units, and need no second look.
fn may_have_units(text: &str) -> bool {
    let starts = |rest: &str| rest.trim_start_matches(' ').starts_with(['u', 'µ', 'm', 's', 'h', 'd', 'w']);
    let digits = text.bytes().enumerate().filter(|(_, byte)| byte.is_ascii_digit() || *byte == b'.');
    digits.into_iter().any(|(place, _)| starts(&text[place + 1..]))
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
                let line = line(self.text, place.clone());
                let fault = |fault| FileError { line, fault: format!("{said:?} {fault}"), mark: None };
                self.all.extend(number.map_err(fault)?.map(|number| (place, number)));
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// A time in the file's units; `None` where a text is no number with units.
    fn time(&self, said: &str) -> Result<Option<String>, String> {
        if !said.trim_start().starts_with(|c: char| c.is_ascii_digit() || c == '.') {
            return Ok(None);
        }
        let wrong = || format!("is no time; write a number, or numbers with units as in \"1 h 30 min\", of {ALLOWED}");
        let time = microseconds(said).ok_or_else(wrong)?;
        self.in_units(time).map(Some)
    }

    /// A law with times in the file's units; `None` where none of them has a unit.
    fn law(&self, said: &str) -> Result<Option<String>, String> {
        let Some((name, rest)) = said.split_once(':') else { return Ok(None) };
        let (mut law, mut place, mut is_weight, mut has_units) = (format!("{name}:"), 0, false, false);
        for part in rest.split_inclusive([',', ';', '*']) {
            let end = part.trim_end_matches([',', ';', '*']);
            match microseconds(end) {
                Some(time) if !is_weight && ServiceLaw::takes_time(name.trim(), place) => {
                    law.push_str(&self.in_units(time)?);
                    has_units = true;
                }
                Some(_) => return Err(format!("has the unit of a time at '{}', which is none", end.trim())),
                None => law.push_str(end),
            }
            law.push_str(&part[end.len()..]);
            is_weight = part.ends_with('*');
            place += usize::from(!is_weight);
        }
        Ok(has_units.then(|| format!("\"{law}\"")))
    }

    fn in_units(&self, time: f64) -> Result<String, String> {
        let Some(unit) = self.unit else {
            return Err(
                "has a unit: say what a time unit is, as in `unit = \"min\"` at the top, or write a number".into()
            );
        };
        let long = length(unit).ok_or_else(|| {
            format!(
                "has a unit, and `unit` is '{unit}', whose length nobody knows: let it be {ALLOWED}, or write a number"
            )
        })?;
        Ok(Written(time / long).to_string())
    }
}

fn length(unit: &str) -> Option<f64> {
    UNITS.iter().find(|(names, _)| names.contains(&unit.trim())).map(|(_, length)| *length)
}

/// Numbers with units behind them, added up; `None` of anything else.
fn microseconds(said: &str) -> Option<f64> {
    let mut rest = said.trim();
    let mut sum = None;
    while !rest.is_empty() {
        let end = rest.find(|c: char| !c.is_ascii_digit() && c != '.')?;
        let number: f64 = rest[..end].parse().ok()?;
        let unit = rest[end..].trim_start();
        let end = unit.find(|c: char| !c.is_alphabetic()).unwrap_or(unit.len());
        sum = Some(sum.unwrap_or(0.0) + number * length(&unit[..end])?);
        rest = unit[end..].trim_start();
    }
    sum
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
            ("service = 'exponential:20 min'", "h", "service = \"exponential:0.3333333333333333\""),
            ("service = 'uniform: 5 s, 1 min'", "s", "service = \"uniform:5,60\""),
            ("service = 'discrete:5 min*3,1 h'", "min", "service = \"discrete:5*3,60\""),
            ("service = 'erlang:3,1 h'", "min", "service = \"erlang:3,60\""),
            (
                "'source.in.interval' = ['exponential:1 h', 'constant:4']",
                "min",
                "'source.in.interval' = [\"exponential:60\", 'constant:4']",
            ),
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
        assert_eq!(names.split('|').collect::<Vec<_>>(), UNITS.map(|(names, _)| names).concat());
    }

    #[test]
    fn units_need_the_length_of_the_own_one() {
        let error = in_time_units("\nuntil = \"4 h\"\n").expect_err("no unit").to_string();
        assert!(error.starts_with("line 2: \"4 h\" has a unit: say what a time unit is"), "{error}");
        for (line, unit, said) in [
            ("until = \"4 h\"", "tick", "`unit` is 'tick', whose length nobody knows"),
            ("until = \"4 months\"", "min", "\"4 months\" is no time"),
            ("until = \"4 h 3\"", "min", "is no time"),
            ("service = \"erlang:3 min,5\"", "min", "has the unit of a time at '3 min', which is none"),
            ("service = \"discrete:5*3 h\"", "min", "at '3 h'"),
            ("service = \"phase-type:1;2 s\"", "min", "at '2 s'"),
        ] {
            let error = of(line, unit).expect_err(line);
            assert!(error.contains(said), "{error}");
        }
    }
}
