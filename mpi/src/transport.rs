//! The ranks of an MPI program.

use std::thread;
use std::time::{Duration, Instant};

use mpi::collective::SystemOperation;
use mpi::datatype::Equivalence as _;
use mpi::request::{self, Request, Scope};
use mpi::topology::SimpleCommunicator;
use mpi::traits::{Communicator as _, CommunicatorCollectives as _, Destination as _, Source as _};
use tickless::cli;
use tickless::ranks::{Mail, Transport, TransportError};

/// What messages are.
const EXCHANGE: i32 = 1;
const GATHER: i32 = 2;
/// The most words of a message: MPI counts them with 31 bits. A list goes as messages of so many and a last one of fewer.
const MOST: usize = 1 << 27;
/// How often a rank looks before it lets others have its core.
const SPINS: u32 = 1000;

/// Every rank of the world of MPI.
pub struct MpiTransport<'a> {
    world: &'a SimpleCommunicator,
    limit: Duration,
}

impl<'a> MpiTransport<'a> {
    /// A rank waits so long for another one at the most.
    pub fn new(world: &'a SimpleCommunicator, limit: Duration) -> Self {
        Self { world, limit }
    }

    /// Looks until there is something. A rank that has waited too long ends all of them: what it has under way with MPI cannot be
    /// taken back.
    fn look<T>(&self, mut look: impl FnMut() -> Option<T>) -> T {
        let begin = Instant::now();
        let mut looks = 0_u32;
        loop {
            if let Some(found) = look() {
                return found;
            }
            looks += 1;
            if looks >= SPINS {
                thread::yield_now();
                if looks.is_multiple_of(SPINS) && begin.elapsed() > self.limit {
                    let seconds = self.limit.as_secs();
                    cli::complain("error", &TransportError::Late { rank: self.rank(), seconds });
                    self.world.abort(cli::FAILED.into());
                }
            }
        }
    }

    fn wait<'r, D: ?Sized, S: Scope<'r>>(&self, request: Request<'r, D, S>) {
        let mut under_way = Some(request);
        self.look(|| match under_way.take()?.test() {
            Ok(_) => Some(()),
            Err(request) => {
                under_way = Some(request);
                None
            }
        });
    }

    /// Adds what a rank has sent to a list.
    fn receive(&self, from: u32, tag: i32, list: &mut Vec<u64>) {
        loop {
            let process = self.world.process_at_rank(from as i32);
            let (message, status) = self.look(|| process.immediate_matched_probe_with_tag(tag));
            let count = status.count(u64::equivalent_datatype()) as usize;
            let before = list.len();
            list.resize(before + count, 0);
            message.matched_receive_into(&mut list[before..]);
            if count < MOST {
                return;
            }
        }
    }
}

/// A list as messages of `most` words and a last one of fewer.
fn messages(list: &[u64], most: usize) -> impl Iterator<Item = &[u64]> {
    (0..=list.len() / most).map(move |number| &list[number * most..list.len().min((number + 1) * most)])
}

impl Transport for MpiTransport<'_> {
    fn rank(&self) -> u32 {
        self.world.rank() as u32
    }

    fn ranks(&self) -> u32 {
        self.world.size() as u32
    }

    fn least(&mut self, word: u64) -> Result<u64, TransportError> {
        let mut least = word;
        if self.ranks() == 1 {
            return Ok(word);
        }
        request::scope(|scope| {
            let min = SystemOperation::min();
            self.wait(self.world.immediate_all_reduce_into(scope, &word, &mut least, min));
        });
        Ok(least)
    }

    fn exchange(&mut self, mail: &mut Mail) -> Result<(), TransportError> {
        let to = mail.to().to_vec();
        let mut lists: Vec<Vec<u64>> = to.iter().map(|to| std::mem::take(mail.outgoing_mut(*to))).collect();
        request::scope(|scope| {
            let sends = to.iter().zip(&lists).flat_map(|(to, list)| {
                let process = self.world.process_at_rank(*to as i32);
                messages(list, MOST).map(move |message| process.immediate_send_with_tag(scope, message, EXCHANGE))
            });
            let sends: Vec<_> = sends.collect();
            for place in 0..mail.from().len() {
                let from = mail.from()[place];
                self.receive(from, EXCHANGE, mail.incoming_mut(from));
            }
            sends.into_iter().for_each(|send| self.wait(send));
        });
        // With the room that they have.
        for (to, list) in to.iter().zip(&mut lists) {
            list.clear();
            std::mem::swap(mail.outgoing_mut(*to), list);
        }
        Ok(())
    }

    fn gather(&mut self, words: Vec<u64>) -> Result<Vec<Vec<u64>>, TransportError> {
        if self.rank() > 0 {
            let first = self.world.process_at_rank(0);
            for message in messages(&words, MOST) {
                request::scope(|scope| self.wait(first.immediate_send_with_tag(scope, message, GATHER)));
            }
            return Ok(vec![]);
        }
        let mut all = vec![words];
        for rank in 1..self.ranks() {
            let mut list = vec![];
            self.receive(rank, GATHER, &mut list);
            all.push(list);
        }
        Ok(all)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Who receives takes messages until one is shorter than the others can be.
    #[test]
    fn the_last_message_of_a_list_is_shorter() {
        for length in 0..20 {
            let list: Vec<u64> = (0..length).collect();
            let sent: Vec<&[u64]> = messages(&list, 3).collect();
            assert_eq!(sent.concat(), list);
            let (last, others) = sent.split_last().unwrap();
            assert!(last.len() < 3 && others.iter().all(|message| message.len() == 3), "{sent:?}");
        }
    }
}
