//! Times, and what holds from each on.

use std::fmt;
use std::marker::PhantomData;

use serde::de::{Error, IgnoredAny, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};

/// A time and what holds from there on. A tuple would take longer lists, whatever is in the rest of them.
pub(super) struct Step<T>(pub(super) f64, pub(super) T);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Step<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_seq(Pair(PhantomData))
    }
}

struct Pair<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for Pair<T> {
    type Value = Step<T>;

    fn expecting(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str("a list of two numbers")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Step<T>, A::Error> {
        let length = |length| A::Error::invalid_length(length, &"a list of two numbers");
        let time = list.next_element()?.ok_or_else(|| length(0))?;
        let value = list.next_element()?.ok_or_else(|| length(1))?;
        match list.next_element::<IgnoredAny>()? {
            None => Ok(Step(time, value)),
            Some(_) => Err(length(3)),
        }
    }
}

/// As the description has them.
pub(super) fn pairs<T>(steps: Vec<Step<T>>) -> Vec<(f64, T)> {
    steps.into_iter().map(|Step(time, value)| (time, value)).collect()
}
