//! The head of a log, which describes its run.

use serde::{Deserialize, Serialize};

/// The run of a log: its space, and the meaning of the words of an output.
///
/// ```
/// # use tickless_cells::facade as tickless;
/// use tickless::cells::log::{LogHead, LogWord, Meaning};
/// let words = vec![LogWord { name: "depth_mm".into(), meaning: Meaning::Count { fraction: 10 } }];
/// let head = LogHead { model: "watershed".into(), size: [320, 320, 2], layers: 1, replications: 1, words };
/// assert_eq!(head.words[0].meaning.value(512), Some(0.5));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LogHead {
    /// The kind of cells.
    pub model: String,
    /// Columns, rows and planes.
    pub size: [u32; 3],
    /// Equal layers into which the planes are cut.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub layers: u32,
    /// The replications asked for; an interrupted run has fewer in its log.
    pub replications: u32,
    /// The words of an output.
    pub words: Vec<LogWord>,
}

fn one() -> u32 {
    1
}

fn is_one(number: &u32) -> bool {
    *number == 1
}

/// A word of an output.
///
/// ```
/// # use tickless_cells::facade as tickless;
/// use tickless::cells::log::{LogWord, Meaning};
/// let word = LogWord { name: "value".into(), meaning: Meaning::Number { fraction: 16 } };
/// assert_eq!(word.meaning.value(0xffff_0000), Some(-1.0));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LogWord {
    /// Its name, for a column.
    pub name: String,
    /// How it is read.
    pub meaning: Meaning,
}

/// How a word is read: in steps of 2^-fraction, from 0 to 31.
///
/// ```
/// # use tickless_cells::facade as tickless;
/// use tickless::cells::log::Meaning;
/// assert_eq!(Meaning::Number { fraction: 16 }.value(1 << 31), None);
/// assert_eq!(Meaning::Count { fraction: 0 }.value(1 << 31), Some(2_147_483_648.0));
/// assert_eq!(Meaning::Fraction.value(1 << 31), Some(0.5));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Meaning {
    /// A number from 0 on.
    Count {
        /// Bits of the fraction.
        fraction: u8,
    },
    /// The fraction, in steps of 2^-32, of the number in the next word.
    Fraction,
    /// A number with a sign, in two's complement; the smallest means no value.
    Number {
        /// Bits of the fraction.
        fraction: u8,
    },
}

impl Meaning {
    /// The value of a word; `None` where it means no value.
    pub fn value(self, word: u32) -> Option<f64> {
        match self {
            Self::Count { fraction } => Some(f64::from(word) / steps(fraction)),
            Self::Fraction => Some(f64::from(word) / (1_u64 << 32) as f64),
            Self::Number { .. } if word == 1 << 31 => None,
            Self::Number { fraction } => Some(f64::from(word as i32) / steps(fraction)),
        }
    }

    /// The bits of the fraction.
    pub(super) fn fraction(self) -> u8 {
        match self {
            Self::Count { fraction } | Self::Number { fraction } => fraction,
            Self::Fraction => 0,
        }
    }
}

fn steps(fraction: u8) -> f64 {
    (1_u64 << fraction.min(31)) as f64
}
