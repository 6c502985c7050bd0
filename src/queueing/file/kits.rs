//! Kits, and tokens that split, in files.

use std::fmt;

use serde::de::{Error, IgnoredAny, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use toml::Spanned;

use super::FileError;
use super::reader::Reader;
use crate::describe::Station;

/// How many tokens of each class are put together.
pub(super) type KitEntry = Vec<KitPartEntry>;

/// A class, and how many of its tokens.
pub(super) struct KitPartEntry(Spanned<String>, u32);

impl<'de> Deserialize<'de> for KitPartEntry {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_seq(Part)
    }
}

struct Part;

const EXPECTED: &str = "a list of a class and a whole number of tokens, as [\"wheel\", 2]";

impl<'de> Visitor<'de> for Part {
    type Value = KitPartEntry;

    fn expecting(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str(EXPECTED)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<KitPartEntry, A::Error> {
        let length = |length| A::Error::invalid_length(length, &EXPECTED);
        let class = list.next_element()?.ok_or_else(|| length(0))?;
        let tokens = list.next_element()?.ok_or_else(|| length(1))?;
        match list.next_element::<IgnoredAny>()? {
            None => Ok(KitPartEntry(class, tokens)),
            Some(_) => Err(length(3)),
        }
    }
}

impl Reader<'_> {
    /// A station with the kit that it makes, or the numbers of tokens into which it splits one.
    ///
    /// # Errors
    /// An unknown class, or an empty list.
    pub(super) fn with_kit_and_splits(
        &self,
        mut station: Station,
        (kit, splits): (Option<Spanned<KitEntry>>, Option<Spanned<Vec<f64>>>),
    ) -> Result<Station, FileError> {
        if let Some(kit) = kit {
            if kit.as_ref().is_empty() {
                let fault = "`kit` is an empty list: name the classes that it needs, or leave it out";
                return Err(self.fault_at(kit.span(), fault.into()));
            }
            let part = |KitPartEntry(class, tokens)| Ok((self.class(&class)?, tokens));
            station = station.kit(kit.into_inner().into_iter().map(part).collect::<Result<Vec<_>, FileError>>()?);
        }
        if let Some(splits) = splits {
            station = station.splitting(self.some("splits", splits)?);
        }
        Ok(station)
    }
}
