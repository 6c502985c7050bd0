//! Rule files: their syntax, their meaning, and refusals.

mod errors;
mod growth;
mod inputs;
mod layers;
mod long;
mod meaning;
mod naive;
mod numbers;
mod ports;
mod published;
mod queues;
mod runs;
mod spaces;
mod tuples;
mod wgsl;
mod wide;

use super::{Fixed, RuleFile};

/// A file of a space of 1 x 3 cells with these neighbours and rules.
pub(super) fn small(head: &str, rules: &str) -> String {
    format!(
        "[top]\ncomponents : a\n[a]\ntype : cell\ndim : (1,3)\ninitialvalue : 0\nlocaltransition : r\n{head}\n\
         [r]\n{rules}\n"
    )
}

/// A space of 1 x 3 cells whose middle one is (0,0), with open borders.
pub(super) const HEAD: &str = "delay : transport\nborder : nowrapped\nneighbors : a(0,-1) a(0,0) a(0,1)";

pub(super) fn parse(text: &str) -> RuleFile {
    RuleFile::parse(text, "test.ma", |_| None).unwrap_or_else(|e| panic!("{e}"))
}

pub(super) fn fixed(text: &str) -> Fixed {
    text.parse().expect("a number")
}
