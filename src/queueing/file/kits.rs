//! Kits, and tokens that split, in files.

use toml::Spanned;

use super::FileError;
use super::reader::Reader;
use crate::describe::Station;

/// How many tokens of each class are put together.
pub(super) type KitEntry = Vec<(Spanned<String>, u32)>;

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
            let part = |(class, tokens): (Spanned<String>, u32)| Ok((self.class(&class)?, tokens));
            station = station.kit(kit.into_inner().into_iter().map(part).collect::<Result<Vec<_>, FileError>>()?);
        }
        if let Some(splits) = splits {
            station = station.splitting(self.some("splits", splits)?);
        }
        Ok(station)
    }
}
