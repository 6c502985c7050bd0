//! Visits as XES (IEEE 1849), for process mining: a trace for each token, with the events of its visits.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::io::Write;

use super::Names;
use super::format::Format;
use crate::CommandError;
use tickless_core::time::Time;
use tickless_core::time::decimals::{push_number, push_padded};
use tickless_queueing::{Left, NetworkModel, Visit};

const HEAD: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>
<log xes.version=\"1849-2016\" xes.features=\"\" xmlns=\"http://www.xes-standard.org/\">
<extension name=\"Concept\" prefix=\"concept\" uri=\"http://www.xes-standard.org/concept.xesext\"/>
<extension name=\"Lifecycle\" prefix=\"lifecycle\" uri=\"http://www.xes-standard.org/lifecycle.xesext\"/>
<extension name=\"Time\" prefix=\"time\" uri=\"http://www.xes-standard.org/time.xesext\"/>
<extension name=\"Organizational\" prefix=\"org\" uri=\"http://www.xes-standard.org/org.xesext\"/>
<global scope=\"trace\">
<string key=\"concept:name\" value=\"\"/>
</global>
<global scope=\"event\">
<string key=\"concept:name\" value=\"\"/>
<string key=\"lifecycle:transition\" value=\"complete\"/>
<date key=\"time:timestamp\" value=\"1970-01-01T00:00:00.000000+00:00\"/>
</global>
<classifier name=\"Station\" keys=\"concept:name\"/>
<classifier name=\"Station and transition\" keys=\"concept:name lifecycle:transition\"/>
<string key=\"lifecycle:model\" value=\"standard\"/>
";
const TAIL: &[u8] = b"</log>\n";

/// Microseconds of a day.
const DAY: u64 = 86_400_000_000;
/// Microseconds of a second, which is a time unit that has no known length.
const SECOND: u64 = 1_000_000;
/// Microseconds from the first year of dates to the end of the last one that has four digits.
const DATES: u64 = 2_932_897 * DAY;

/// Refuses a horizon behind the dates.
///
/// # Errors
/// [`CommandError::LateDates`].
pub(super) fn check(model: &NetworkModel) -> Result<(), CommandError> {
    let words = model.words();
    let unit = words.microseconds().unwrap_or(SECOND);
    if microseconds(model.until(), unit) < DATES {
        return Ok(());
    }
    let (until, most) = (model.until().units(), (DATES - DAY) / unit);
    Err(CommandError::LateDates { until, unit: words.own_unit().unwrap_or("s").to_owned(), most })
}

/// A time in microseconds.
fn microseconds(time: Time, unit: u64) -> u64 {
    let scaled = (u128::from(time.ticks()) * u128::from(unit) + (1 << 31)) >> 32;
    u64::try_from(scaled).unwrap_or(u64::MAX)
}

/// Makes traces.
pub(super) struct Xes {
    names: Names<Vec<u8>>,
    unit: u64,
}

impl Xes {
    pub(super) fn new(model: &NetworkModel) -> Self {
        let names = Names::new(model, |name| Ok::<_, Infallible>(escaped(name)));
        let names = names.unwrap_or_else(|never| match never {});
        Self { names, unit: model.words().microseconds().unwrap_or(SECOND) }
    }

    fn trace(&self, replication: u32, token: u64, visits: &[Visit], text: &mut Vec<u8>) {
        text.extend_from_slice(b"<trace>\n<string key=\"concept:name\" value=\"");
        push_number(replication.into(), text);
        text.push(b':');
        push_number(token, text);
        text.extend_from_slice(b"\"/>\n");
        for visit in visits {
            // Who leaves without a service withdraws.
            let gone = visit.departure.filter(|_| visit.end.is_none());
            let left = if visit.start.is_none() { "withdraw" } else { "ate_abort" };
            let times =
                [("schedule", Some(visit.arrival)), ("start", visit.start), ("complete", visit.end), (left, gone)];
            for (transition, time) in times {
                time.into_iter().for_each(|time| self.event(visit, transition, time, text));
            }
        }
        text.extend_from_slice(b"</trace>\n");
    }

    fn event(&self, visit: &Visit, transition: &str, time: Time, text: &mut Vec<u8>) {
        text.extend_from_slice(b"<event><string key=\"concept:name\" value=\"");
        text.extend_from_slice(self.names.station(visit));
        text.extend_from_slice(b"\"/><string key=\"lifecycle:transition\" value=\"");
        text.extend_from_slice(transition.as_bytes());
        text.extend_from_slice(b"\"/><date key=\"time:timestamp\" value=\"");
        push_date(microseconds(time, self.unit), text);
        text.extend_from_slice(b"\"/>");
        if let Some(class) = self.names.class(visit) {
            text.extend_from_slice(b"<string key=\"class\" value=\"");
            text.extend_from_slice(class);
            text.extend_from_slice(b"\"/>");
        }
        if let Some(held) = self.names.held(visit).filter(|_| transition != "schedule") {
            text.extend_from_slice(b"<string key=\"org:resource\" value=\"");
            text.extend_from_slice(&escaped(&held));
            text.extend_from_slice(b"\"/>");
        }
        text.extend_from_slice(b"</event>\n");
    }
}

impl Format for Xes {
    /// The visits of tokens that may have more.
    type Open = BTreeMap<u64, Vec<Visit>>;
    type Part = Vec<u8>;
    type File = ();

    fn add(&self, replication: u32, visit: &Visit, open: &mut Self::Open, text: &mut Vec<u8>) {
        let goes_on = visit.left == Left::Present || self.names.is_station(visit.to);
        if goes_on {
            open.entry(visit.token).or_default().push(visit.clone());
            return;
        }
        let mut visits = open.remove(&visit.token).unwrap_or_default();
        visits.push(visit.clone());
        self.trace(replication, visit.token, &visits, text);
    }

    fn close(&self, replication: u32, open: Self::Open, text: &mut Vec<u8>) {
        open.iter().for_each(|(token, visits)| self.trace(replication, *token, visits, text));
    }

    fn bytes(text: &Vec<u8>) -> usize {
        text.capacity()
    }

    fn begin(&self, out: &mut dyn Write) -> Result<(), CommandError> {
        out.write_all(HEAD.as_bytes()).map_err(CommandError::Output)
    }

    fn put(&self, (): &mut (), text: Vec<u8>, out: &mut dyn Write) -> Result<(), CommandError> {
        out.write_all(&text).map_err(CommandError::Output)
    }

    fn finish(&self, (): (), out: &mut dyn Write) -> Result<(), CommandError> {
        out.write_all(TAIL).and_then(|()| out.flush()).map_err(CommandError::Output)
    }
}

/// A name as the value of an attribute. XML has no other control characters than tabs and ends of lines.
fn escaped(name: &str) -> Vec<u8> {
    let mut text = String::with_capacity(name.len());
    for c in name.chars() {
        match c {
            '&' => text.push_str("&amp;"),
            '<' => text.push_str("&lt;"),
            '>' => text.push_str("&gt;"),
            '"' => text.push_str("&quot;"),
            '\t' => text.push_str("&#9;"),
            '\n' => text.push_str("&#10;"),
            '\r' => text.push_str("&#13;"),
            '\0'..='\u{1f}' | '\u{fffe}' | '\u{ffff}' => text.push(char::REPLACEMENT_CHARACTER),
            other => text.push(other),
        }
    }
    text.into_bytes()
}

/// Microseconds since the beginning of 1970 as a date.
fn push_date(microseconds: u64, text: &mut Vec<u8>) {
    let [year, month, day] = civil(microseconds / DAY);
    let seconds = microseconds % DAY / SECOND;
    let parts = [(year, 4, b'-'), (month, 2, b'-'), (day, 2, b'T')];
    let clock = [(seconds / 3600, 2, b':'), (seconds / 60 % 60, 2, b':'), (seconds % 60, 2, b'.')];
    for (number, digits, end) in parts.into_iter().chain(clock).chain([(microseconds % SECOND, 6, b'+')]) {
        push_padded(number, digits, text);
        text.push(end);
    }
    text.extend_from_slice(b"00:00");
}

/// Year, month and day of a number of days since 1970-01-01, in years that begin in March: their leap day is the last.
fn civil(days: u64) -> [u64; 3] {
    const FOUR_CENTURIES: u64 = 146_097;
    let days = days + 719_468;
    let day = days % FOUR_CENTURIES;
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let of_year = day - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let of_month = of_year - (153 * month + 2) / 5 + 1;
    let is_behind = month >= 10;
    [
        400 * (days / FOUR_CENTURIES) + year + u64::from(is_behind),
        if is_behind { month - 9 } else { month + 3 },
        of_month,
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn date(microseconds: u64) -> String {
        let mut text = vec![];
        push_date(microseconds, &mut text);
        String::from_utf8(text).expect("a date")
    }

    #[test]
    fn dates_are_those_of_the_calendar() {
        assert_eq!(date(0), "1970-01-01T00:00:00.000000+00:00");
        assert_eq!(date(86_399_999_999), "1970-01-01T23:59:59.999999+00:00");
        assert_eq!(date(951_782_400 * SECOND), "2000-02-29T00:00:00.000000+00:00");
        assert_eq!(date(1_764_476_045 * SECOND + 7), "2025-11-30T04:14:05.000007+00:00");
        assert_eq!(date(DATES - 1), "9999-12-31T23:59:59.999999+00:00");
        // Every day of four centuries follows the one before it.
        let lengths = |year: u64| {
            let leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
            [31, 28 + u64::from(leap), 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        };
        let all = (1970..2370).flat_map(|year| (1..).zip(lengths(year)).map(move |(month, days)| (year, month, days)));
        let all = all.flat_map(|(year, month, days)| (1..=days).map(move |day| [year, month, day]));
        assert!(all.zip(0..).all(|(expected, days)| civil(days) == expected));
    }

    #[test]
    fn names_are_values_of_attributes() {
        let said = |name: &str| String::from_utf8(escaped(name)).expect("text");
        assert_eq!(said("a & b <\"c\">\t\u{1}é"), "a &amp; b &lt;&quot;c&quot;&gt;&#9;\u{fffd}é");
    }
}
