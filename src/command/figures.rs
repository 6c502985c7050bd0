//! Figures of results, each declared once: its key, what it means, what it is made of and how it is printed.
//!
//! `figures!` makes a struct of the figures that belong together. Its JSON and the pages of docs/reference come of its fields and their
//! comments, an experiment measures its numbers, and [`Declared`] has it printed and written into CSV files.

use serde::ser::SerializeStruct;
use serde::{Serialize, Serializer};

use super::text::{Columns, Table, counted, grouped, short, significant};

/// Declares figures and what they are made of: `KEY: TYPE = VALUE, "LABEL": "TEXT";` behind the comment that says what a figure is. A
/// figure without label and text is not printed; figures of one label are in one row. In the text `{}` stands for the number, as [`said`] says.
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
            fn printed(&self) -> Vec<(&'static str, &'static str, crate::figures::Number)> {
                vec![$($(($label, $text, crate::figures::Number::from(self.$key)),)?)+]
            }

            fn fields(&self) -> Vec<crate::figures::Field> {
                vec![$((stringify!($key), crate::figures::Number::from(self.$key).into()),)+]
            }
        }
    };
}
pub(crate) use figures;

/// Figures that are declared.
pub trait Declared {
    /// The label, the text and the number of each that is printed.
    fn printed(&self) -> Vec<(&'static str, &'static str, Number)>;

    /// All of them, as fields of a line of a CSV file.
    fn fields(&self) -> Vec<Field>;

    /// What is said of each that there is, with its label.
    fn said(&self) -> Vec<(&'static str, String)> {
        self.printed().into_iter().filter_map(|(label, text, number)| Some((label, said(text, number)?))).collect()
    }

    /// A row for each label, of all that is said under it.
    fn tell(&self, table: &mut Table) {
        for row in self.said().chunk_by(|one, other| one.0 == other.0) {
            let texts: Vec<&str> = row.iter().map(|(_, text)| text.as_str()).collect();
            table.row(row[0].0, texts.join(", "));
        }
    }
}

/// The value of a figure.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Number {
    Count(u64),
    Difference(i64),
    Real(f64),
    /// There is none: nothing had one, or it is a list.
    Nothing,
}

impl Number {
    /// As tables show it.
    pub fn shown(self) -> Option<String> {
        match self {
            Self::Count(count) => Some(grouped(count)),
            Self::Difference(number) => Some(number.to_string()),
            Self::Real(number) => Some(short(number)),
            Self::Nothing => None,
        }
    }
}

impl From<u64> for Number {
    fn from(count: u64) -> Self {
        Self::Count(count)
    }
}

impl From<u32> for Number {
    fn from(count: u32) -> Self {
        Self::Count(count.into())
    }
}

impl From<i64> for Number {
    fn from(number: i64) -> Self {
        Self::Difference(number)
    }
}

impl From<f64> for Number {
    fn from(number: f64) -> Self {
        Self::Real(number)
    }
}

impl<T: Into<Self>> From<Option<T>> for Number {
    fn from(number: Option<T>) -> Self {
        number.map_or(Self::Nothing, Into::into)
    }
}

/// A text with a number: in place of `{}` the number, of `{event}` it and what is counted, of `{%}` a hundred times as much, and of `{+}`
/// the number where it is not 0. Nothing where there is no number.
pub fn said(text: &str, number: Number) -> Option<String> {
    let (before, rest) = text.split_once('{')?;
    let (kind, after) = rest.split_once('}')?;
    let shown = match (kind, number) {
        ("%", Number::Real(share)) => short(100.0 * share),
        ("+", Number::Count(0)) => return None,
        ("" | "+", number) => number.shown()?,
        (what, Number::Count(count)) => counted(count, what),
        _ => return None,
    };
    Some(format!("{before}{shown}{after}"))
}

/// Half of an interval, in three digits: more would say nothing.
pub fn sure_to(half: f64) -> String {
    format!("± {}", significant(half, 3))
}

/// A field of a line of a CSV file.
pub type Field = (&'static str, Cell);

/// What is in a field.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub enum Cell {
    Name(String),
    Number(Number),
}

impl From<Number> for Cell {
    fn from(number: Number) -> Self {
        Self::Number(number)
    }
}

/// A line of a CSV file. All of a file have the same fields.
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
    pub fn number(mut self, key: &'static str, number: impl Into<Number>) -> Self {
        self.0.push((key, Cell::Number(number.into())));
        self
    }

    /// With numbers.
    pub fn numbers(mut self, numbers: impl IntoIterator<Item = (&'static str, Option<f64>)>) -> Self {
        self.0.extend(numbers.into_iter().map(|(key, number)| (key, Number::from(number).into())));
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
        assert_eq!(said("{%} % of all", Number::Real(0.125)).as_deref(), Some("12.5 % of all"));
        assert_eq!([said("{} km", Number::Nothing), said("{+}", Number::Count(0))], [None, None]);
        assert_eq!(said("{} lost", Number::Difference(-3)).as_deref(), Some("-3 lost"));
    }
}
