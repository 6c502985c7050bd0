//! Fronts over ranks: each rank corrects its own cells, and tells others of the cells that they hear, until no time becomes
//! earlier.

use std::time::Duration;

use super::Correction;
use crate::CellError;
use crate::distributed::Band;
use crate::reference::Area as _;
use tickless_core::heap::Handler;
use tickless_core::ranks::{Mail, Part};
use tickless_core::time::Time;

/// The aim for the duration of a round: work on times that others correct later is wasted.
const ROUND: Duration = Duration::from_millis(2);

impl Part for Correction<'_, Band<'_>> {
    type Error = CellError;

    const ROUND: Duration = ROUND;

    fn next(&mut self) -> Time {
        Handler::next(self)
    }

    /// A late time is never too late.
    fn promise(&mut self, _: Time) -> Time {
        Time::NEVER
    }

    fn mail(&mut self) -> Option<&mut Mail> {
        Some(&mut self.area.mail)
    }

    fn deliver(&mut self) -> Result<u64, CellError> {
        let mut mail = std::mem::take(&mut self.area.mail);
        mail.take(|list| {
            for [cell, ticks] in list.as_chunks().0 {
                let index = self.area.find(*cell as u32);
                self.correct(index, Time::from_ticks(*ticks));
            }
        });
        self.area.mail = mail;
        Ok(0)
    }

    fn advance(&mut self, bound: Time) -> Result<u64, CellError> {
        let mut events = 0;
        loop {
            let now = Handler::next(self);
            if now >= bound {
                break;
            }
            events += self.handle(now)?;
        }
        while let Some(event) = self.area.border.pop() {
            // Otherwise the time has become earlier, and was told then.
            if self.times[event.entity as usize] == event.time {
                let cell = self.area.id(event.entity);
                self.area.tell(event.entity, &[cell.into(), event.time.ticks()]);
            }
        }
        Ok(events)
    }
}
