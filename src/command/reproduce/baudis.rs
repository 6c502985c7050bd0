//! Baudis, Jacob and Andelfinger 2017: sets of pending events and of open cells on a GPU.

mod phold;
mod rates;
mod searches;
mod threads;

use super::exhibit::Exhibit;
use super::lab::Lab;
use super::{CommandError, Paper};
use tickless_engine::pending::PendingSet;

pub const PAPER: Paper = Paper {
    name: "baudis",
    title: "Performance evaluation of priority queues for fine-grained parallel tasks on GPUs",
    citation: "N. Baudis, F. Jacob, P. Andelfinger. MASCOTS 2017",
    repeat,
};

/// Their names of the sets, with ours.
const SETS: [(&str, PendingSet); 5] = [
    ("CB-SEQ", PendingSet::Circular),
    ("CB-SEQ-SP", PendingSet::CircularSinglePass),
    ("CB-PAR", PendingSet::CircularParallel),
    ("Heaps", PendingSet::Heap),
    ("Splays", PendingSet::Splay),
];

fn repeat(lab: &Lab<'_>, done: &mut Vec<Exhibit>) -> Result<(), CommandError> {
    done.push(threads::figure(lab)?);
    let quick = [&rates::PARTS[0], &rates::PARTS[3]];
    for part in lab.by_scale(quick.to_vec(), rates::PARTS.iter().collect()) {
        done.push(rates::figure(lab, part)?);
    }
    done.push(Exhibit::left_out(
        "figure 9",
        "transactions of the memory for each event",
        "counters of the hardware count them, which no interface of this program reads",
    ));
    done.push(rates::parallel_heap(lab)?);
    done.push(Exhibit::left_out(
        "figure 11",
        "the parallel heap where all events of a node are taken out at once",
        "it takes events out in another order than a simulation may, and here nothing does that",
    ));
    done.push(searches::table(lab)?);
    Ok(())
}
