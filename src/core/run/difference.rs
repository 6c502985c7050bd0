//! Where two runs first differ.

use std::fmt;

/// The owner of a value: an entity, a whole replication, or the whole run.
///
/// ```
/// # use tickless_core::facade as tickless;
/// use tickless::run::Place;
/// assert_eq!(Place::of("cell", 5).in_replication(2).to_string(), "replication 2, cell 5");
/// assert_eq!(Place::WHOLE.to_string(), "");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Place {
    /// The replication, counted from 0; `None` where the family has none, or the value belongs to the whole run.
    pub replication: Option<u32>,
    /// The name of the family's entities (`facility`, `process`, `cell`) and the number of this one; `None` where the
    /// value belongs to no entity.
    pub entity: Option<(&'static str, usize)>,
}

impl Place {
    /// No entity and no replication.
    pub const WHOLE: Self = Self { replication: None, entity: None };

    /// An entity.
    pub const fn of(kind: &'static str, id: usize) -> Self {
        Self { replication: None, entity: Some((kind, id)) }
    }

    /// The same in a replication.
    #[must_use]
    pub const fn in_replication(self, replication: u32) -> Self {
        Self { replication: Some(replication), ..self }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(replication) = self.replication {
            write!(f, "replication {replication}")?;
        }
        if let Some((kind, id)) = self.entity {
            let comma = if self.replication.is_some() { ", " } else { "" };
            write!(f, "{comma}{kind} {id}")?;
        }
        Ok(())
    }
}

/// Where two runs first differ, in the order of the digest.
///
/// ```
/// use tickless::{device::Target, processes::{self, Phold}};
/// use tickless::run::Place;
/// let model = Phold::new(16).check()?;
/// let one = processes::run(&model, Target::Heap, Default::default(), &mut tickless::run::unwatched())?.outcome;
/// let mut two = one.clone();
/// two.processes[5].sent += 1;
/// let difference = one.first_difference(&two).unwrap();
/// assert_eq!(difference.place, Place::of("process", 5));
/// assert!(difference.to_string().starts_with("process 5, field sent: "));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The first place that differs.
    pub place: Place,
    /// Its first field that differs.
    pub field: String,
    /// The value in the first run.
    pub left: u64,
    /// The value in the second run.
    pub right: u64,
}

impl Difference {
    /// A difference of two lists at a place: `name[i]` for the first i at which they differ, counted from `first` on.
    #[doc(hidden)]
    pub fn find_in(
        place: Place,
        (name, first): (&str, usize),
        left: impl IntoIterator<Item = u64>,
        right: impl IntoIterator<Item = u64>,
    ) -> Option<Self> {
        let mut pairs = (first..).zip(left.into_iter().zip(right));
        let (index, (left, right)) = pairs.find(|(_, (left, right))| left != right)?;
        Some(Self { place, field: format!("{name}[{index}]"), left, right })
    }

    /// A difference at a place, or `None` where both values are equal.
    #[doc(hidden)]
    pub fn find(place: Place, field: &str, left: u64, right: u64) -> Option<Self> {
        (left != right).then(|| Self { place, field: field.to_owned(), left, right })
    }
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { place, field, left, right } = self;
        if *place != Place::WHOLE {
            write!(f, "{place}, ")?;
        }
        write!(f, "field {field}: {left} against {right}")
    }
}
