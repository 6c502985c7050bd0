//! What a run leaves of each resource.

/// What tokens did with a resource between the end of the warm-up and the end of the run.
///
/// ```
/// # use tickless_queueing::facade as tickless;
/// assert_eq!(tickless::queueing::ResourceRecord::default().grants, 0);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ResourceRecord {
    /// How often a token took units.
    pub grants: u64,
    /// The units that tokens hold at the end.
    pub in_use: u64,
    /// The time integral of the units that tokens hold, in ticks: 128 bits, since units are many.
    pub held: u128,
}

impl ResourceRecord {
    /// Words of a record.
    pub(crate) const WORDS: usize = 4;

    /// As words, with the names of these.
    pub(crate) fn words(&self) -> [u64; Self::WORDS] {
        [self.grants, self.in_use, self.held as u64, (self.held >> 64) as u64]
    }

    pub(crate) fn named(&self, place: &str) -> [(String, u64); Self::WORDS] {
        let fields = ["grants", "in_use", "held", "held (high)"].into_iter().zip(self.words());
        let mut fields = fields.map(|(field, value)| (format!("{place}.{field}"), value));
        std::array::from_fn(|_| fields.next().unwrap_or_default())
    }

    /// Of its words.
    pub(crate) fn of([grants, in_use, low, high]: [u64; Self::WORDS]) -> Self {
        Self { grants, in_use, held: u128::from(high) << 64 | u128::from(low) }
    }
}
