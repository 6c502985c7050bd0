//! Rule files: Cell-DEVS models in the language of CD++ (`.ma`).
//!
//! ```text
//! [top]
//! components : life
//! [life]
//! type : cell
//! dim : (20,20)                % rows, columns (and planes, and layers of planes)
//! delay : transport            % or inertial
//! border : wrapped             % or nowrapped
//! neighbors : life(-1,-1) life(-1,0) life(-1,1)
//! neighbors : life(0,-1)  life(0,0)  life(0,1)
//! neighbors : life(1,-1)  life(1,0)  life(1,1)
//! initialvalue : 0
//! initialrowvalue : 4 00000111000000000000
//! localtransition : life-rule
//! [life-rule]
//! rule : 1 100 { (0,0) = 1 and (truecount = 3 or truecount = 4) }
//! rule : 1 100 { (0,0) = 0 and truecount = 3 }
//! rule : 0 100 { t }
//! ```
//!
//! # What it means
//! These are the semantics of the sources of CD++ (the parallel version):
//!
//! - A cell is (row, column), (row, column, plane) or (row, column, plane, layer) everywhere: in `dim`, references, zones and
//!   files of values. `width` is columns and `height` rows. In a [`Space`](tickless_cells::Space) a column is x and a row is y, and
//!   the planes of a layer follow those of the layer before it.
//! - A time unit is a millisecond. A delay that is a number is exact to the tick; a computed one is a number as below.
//! - Every cell sends its value at time 0. Whenever an output of its neighborhood arrives, its own being one if (0,0)
//!   is among the neighbors, a cell tries its rules from the first on: the first whose condition is 1 gives delay and
//!   value. What follows it is not looked at. Where no condition is 1, the cell stays as it is if one was `?` or if one
//!   draws random numbers; else the run ends with an error. `else : NAME` tries another section after the last rule.
//! - The value of a cell is what it sent last, also for itself.
//! - Transport: a value that differs from the cell's waits for its delay whatever happens meanwhile, and is sent even
//!   if it no longer differs. Of values that are due at one time only the last is sent (CD++ sends all of them, one
//!   after the other, at that time; what the neighbors have in the end is the same).
//! - Inertial: one value waits. A result that differs from it (or, where none waits, from the last one) takes its
//!   place, and waits for the whole of its own delay. As in CD++ it is sent even where it is what the cell has anyway.
//! - `?` is the value beyond an open border. `=` and `!=` always know: `? = ?` is true, `? = 1` false. `<` and its like
//!   give `?` if one side is `?`; of two `?`, `<=` and `>=` are true, `<` and `>` false. `and`, `or`, `not`, `xor` and
//!   `imp` are Kleene's; `eqv` is true for equals and else false. Arithmetic with `?`, and a division by 0, give `?`.
//!   Counts include the cell itself if it is among the neighbors, and cells beyond the border, which are `?`.
//! - Logical operators all bind alike, from the left: `a or b and c` is `(a or b) and c`. They bind less than `not`,
//!   that less than comparisons, then sums, then products.
//! - `if(c, a, b)` is b where c is `?`; `ifu(c, a, b, u)` is u there. Only the branch that is taken is evaluated.
//!   `randInt(n)` is a whole number from 0 to n, `uniform(a, b)` one from a to below b, `random` from 0 to below 1.
//! - A later zone counts where zones overlap. `defaultDelayTime` is checked and has no effect: a rule always has a
//!   delay.
//!
//! # Ports and state variables
//! ```text
//! neighborports : smoke alarm
//! statevariables : kind readings
//! statevalues : 0 0
//! ...
//! rule : { ~smoke := (0,1)~smoke; ~alarm := $readings > 2; } { $readings := $readings + 1; } 100 { $kind = 3 }
//! ```
//! This is the extension of Lopez and Wainer (2004), as its sources have it:
//!
//! - A rule is `VALUE {ASSIGNMENTS} DELAY {CONDITION}`; the assignments may be missing, or stand after the delay. Of the rule
//!   that holds first the delay is evaluated, then the assignments to state variables, one after the other, each seeing
//!   those before it, and then the values: these see the variables as they have become.
//! - A cell has one value for each port, and one without a port beside them, `(0,0)`, `{VALUE}` and `truecount`, which is
//!   kept only where a rule uses it. Its name in results is `out`. `{ ~a := X; ~b := Y; }` sets two ports, `{}` none.
//! - At the start all ports have the value of the cell, and all are sent.
//! - Transport: of the ports that a rule sets, those whose value differs from the cell's wait together. In their time these
//!   ports change, and others are as they are then. Of one port and one time only the last value is sent.
//! - Inertial: the values of all ports wait together. Where a rule sets a port to something else than what waits for it,
//!   that takes its place, and all wait for the whole of the new delay.
//! - An output has all ports: who hears a cell hears it whichever of its ports changed.
//!
//! # Tuples
//! A value may be a tuple, `[1, 2]`, and `(0,1)!0` is the first number of a cell's. Where a file has tuples, each of its ports is as
//! many as the longest has numbers, and one more for how many there are, `?` where it is a number alone.
//!
//! # What differs
//! Numbers are [fixed point](Fixed), and leaving their range ends the run. Random numbers are those of the house: a
//! stream per cell. Other components than spaces, generators and queues, and functions that need real numbers are refused by name.

mod cell_space;
mod check;
mod constants;
mod corpus;
mod coupling;
mod draws;
mod error;
mod expression;
mod factor;
mod file;
mod fixed;
mod functions;
mod generator;
mod growth;
mod initial;
mod inputs;
mod interpreter;
mod layers;
mod layout;
mod lexer;
mod model;
mod numerals;
mod parser;
mod ports;
mod queue;
mod ratio;
mod remarks;
mod series;
mod source;
mod spaces;
mod statements;
mod storage;
#[cfg(test)]
mod tests;
mod tuples;
mod variates;
mod wgsl;

pub use cell_space::MOST_WAITING;
pub use corpus::corpus;
pub use error::RuleError;
#[doc(hidden)]
pub use error::{Fault, Location};
pub use file::RuleFile;
pub use fixed::Fixed;
#[doc(hidden)]
pub use interpreter::RuleFault;
pub use model::RuleModel;
#[doc(hidden)]
pub use numerals::FixedError;

/// The crate that examples call `tickless`.
#[doc(hidden)]
pub mod facade {
    pub use tickless_core::{archive, heap, memory, random, ranks, run, statistics, time};
    pub use tickless_device as device;
    /// Cell spaces.
    pub mod cells {
        pub use crate as rules;
        pub use tickless_cells::*;
    }
}
