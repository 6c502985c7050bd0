//! Messages between ranks at the end of a round.

/// Lists of words, one for each rank, and the pairs of ranks that may have messages.
///
/// ```
/// # use tickless_core::facade as tickless;
/// use tickless::ranks::Mail;
/// // Rank 0 of three, which sends to rank 1 and hears from rank 2.
/// let mut mail = Mail::new(3, [1], [2]);
/// mail.send(1, &[7, 8]);
/// assert_eq!(mail.outgoing(1), [7, 8]);
/// assert_eq!((mail.to(), mail.from()), (&[1][..], &[2][..]));
/// ```
#[derive(Debug, Default)]
pub struct Mail {
    to: Vec<u32>,
    from: Vec<u32>,
    outgoing: Vec<Vec<u64>>,
    incoming: Vec<Vec<u64>>,
}

impl Mail {
    /// The mail of one of `ranks` ranks, with the ranks that it may send to and the ranks that may send to it.
    pub fn new(ranks: u32, to: impl IntoIterator<Item = u32>, from: impl IntoIterator<Item = u32>) -> Self {
        let lists = || vec![vec![]; ranks as usize];
        Self { to: Vec::from_iter(to), from: Vec::from_iter(from), outgoing: lists(), incoming: lists() }
    }

    /// The mail of a rank that exchanges messages with all others.
    pub fn with_all(rank: u32, ranks: u32) -> Self {
        let others = || (0..ranks).filter(move |other| *other != rank);
        Self::new(ranks, others(), others())
    }

    /// The number of ranks.
    #[doc(hidden)]
    pub fn ranks(&self) -> u32 {
        self.outgoing.len() as u32
    }

    /// The ranks that this one may send to.
    pub fn to(&self) -> &[u32] {
        &self.to
    }

    /// The ranks that may send to this one.
    pub fn from(&self) -> &[u32] {
        &self.from
    }

    /// Leaves words for a rank of [`Mail::to`].
    #[inline]
    pub fn send(&mut self, rank: u32, words: &[u64]) {
        self.outgoing[rank as usize].extend_from_slice(words);
    }

    /// The words on their way to a rank.
    pub fn outgoing(&self, rank: u32) -> &[u64] {
        &self.outgoing[rank as usize]
    }

    /// The list for a rank, which a [`Transport`](super::Transport) takes away and leaves empty.
    pub fn outgoing_mut(&mut self, rank: u32) -> &mut Vec<u64> {
        &mut self.outgoing[rank as usize]
    }

    /// The list from a rank, which a [`Transport`](super::Transport) fills.
    pub fn incoming_mut(&mut self, rank: u32) -> &mut Vec<u64> {
        &mut self.incoming[rank as usize]
    }

    /// Takes the incoming lists in rank order, and leaves them empty.
    #[doc(hidden)]
    pub fn take(&mut self, mut take: impl FnMut(&[u64])) {
        for rank in &self.from {
            let list = &mut self.incoming[*rank as usize];
            take(list);
            list.clear();
        }
    }
}
