//! Figures of results, each declared once: its key, what it means, what it is made of and how it is printed.
//!
//! `figures!` makes a struct of the figures, or of the parameters, that belong together. Its JSON and the pages of docs/reference come of its
//! fields and their comments, an experiment measures its numbers, and [`Declared`] has it printed and written into CSV files.

use std::borrow::Cow;

use serde::ser::SerializeStruct;
use serde::{Serialize, Serializer};

use super::text::{Columns, Table, counted, grouped, rate, short, significant};

/// Declares figures and what they are made of: `KEY: TYPE = VALUE, "LABEL": "TEXT";` behind the comment that says what a figure is. A
/// figure without label and text is not printed; those of one label are in one row. In the text a pair of braces stands for the value, as
/// [`said`] says.
macro_rules! figures {
    ($(#[$about:meta])* $visibility:vis struct $name:ident($source:ident: $type:ty) {
        $($(#[doc = $says:literal])+ $key:ident: $value:ty = $made:expr $(, $label:literal: $text:literal)?;)+
    }) => {
        $(#[$about])*
        #[derive(Clone, Debug, serde::Serialize, schemars::JsonSchema)]
        $visibility struct $name {
            $($(#[doc = $says])+ pub $key: $value,)+
        }

        impl $name {
            pub fn new($source: $type) -> Self {
                Self { $($key: $made,)+ }
            }
        }

        impl crate::figures::Declared for $name {
            fn said(&self) -> Vec<crate::figures::Said> {
                let all = [$($(($label, crate::figures::said($text, crate::figures::Valued::cell(&self.$key))),)?)+];
                all.into_iter().filter_map(|(label, text): (&str, Option<String>)| Some((label.into(), text?))).collect()
            }

            fn fields(&self) -> Vec<crate::figures::Field> {
                vec![$((stringify!($key), crate::figures::Valued::cell(&self.$key)),)+]
            }
        }
    };
}
pub(crate) use figures;

/// What is said of a figure, with its label.
pub type Said = (Cow<'static, str>, String);

/// Declared figures.
pub trait Declared {
    /// What is said of each that is printed, and that there is.
    fn said(&self) -> Vec<Said>;

    /// All figures, as fields of a line of a CSV file.
    fn fields(&self) -> Vec<Field>;

    /// A row for each label, of all that is said under it.
    fn tell(&self, table: &mut Table) {
        for row in self.said().chunk_by(|one, other| one.0 == other.0) {
            table.row(&row[0].0, together(row.iter().map(|(_, text)| text.as_str())));
        }
    }
}

/// Texts of one row, with commas between them, unless a text begins with its own separator.
pub fn together<'a>(texts: impl Iterator<Item = &'a str>) -> String {
    texts.fold(String::new(), |row, text| {
        let comma = if row.is_empty() || text.starts_with([' ', ';', ':', '\n']) { "" } else { ", " };
        row + comma + text
    })
}

/// The value of a figure.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Cell {
    Name(String),
    Count(u64),
    Difference(i64),
    Real(f64),
    /// No value.
    Nothing,
}

/// A possible value of a figure.
pub trait Valued {
    fn cell(&self) -> Cell;
}

macro_rules! valued {
    ($($type:ty: $value:ident => $cell:expr;)+) => {
        $(impl Valued for $type {
            fn cell(&self) -> Cell {
                let $value = self;
                $cell
            }
        })+
    };
}

valued! {
    u8: count => Cell::Count((*count).into());
    u32: count => Cell::Count((*count).into());
    u64: count => Cell::Count(*count);
    usize: count => Cell::Count(*count as u64);
    bool: is => Cell::Count((*is).into());
    i64: number => Cell::Difference(*number);
    f64: number => Cell::Real(*number);
    String: name => Cell::Name(name.clone());
    &'static str: name => Cell::Name((*name).to_owned());
    Vec<String>: names => Cell::Name(names.join(" "));
}

impl<T: Valued> Valued for Option<T> {
    fn cell(&self) -> Cell {
        self.as_ref().map_or(Cell::Nothing, Valued::cell)
    }
}

/// A text with a value: in place of `{}` as tables show it, of `{=}` in full, of `{%}` a hundred times as much, of `{/}` as a rate, of `{cell}`
/// with what is counted, of `{no|yes}` one of two words. A `+` in front leaves out what is 0. Nothing where there is no value or no word.
pub fn said(text: &str, value: Cell) -> Option<String> {
    let (before, rest) = text.split_once('{')?;
    let (kind, after) = rest.split_once('}')?;
    let (is_above, kind) = kind.strip_prefix('+').map_or((false, kind), |kind| (true, kind));
    if is_above && [Cell::Count(0), Cell::Real(0.0)].contains(&value) {
        return None;
    }
    let shown = match (kind, value) {
        ("" | "=", Cell::Name(name)) => name,
        ("=", Cell::Real(number)) => number.to_string(),
        ("%", Cell::Real(share)) => short(100.0 * share),
        ("/", Cell::Real(number)) => rate(number),
        // A share just below 1 is not shown as 1.
        ("", Cell::Real(number)) if number < 1.0 && short(number) == "1" => number.to_string(),
        ("", Cell::Real(number)) => short(number),
        ("", Cell::Difference(number)) => number.to_string(),
        ("" | "=", Cell::Count(count)) => grouped(count),
        (what, Cell::Count(count)) => match what.split_once('|') {
            Some((no, yes)) => [no, yes][usize::from(count > 0)].to_owned(),
            None => counted(count, what),
        },
        _ => return None,
    };
    (!shown.is_empty()).then(|| format!("{before}{shown}{after}"))
}

/// Half of an interval, in three digits: further digits mean nothing.
pub fn sure_to(half: f64) -> String {
    format!("± {}", significant(half, 3))
}

/// A field of a line of a CSV file.
pub type Field = (&'static str, Cell);

/// A line of a CSV file. All lines of a file have the same fields.
#[derive(Clone, Debug)]
pub struct Fields(pub Vec<Field>);

impl Fields {
    /// A line of a thing with this name.
    pub fn of(key: &'static str, name: &str) -> Self {
        Self(vec![]).name(key, name)
    }

    /// With a name.
    pub fn name(mut self, key: &'static str, name: &str) -> Self {
        self.0.push((key, Cell::Name(name.to_owned())));
        self
    }

    /// With a number.
    pub fn number(mut self, key: &'static str, number: &impl Valued) -> Self {
        self.0.push((key, number.cell()));
        self
    }

    /// With numbers.
    pub fn numbers(mut self, numbers: impl IntoIterator<Item = (&'static str, Option<f64>)>) -> Self {
        self.0.extend(numbers.into_iter().map(|(key, number)| (key, number.cell())));
        self
    }

    /// With all figures of a struct.
    pub fn all(mut self, figures: &impl Declared) -> Self {
        self.0.extend(figures.fields());
        self
    }
}

impl Serialize for Fields {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut line = serializer.serialize_struct("Fields", self.0.len())?;
        self.0.iter().try_for_each(|(key, cell)| line.serialize_field(key, cell))?;
        line.end()
    }
}

/// The least width of a column of numbers, and of one of names.
const WIDTH: usize = 9;
const NAMES: usize = 15;

/// A table with columns of names and then of numbers.
pub fn columns_of(names: &[&str], numbers: &[&str]) -> Columns {
    let of_names = names.iter().map(|_| NAMES);
    let widths: Vec<usize> = of_names.chain(numbers.iter().map(|head| WIDTH.max(head.chars().count()))).collect();
    let mut columns = Columns::new(&widths);
    columns.heads(names.iter().chain(numbers));
    columns
}

#[cfg(test)]
mod tests {
    use super::*;

    figures! {
        /// Of a queue.
        struct Queue(lengths: &[u64]) {
            /// The most.
            most: Option<u64> = lengths.iter().copied().max(), "length": "{token} at most";
            /// The mean.
            mean: Option<f64> = (!lengths.is_empty()).then(|| lengths.iter().sum::<u64>() as f64 / lengths.len() as f64),
                "length": "{} in the mean";
            /// How often there was none.
            empty: u64 = lengths.iter().filter(|length| **length == 0).count() as u64, "empty": "{+} times";
            /// How many there are.
            observed: u64 = lengths.len() as u64;
        }
    }

    #[test]
    fn a_figure_is_declared_once() {
        let printed = |lengths: &[u64]| {
            let mut table = Table::default();
            Queue::new(lengths).tell(&mut table);
            table.finish()
        };
        assert_eq!(
            printed(&[1, 0, 0]),
            "  length           1 token at most, 0.33333 in the mean\n  empty            2 times\n"
        );
        assert_eq!(printed(&[2]), "  length           2 tokens at most, 2 in the mean\n");
        assert_eq!(printed(&[]), "");
        let line = Fields::of("queue", "a, b").all(&Queue::new(&[4]));
        let mut file = csv::Writer::from_writer(vec![]);
        file.serialize(&line).unwrap();
        file.serialize(Fields::of("queue", "c").all(&Queue::new(&[]))).unwrap();
        let text = String::from_utf8(file.into_inner().unwrap()).unwrap();
        assert_eq!(text, "queue,most,mean,empty,observed\n\"a, b\",4,4.0,0,1\nc,,,0,0\n");
        let value = serde_json::to_value(Queue::new(&[3])).unwrap();
        assert_eq!(value, serde_json::json!({ "most": 3, "mean": 3.0, "empty": 0, "observed": 1 }));
    }

    #[test]
    fn shares_and_what_is_missing() {
        assert_eq!(said("{%} % of all", Cell::Real(0.125)).as_deref(), Some("12.5 % of all"));
        assert_eq!([said("{} km", Cell::Nothing), said("{+}", Cell::Count(0))], [None, None]);
        assert_eq!(said("{} lost", Cell::Difference(-3)).as_deref(), Some("-3 lost"));
        assert_eq!([0, 1].map(|is| said("{|drawn}", Cell::Count(is))), [None, Some("drawn".to_owned())]);
        assert_eq!(said("p = {}", Cell::Real(0.9999999)).as_deref(), Some("p = 0.9999999"));
        assert_eq!(said("until {=}", Cell::Real(1234.5678)).as_deref(), Some("until 1234.5678"));
        assert_eq!(together(["1 event each", " = 50", "mean 2"].into_iter()), "1 event each = 50, mean 2");
    }
}
