//! Reads a log.

use std::io::{BufRead, BufReader, Read};

use super::{LogError, LogHead, MAGIC};
use crate::Cell;
use tickless_core::time::Time;

/// The longest head, in bytes.
const LONGEST_HEAD: u64 = 1 << 16;

/// An output.
///
/// ```
/// # use tickless_cells::facade as tickless;
/// use tickless::{cells::{Cell, log::LogEntry}, time::Time};
/// let entry = LogEntry { cell: Cell { id: 3, replication: 0 }, time: Time::UNIT, output: vec![7] };
/// assert_eq!(entry.time.units(), 1.0);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogEntry {
    /// The sender.
    pub cell: Cell,
    /// The time.
    pub time: Time,
    /// Its words.
    pub output: Vec<u32>,
}

/// Reads the outputs of a log one after the other, in constant memory. After an error no more outputs come.
///
/// ```
/// # use tickless_cells::facade as tickless;
/// use tickless::cells::log::{LogHead, LogReader, LogWriter};
/// let head = LogHead { model: "spark".into(), size: [9, 9, 1], layers: 1, replications: 1, words: vec![] };
/// let bytes = LogWriter::new(vec![], &head)?.finish()?;
/// let mut log = LogReader::new(&bytes[..])?;
/// assert_eq!(log.head(), &head);
/// assert!(log.next().is_none());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct LogReader<R> {
    input: BufReader<R>,
    head: LogHead,
    cells: u64,
    replication: u32,
    now: Time,
    before: u64,
    outputs: u64,
    over: bool,
}

impl<R: Read> LogReader<R> {
    /// Reads the head.
    ///
    /// # Errors
    /// [`LogError`].
    pub fn new(input: R) -> Result<Self, LogError> {
        let mut input = BufReader::with_capacity(1 << 16, input);
        let foreign = |what: &str| LogError::Foreign { what: what.into() };
        let mut magic = vec![];
        input.by_ref().take(MAGIC.len() as u64).read_to_end(&mut magic)?;
        if magic != MAGIC {
            return Err(foreign("it does not begin with the line 'tickless cells log 1'"));
        }
        let mut line = vec![];
        input.by_ref().take(LONGEST_HEAD).read_until(b'\n', &mut line)?;
        let head: LogHead =
            serde_json::from_slice(&line).map_err(|_| foreign("its second line is no head of a log"))?;
        let cells = head.size.iter().try_fold(1_u64, |cells, &n| cells.checked_mul(n.into())).unwrap_or(u64::MAX);
        if cells == 0 || cells > crate::MOST_CELLS {
            return Err(foreign("the head in its second line has no cells, or more than 2^31"));
        }
        if head.layers == 0 || !head.size[2].is_multiple_of(head.layers) {
            return Err(foreign("the head in its second line has layers that do not make up its planes"));
        }
        if head.words.iter().any(|word| word.meaning.fraction() > 31) {
            return Err(foreign("the head in its second line has a word of more than 31 bits of fraction"));
        }
        Ok(Self { input, head, cells, replication: 0, now: Time::ZERO, before: 0, outputs: 0, over: false })
    }

    /// The head of the log.
    pub fn head(&self) -> &LogHead {
        &self.head
    }

    /// The next byte, if there is one.
    fn byte(&mut self) -> Result<Option<u8>, LogError> {
        let byte = self.input.fill_buf()?.first().copied();
        self.input.consume(usize::from(byte.is_some()));
        Ok(byte)
    }

    fn number(&mut self) -> Result<u64, LogError> {
        let mut number = 0;
        for bits in (0..64).step_by(7) {
            let byte = self.byte()?.ok_or(LogError::Truncated { outputs: self.outputs })?;
            let part = u64::from(byte & 0x7f);
            if part << bits >> bits != part {
                break;
            }
            number |= part << bits;
            if byte < 1 << 7 {
                return Ok(number);
            }
        }
        Err(self.damaged("a number of more than 64 bits"))
    }

    fn damaged(&self, what: &str) -> LogError {
        LogError::Damaged { output: self.outputs, what: what.into() }
    }

    fn entry(&mut self) -> Result<Option<LogEntry>, LogError> {
        loop {
            match self.number()? {
                0 => match self.number()? {
                    0 if self.input.fill_buf()?.is_empty() => return Ok(None),
                    0 => {
                        self.replication += 1;
                        (self.now, self.before) = (Time::ZERO, 0);
                        if self.replication >= self.head.replications {
                            return Err(self.damaged("more replications than its head says"));
                        }
                    }
                    later => {
                        let now = self.now.checked_add(Time::from_ticks(later));
                        self.now = now.ok_or_else(|| self.damaged("a time beyond all"))?;
                        self.before = 0;
                    }
                },
                step => return self.output(step - 1).map(Some),
            }
        }
    }

    fn output(&mut self, step: u64) -> Result<LogEntry, LogError> {
        let id = self.before.saturating_add(step);
        if id >= self.cells {
            return Err(self.damaged(&format!("cell {id}, and there are {}", self.cells)));
        }
        self.before = id;
        let words = (0..self.head.words.len()).map(|_| self.number()).collect::<Result<Vec<_>, _>>()?;
        let output = words.into_iter().map(u32::try_from).collect::<Result<Vec<_>, _>>();
        let output = output.map_err(|_| self.damaged("a word of more than 32 bits"))?;
        self.outputs += 1;
        Ok(LogEntry { cell: Cell { id: id as u32, replication: self.replication }, time: self.now, output })
    }
}

impl<R: Read> Iterator for LogReader<R> {
    type Item = Result<LogEntry, LogError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.over {
            return None;
        }
        let entry = self.entry().transpose();
        self.over = !matches!(entry, Some(Ok(_)));
        entry
    }
}
