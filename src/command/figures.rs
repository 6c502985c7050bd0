//! Figures of results, each declared once: its key, what it means, what it is made of and how it is printed.
//!
//! `result_fields!` makes a struct of the figures, or of the parameters, that belong together. Its JSON and the pages of docs/reference come of
//! its fields and their comments, and [`Declared`] has it printed and written into CSV files.

use std::borrow::Cow;

use serde::ser::SerializeStruct;
use serde::{Serialize, Serializer};

use super::text::{Columns, Table, significant};

/// Declares figures and what they are made of: `KEY: TYPE = VALUE;` behind the comment that says what a figure is. Behind the struct stand the
/// rows that are printed of it: `"LABEL": TEXT;`, where a row that is not always there has an `Option` of a text. With `in files` in front a
/// line of a CSV file may have all of them.
macro_rules! result_fields {
    (in files $(#[$about:meta])* $visibility:vis struct $name:ident($source:tt: $type:ty) {
        $($(#[$says:meta])+ $key:ident: $value:ty = $made:expr;)+
    } $($printed:tt)*) => {
        crate::figures::result_fields! {
            $(#[$about])*
            $visibility struct $name($source: $type) {
                $($(#[$says])+ $key: $value = $made;)+
            } $($printed)*
        }

        impl crate::figures::InFiles for $name {
            fn fields(&self) -> Vec<crate::figures::Field> {
                vec![$((stringify!($key), crate::figures::Valued::cell(&self.$key)),)+]
            }
        }
    };
    ($(#[$about:meta])* $visibility:vis struct $name:ident($source:tt: $type:ty) {
        $($(#[$says:meta])+ $key:ident: $value:ty = $made:expr;)+
    } $(printed($made_of:ident) {
        $($label:literal: $text:expr;)+
    })?) => {
        $(#[$about])*
        #[derive(Clone, Debug, serde::Serialize, schemars::JsonSchema)]
        $visibility struct $name {
            $($(#[$says])+ pub $key: $value,)+
        }

        impl $name {
            pub fn new($source: $type) -> Self {
                Self { $($key: $made,)+ }
            }
        }

        $(impl crate::figures::Declared for $name {
            fn rows(&self) -> Vec<crate::figures::Said> {
                let $made_of = self;
                let all: Vec<(&str, Option<String>)> = vec![$(($label, ($text).into()),)+];
                all.into_iter().filter_map(|(label, text)| Some((label.into(), text?))).collect()
            }
        })?
    };
}
pub(crate) use result_fields;

/// A row of the printed result: its label and its text.
pub type Said = (Cow<'static, str>, String);

/// Figures that are printed.
pub trait Declared {
    /// The rows that are printed of them.
    fn rows(&self) -> Vec<Said>;

    /// Prints the rows.
    fn tell(&self, table: &mut Table) {
        self.rows().iter().for_each(|(label, text)| _ = table.row(label, text));
    }
}

/// Figures that a line of a CSV file has.
pub trait InFiles {
    /// All of them.
    fn fields(&self) -> Vec<Field>;
}

/// The value of a figure.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Cell {
    Name(String),
    Count(u64),
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
    u32: count => Cell::Count((*count).into());
    u64: count => Cell::Count(*count);
    f64: number => Cell::Real(*number);
}

impl<T: Valued> Valued for Option<T> {
    fn cell(&self) -> Cell {
        self.as_ref().map_or(Cell::Nothing, Valued::cell)
    }
}

/// Half of an interval, in three digits: more would say nothing.
pub fn sure_to(half: f64) -> String {
    format!("± {}", significant(half, 3))
}

/// A value with half of its interval, which has two digits or ends at the point: the value ends where half of the interval ends. What never
/// was anything but 0 has no interval.
pub fn sure(value: f64, half: f64) -> String {
    if value == 0.0 && half == 0.0 {
        return "0".into();
    }
    let decimals = (1.0 - half.log10().floor()).max(0.0);
    if half > 0.0 && decimals <= 9.0 && value.abs() < 1e7 {
        let decimals = decimals as usize;
        let shown = format!("{value:.decimals$} ± {half:.decimals$}");
        return if shown.starts_with("-0 ") { shown[1..].to_owned() } else { shown };
    }
    format!("{} {}", significant(value, 5), sure_to(half))
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
    pub fn all(mut self, figures: &impl InFiles) -> Self {
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
    use crate::text::counted;

    #[test]
    fn a_value_ends_where_its_interval_ends() {
        let cases = [
            ([75.2758, 0.5123], "75.28 ± 0.51"),
            ([2345.678, 12.345], "2346 ± 12"),
            ([2345.678, 1234.5], "2346 ± 1234"),
            ([0.5, 9.96], "0.5 ± 10.0"),
            ([-0.3, 12.0], "0 ± 12"),
            ([0.0, 0.0], "0"),
            ([5.0, 0.0], "5 ± 0"),
            ([1e-12, 1e-13], "1e-12 ± 1e-13"),
            ([1.0, f64::NAN], "1 ± NaN"),
            ([1.0, f64::INFINITY], "1 ± inf"),
        ];
        for ([value, half], shown) in cases {
            assert_eq!(sure(value, half), shown);
        }
    }

    result_fields! {
        in files
        /// Of a queue.
        struct Queue(lengths: &[u64]) {
            /// The most.
            most: Option<u64> = lengths.iter().copied().max();
            /// How often there was none.
            empty: u64 = lengths.iter().filter(|length| **length == 0).count() as u64;
            /// How many there are.
            observed: u64 = lengths.len() as u64;
        } printed(of) {
            "length": of.most.map(|most| format!("{} at most", counted(most, "token")));
            "observed": format!("{} times, {} times empty", of.observed, of.empty);
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
            "  length           1 token at most\n  observed         3 times, 2 times empty\n"
        );
        assert_eq!(printed(&[]), "  observed         0 times, 0 times empty\n");
        let line = Fields::of("queue", "a, b").all(&Queue::new(&[4]));
        let mut file = csv::Writer::from_writer(vec![]);
        file.serialize(&line).unwrap();
        file.serialize(Fields::of("queue", "c").all(&Queue::new(&[]))).unwrap();
        let text = String::from_utf8(file.into_inner().unwrap()).unwrap();
        assert_eq!(text, "queue,most,empty,observed\n\"a, b\",4,0,1\nc,,0,0\n");
        let value = serde_json::to_value(Queue::new(&[3])).unwrap();
        assert_eq!(value, serde_json::json!({ "most": 3, "empty": 0, "observed": 1 }));
    }
}
