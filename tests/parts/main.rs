//! Parts of the kernels on the device against Rust, on random data, in every form of the kernels.

#[path = "../adapter/mod.rs"]
mod adapter;
mod dispatch;
mod global_heap;
mod interval;
mod lab;
mod pending;
mod quad;
mod random;
mod reading;
mod reductions;
mod scale;
mod selection;
mod tiles;
mod wide;
