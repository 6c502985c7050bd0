//! A small run of every family, on devices that change how a program runs and none of its bits: the order of workgroups and lanes, and what
//! executes it.

#[path = "../adapter/mod.rs"]
mod adapter;
mod records;
mod runs;
mod schedules;
