//! Visits as CSV: a line for each.

use std::io::{self, Write};

use super::Names;
use super::format::Format;
use crate::CommandError;
use crate::output::cell;
use tickless_core::time::decimals::{push_number, push_time};
use tickless_queueing::{NetworkModel, Visit};

/// The columns.
const HEAD: &[u8] = b"replication,token,class,station,arrival,start,end,departure,left,to,resources\n";

/// Makes lines of visits.
pub(super) struct Csv(Names<Vec<u8>>);

impl Csv {
    pub(super) fn new(model: &NetworkModel) -> io::Result<Self> {
        Names::new(model, cell).map(Self)
    }
}

impl Format for Csv {
    type Open = ();
    type Part = Vec<u8>;
    type File = ();

    fn add(&self, replication: u32, visit: &Visit, _: &mut (), text: &mut Vec<u8>) {
        push_number(replication.into(), text);
        text.push(b',');
        push_number(visit.token, text);
        text.push(b',');
        text.extend_from_slice(self.0.class(visit).map_or(&[], Vec::as_slice));
        text.push(b',');
        text.extend_from_slice(self.0.station(visit));
        for time in [Some(visit.arrival), visit.start, visit.end, visit.departure] {
            text.push(b',');
            time.into_iter().for_each(|time| push_time(time, text));
        }
        text.push(b',');
        text.extend_from_slice(visit.left.name().as_bytes());
        text.push(b',');
        text.extend_from_slice(self.0.to(visit).map_or(&[], Vec::as_slice));
        text.push(b',');
        self.0.held(visit).into_iter().for_each(|held| text.extend(cell(&held).unwrap_or_default()));
        text.push(b'\n');
    }

    fn bytes(text: &Vec<u8>) -> usize {
        text.capacity()
    }

    fn begin(&self, out: &mut dyn Write) -> Result<(), CommandError> {
        out.write_all(HEAD).map_err(CommandError::Output)
    }

    fn put(&self, (): &mut (), text: Vec<u8>, out: &mut dyn Write) -> Result<(), CommandError> {
        out.write_all(&text).map_err(CommandError::Output)
    }

    fn finish(&self, (): (), out: &mut dyn Write) -> Result<(), CommandError> {
        out.flush().map_err(CommandError::Output)
    }
}
